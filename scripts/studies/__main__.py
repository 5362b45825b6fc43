"""`make studies`: runs the default campaign and the quick subset of each study into one folder.

    make studies [RESULTS=folder] [ARGS=--catalogue]

With `--catalogue` also the study `catalogue`, so that the page of each algorithm and implementation
has its cost on every board.

What is in the folder already does not run again. A study with failed jobs does not stop the others,
but the exit status is then 1.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence

from pennyweight.model import UserError
from pennyweight.studies import find_study, study_names

DEFAULT = "default"
CATALOGUE = "catalogue"


def commands(results: str, catalogue: bool = False) -> list[list[str]]:
    """The arguments of `pennyweight` for each study, the longest last. Raises `UserError`."""
    quick = [name for name in study_names() if find_study(name).quick is not None]
    runs = [[DEFAULT], *([name, "--quick"] for name in quick)]
    if catalogue:
        runs.append([CATALOGUE])
    return [["run", "--study", *words, "--results", results] for words in runs]


def main(arguments: Sequence[str]) -> int:
    """Runs them; 1 if jobs failed, 2 if a study cannot be read."""
    parser = argparse.ArgumentParser(prog="studies", description=__doc__)
    parser.add_argument("--results", default="results", help="results folder")
    parser.add_argument(
        "--catalogue",
        action="store_true",
        help="also all implementations on all boards: an hour on two cores",
    )
    given = parser.parse_args(arguments)
    try:
        chosen = commands(given.results, given.catalogue)
    except UserError as error:
        print(f"studies: {error}", file=sys.stderr)
        return 2
    statuses = []
    for words in chosen:
        print(f"== pennyweight {' '.join(words)}", flush=True)
        done = subprocess.run([sys.executable, "-m", "pennyweight", *words])
        statuses.append(done.returncode)
        if done.returncode == 130:
            break
    return max(statuses)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
