"""`make man`: writes the manual pages of all commands to `build/man/`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from scripts.man.page import context_of, page, subcommands

from pennyweight.cli.group import program

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "man"


def write(into: Path) -> list[Path]:
    """Writes a page for each command, and removes those of earlier commands; the files' paths."""
    into.mkdir(parents=True, exist_ok=True)
    for old in into.glob("pennyweight*.1"):
        old.unlink()
    written = []
    for context in _all(context_of(program, "pennyweight")):
        target = into / f"{context.command_path.replace(' ', '-')}.1"
        target.write_text(page(context), encoding="utf-8")
        written.append(target)
    return written


def _all(context: click.Context) -> Iterator[click.Context]:
    yield context
    for each in subcommands(context):
        yield from _all(each)


def main(arguments: Sequence[str]) -> int:
    """Writes the pages to a folder, `build/man` by default."""
    into = Path(arguments[0]) if arguments else FOLDER
    print(f"{into}: {len(write(into))} manual pages; read one with `man {into}/pennyweight.1`")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
