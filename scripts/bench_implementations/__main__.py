"""Our implementations beside the portable C of NIST's benchmarking repository.

    make bench-implementations NIST=path-of-a-clone [ARGS="--boards samd21 --algorithms ascon-*"]

For each algorithm that both have, on each board at each set of flags: cycles to encrypt (or hash)
16 and 128 bytes without associated data, best of ours over best of theirs, and bytes of flash,
smallest of ours over smallest of theirs. Theirs are unchanged folders; those whose program holds
assembly, or whose sources have inline assembly, are left out, as are those that give wrong
answers. Where the best of ours looks up tables, a second line has the best of ours in constant
time. `--markdown` prints the ratios alone, cycles at -O3 and flash at -Os. Builds and measurements
are kept in `bench/implementations`, so a second run is quick.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from scripts.bench_implementations.summary import markdown

from pennyweight import api, catalogue
from pennyweight.campaign.engine import Tally, run_campaign
from pennyweight.campaign.plan import Job, make_job
from pennyweight.catalogue import Board, Implementation
from pennyweight.catalogue.implementations import at_path
from pennyweight.model import Case, Kind, Operation, UserError
from pennyweight.store import ResultStore
from pennyweight.store.reading import open_results

RESULTS = Path("bench/implementations")
BOARDS = "atmega328p,samd21,sam3x8e,nrf52840"
FLAGS = "-Os,-O2,-O3"
LENGTHS = (16, 128)
ALLOWED = 1.10
"""What the best of ours may need of the best of theirs."""

ASSEMBLY = re.compile(rb"\b(?:asm|__asm|__asm__)\b[\s\w]*[({]")
QUERY = """
SELECT m.algorithm, m.board, m.flags, m.implementation,
       max(m.cycles) FILTER (m.m = 16) AS short, max(m.cycles) FILTER (m.m = 128) AS long,
       max(m.flash) AS flash
FROM latest m
WHERE m.job NOT IN (
    SELECT job FROM symbols WHERE lower(object) LIKE '%.s' AND bytes > 0
) OR ?
GROUP BY ALL HAVING count(*) FILTER (m.status <> 'ok') = 0
"""
FIELDS = {"short": "16 bytes", "long": "128 bytes", "flash": "flash"}

Key = tuple[str, str, str]
"""Algorithm, board, flags."""
Row = dict[str, Any]


def main(arguments: list[str]) -> int:
    """Measures what is missing and prints the table; 1 if a ratio is above what is allowed."""
    parser = argparse.ArgumentParser(
        prog="bench-implementations",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("nist", type=Path, help="a clone of NIST's benchmarking repository")
    parser.add_argument("--boards", default=BOARDS, help="names with commas")
    parser.add_argument("--flags", default=FLAGS, help="sets of flags with commas")
    parser.add_argument("--algorithms", default="*", help="patterns with commas")
    parser.add_argument("--jobs", type=int, help="processes at a time (all cores unless given)")
    parser.add_argument("--markdown", action="store_true", help="a short table for a page instead")
    given = parser.parse_args(_joined(arguments))
    known = catalogue.load()
    tree = given.nist / "implementations"
    if not tree.is_dir():
        raise UserError(
            f"{given.nist}: no folder 'implementations' in it; give the path of a clone of "
            "usnistgov/Lightweight-Cryptography-Benchmarking"
        )
    patterns = given.algorithms.split(",")
    theirs = [each for each in at_path(tree, known.algorithms) if _is_comparable(each, patterns)]
    both = {each.algorithm for each in theirs}
    ours = [each for each in known.implementations if each.algorithm in both]
    if not ours:
        raise UserError(f"--algorithms {given.algorithms}: none that both sides have")
    boards = [known.board(name) for name in given.boards.split(",")]
    flags = given.flags.split(",")
    workers = given.jobs
    mine = _measure("ours", _jobs(ours, boards, flags), workers, portable=False)
    other = _measure("theirs", _jobs(_unique(theirs), boards, flags), workers, portable=True)
    if given.markdown:
        print(_summary(mine, other))
        return 0
    steady = {each.id for each in ours if each.manifest.constant_time is not False}
    return _print(mine, other, steady)


def _joined(arguments: list[str]) -> list[str]:
    """`--flags -O3` as `--flags=-O3`: argparse takes what begins with a dash for an option."""
    joined: list[str] = []
    for each in arguments:
        if joined and joined[-1] == "--flags":
            joined[-1] = f"--flags={each}"
        else:
            joined.append(each)
    return joined


def _is_comparable(each: Implementation, patterns: Iterable[str]) -> bool:
    """Does it run here, for an algorithm of the catalogue, without inline assembly?"""
    if each.problem or each.known is None:
        return False
    if not any(fnmatchcase(each.algorithm, pattern) for pattern in patterns):
        return False
    files = (path for suffix in ("*.c", "*.h") for path in each.folder.rglob(suffix))
    return not any(ASSEMBLY.search(path.read_bytes()) for path in files)


def _unique(found: list[Implementation]) -> list[Implementation]:
    """Each name once: combined packages carry the same code under the same name again."""
    return list({each.id: each for each in reversed(found)}.values())


def _jobs(found: list[Implementation], boards: list[Board], flags: list[str]) -> list[Job]:
    jobs = []
    for each in found:
        operation = Operation.HASH if each.kind is Kind.HASH else Operation.ENC
        cases = [Case(operation, 0, length) for length in LENGTHS]
        jobs += [make_job(each, board, some, cases, "quick") for board in boards for some in flags]
    return jobs


def _measure(
    side: str, jobs: list[Job], workers: int | None, portable: bool
) -> dict[Key, list[Row]]:
    """What one side's implementations take, by algorithm, board and flags."""
    store = ResultStore(RESULTS / side)
    with api.progress(f"Measuring {side}") as bar:
        run_campaign(jobs, store, Tally(), workers, progress=bar)
    asked = {(j.implementation.id, j.board.id, j.flags) for j in jobs}
    found: dict[Key, list[Row]] = {}
    with open_results(store) as results:
        for row in results.query(QUERY, [not portable]).to_pylist():
            name = f"{row['algorithm']}/{row['implementation']}"
            if (name, row["board"], row["flags"]) in asked:
                key = (row["algorithm"], row["board"], row["flags"])
                found.setdefault(key, []).append(row)
    return found


def _best(rows: list[Row], field: str) -> Row | None:
    have = [row for row in rows if row[field] is not None]
    return min(have, key=lambda row: row[field], default=None)


def _summary(ours: dict[Key, list[Row]], theirs: dict[Key, list[Row]]) -> str:
    def ratio(key: Key, field: str) -> float | None:
        mine, other = _best(ours.get(key, []), field), _best(theirs.get(key, []), field)
        return mine[field] / other[field] if mine and other else None

    return markdown(ours.keys() | theirs.keys(), ratio, ALLOWED)


def _print(ours: dict[Key, list[Row]], theirs: dict[Key, list[Row]], steady: set[str]) -> int:
    """Prints the table; 1 if a ratio is above what is allowed. `steady` are in constant time."""
    print(f"\n{'algorithm':24} {'board':16} {'flags':5}", end="")
    for title in FIELDS.values():
        print(f"  {title + ', ours / theirs':38}", end="")
    print()
    over = 0
    for key in sorted(ours.keys() & theirs.keys()):
        best = {field: _best(ours[key], field) for field in FIELDS}
        over += _line(key, best, theirs[key])
        same = [row for row in ours[key] if f"{key[0]}/{row['implementation']}" in steady]
        constant = {field: _best(same, field) for field in FIELDS}
        if constant != best:
            _line(("  constant time", *key[1:]), constant, theirs[key])
    for key in sorted(ours.keys() ^ theirs.keys()):
        side = "theirs" if key in ours else "ours"
        print(f"{key[0]:24} {key[1]:16} {key[2]:5}  nothing of {side} runs")
    print(f"\n{over} ratios above {ALLOWED:.2f} (marked !), lines of constant time not counted.")
    return 1 if over else 0


def _line(key: Key, ours: dict[str, Row | None], theirs: list[Row]) -> int:
    """One line; how many of its ratios are above what is allowed."""
    over = 0
    print(f"{key[0]:24} {key[1]:16} {key[2]:5}", end="")
    for field, mine in ours.items():
        other = _best(theirs, field)
        if mine is None or other is None:
            print(f"  {'-':38}", end="")
            continue
        ratio = mine[field] / other[field]
        over += ratio > ALLOWED
        names = f"{mine[field]} {mine['implementation']} / {other[field]} {other['implementation']}"
        print(f"  {ratio:5.2f}{'!' if ratio > ALLOWED else ' '}{names:32}", end="")
    print()
    return over


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except UserError as error:
        print(f"bench-implementations: {error}", file=sys.stderr)
        sys.exit(2)
