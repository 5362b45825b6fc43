"""Measures which constant-time implementation of each algorithm is the fastest on each board.

    make fastest [ARGS="--board stm32f407,nrf52840 ascon-aead128 'aes-*'"]

Writes `studies/fastest.tsv`, which studies with `fastest = true` use. Without arguments, it
measures everything that bundled studies need, on every board whose compiler is installed; with
arguments, only those boards and algorithms. The rest of the table stays unchanged. Finished
measurements are kept if the command is interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from fnmatch import fnmatchcase

from scripts.fastest.measuring import asked_by_studies, contests, measured

from pennyweight import catalogue
from pennyweight.api.measuring import choose_boards
from pennyweight.catalogue import Board
from pennyweight.model import UserError
from pennyweight.pool import available_cores
from pennyweight.progress import Lines
from pennyweight.studies.fastest import (
    FLAGS,
    FastestTable,
    choose,
    fastest_path,
    is_candidate,
    read_fastest,
)
from pennyweight.toolchains import missing

_STEP = 200
"""Choices after which the table is written, so that an interruption loses little."""


def main(arguments: Sequence[str]) -> int:
    """Writes the table and prints what has changed; 1 if something cannot be measured."""
    parser = argparse.ArgumentParser(prog="fastest", description=__doc__)
    parser.add_argument("patterns", nargs="*", help="algorithms")
    parser.add_argument("--board", help="boards, separated by commas")
    parser.add_argument("--jobs", type=int, default=available_cores())
    given = parser.parse_args(arguments)
    try:
        return _renew(given.patterns, given.board, given.jobs)
    except UserError as error:
        print(f"fastest: {error}", file=sys.stderr)
        return 1


def _renew(patterns: Sequence[str], names: str | None, workers: int) -> int:
    known = catalogue.load()
    candidates = [each for each in known.implementations if is_candidate(each)]
    boards = _with_compilers(choose_boards(known, names.split(",") if names else ()))
    if patterns:
        candidates = [
            each
            for each in candidates
            if any(fnmatchcase(each.algorithm, pattern) for pattern in patterns)
        ]
        asked = contests(candidates, boards, FLAGS)
    else:
        asked = asked_by_studies(known, candidates, boards)
    if not asked:
        raise UserError(
            f"nothing to measure for {' '.join(patterns) or 'the studies'}: "
            "`pennyweight algorithms` lists the algorithms, `pennyweight doctor` the compilers"
        )
    before = read_fastest() if fastest_path().is_file() else FastestTable((), {})
    found: dict[tuple[str, str, str], tuple[str, ...]] = {}

    def table() -> FastestTable:
        renewed = before.replaced((board.id for board in boards), found)
        algorithms = {each.algorithm for each in known.implementations}
        return renewed.restricted(known.boards, algorithms)

    try:
        for contest, cycles in measured(asked, workers, Lines()):
            found[contest.algorithm, contest.flags, contest.board.id] = choose(cycles)
            if len(found) % _STEP == 0:
                _write(table())
    finally:
        _write(table())
    changed = [
        (*key, old, new) for key, new in sorted(found.items()) if (old := before.names(*key)) != new
    ]
    for algorithm, flags, board, old, new in changed:
        print(f"{algorithm} {flags} on {board}: {' '.join(old or ()) or 'none'} -> {' '.join(new)}")
    print(f"{fastest_path()}: {len(found):,} choices measured, {len(changed):,} changed")
    return 0


def _with_compilers(boards: Sequence[Board]) -> list[Board]:
    """The boards whose compilers are installed; prints why the others are skipped."""
    reasons = {board.id: missing(board) for board in boards}
    for reason in filter(None, reasons.values()):
        print(f"fastest: skipped: {reason}", file=sys.stderr)
    return [board for board in boards if reasons[board.id] is None]


def _write(table: FastestTable) -> None:
    path = fastest_path()
    draft = path.with_suffix(".new")
    draft.write_text(table.text(), encoding="utf-8")
    draft.replace(path)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
