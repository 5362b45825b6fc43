"""Checks the prose of the repository against the word list.

    python -m scripts.prose                  every tracked file that `words.toml` covers
    python -m scripts.prose docs/method.md   some of them

Prints one line for each place to rewrite and ends with status 1 if there is one.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path, PurePath

from scripts.prose.passages import passages
from scripts.prose.rules import Finding, WordList, read_word_list

ROOT = Path(__file__).parent.parent.parent
WORDS = Path(__file__).parent / "words.toml"


def findings(root: Path, words: WordList, paths: Sequence[PurePath]) -> list[Finding]:
    """What to rewrite in some files, given relative to the root, in their order."""
    found: list[Finding] = []
    for path in paths:
        if parts := words.parts_of(path):
            for passage in passages(root / path):
                if passage.part in parts:
                    found += words.check(path, passage)
    return found


def tracked_files(root: Path, names: Sequence[str] = ()) -> list[PurePath]:
    """The files that Git tracks, or those of them that `names` (files or folders) selects."""
    command = ["git", "ls-files", "-z", "--cached", "--", *names]
    listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    paths = [PurePath(name) for name in listed.split("\0") if name]
    return [path for path in paths if (root / path).is_file()]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the check and returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m scripts.prose", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("path", nargs="*", help="file or folder; default: all")
    parser.add_argument("--words", type=Path, default=WORDS, help="configuration file")
    chosen = parser.parse_args(arguments)
    found = findings(ROOT, read_word_list(chosen.words), tracked_files(ROOT, chosen.path))
    for each in found:
        print(each)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
