"""Checks implementations that claim to be constant-time, on a board of each kind of core.

    make constant-time-all [ARGS="--board esp8266,pic32mx340 --flags=-O3 'sha-*' poly1305/fast32"]

Tracks key and message through every bundled implementation whose manifest has `constant_time =
true`, in each of its one-shot operations, and prints where they affect timing. The default boards
are, for each kind of core, the one with the most RAM and an installed compiler. The exit status is
1 if an unexpected place is reported or an operation fails; an implementation that does not fit into
a board's memory is not a failure. `allowed_leaks.py` lists the expected places.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from fnmatch import fnmatchcase

from scripts.constant_time.tracing import trace

from pennyweight import catalogue
from pennyweight.api.measuring import cases_for, choose_boards
from pennyweight.catalogue import Board, Implementation
from pennyweight.catalogue.offers import boards_offering, has_own_code
from pennyweight.job import Job
from pennyweight.lengths import parse_pairs
from pennyweight.model import UserError
from pennyweight.pool import available_cores
from pennyweight.toolchains import missing


def boards_of_each_core(boards: Iterable[Board]) -> list[Board]:
    """For each kind of core the board with the most RAM, if its compiler is installed."""
    chosen: dict[str, Board] = {}
    for board in sorted(boards, key=lambda each: (-each.ram.size, each.id)):
        if board.core not in chosen and not missing(board):
            chosen[board.core] = board
    return sorted(chosen.values(), key=lambda each: each.id)


def calls(
    implementations: Sequence[Implementation],
    boards: Sequence[Board],
    flags: Sequence[str],
    length: tuple[int, int],
    names: Sequence[str] = (),
) -> list[Job]:
    """Operations of one build are adjacent, so that it is built once. `names` are implementations
    to check on all boards, as for `has_own_code`.
    """
    return [
        Job(implementation, board, level, [case])
        for implementation in implementations
        for board in boards
        if has_own_code(implementation, board, names)
        for level in flags
        for case in cases_for(implementation, [shortened(implementation, length)])
    ]


def shortened(implementation: Implementation, length: tuple[int, int]) -> tuple[int, int]:
    """The lengths, or the longest that a mode for short messages accepts."""
    longest = implementation.longest
    return (0, min(length[1], longest)) if longest else length


def main(arguments: Sequence[str]) -> int:
    """Prints what is found; 1 if there is anything, 2 if there is nothing to check."""
    parser = argparse.ArgumentParser(prog="constant-time-all", description=__doc__)
    parser.add_argument("patterns", nargs="*", default=["*"], help="of algorithm/implementation")
    parser.add_argument("--board", help="boards, with commas between")
    parser.add_argument("--flags", action="append", help="compiler flags; may be given again")
    parser.add_argument("--length", default="16:64", help="bytes of associated data and message")
    parser.add_argument("--jobs", type=int, default=available_cores())
    given = parser.parse_args(arguments)
    known = catalogue.load()
    chosen = [
        each
        for each in known.implementations
        if each.manifest.constant_time and _named(each, given.patterns)
    ]
    if not chosen:
        print(
            f"constant-time-all: no implementation that claims to be constant-time matches "
            f"{' '.join(given.patterns)}: see `pennyweight implementations`",
            file=sys.stderr,
        )
        return 2
    try:
        [length] = parse_pairs(given.length, "--length")
        boards = (
            choose_boards(known, given.board.split(","))
            if given.board
            else boards_of_each_core(known.boards.values())
        )
        boards = boards_offering(chosen, boards, given.patterns)
    except (UserError, ValueError) as error:
        print(f"constant-time-all: {error}", file=sys.stderr)
        return 2
    todo = calls(chosen, boards, given.flags or ["-O2"], length, given.patterns)
    shows = fits = 0
    with ProcessPoolExecutor(given.jobs) as pool:
        for answer in pool.map(trace, todo, chunksize=2):
            fits += answer.fits
            shows += bool(answer.lines)
            if answer.lines:
                print("\n  ".join(answer.lines), flush=True)
    print(
        f"{len(todo)} operations of {len(chosen)} implementations on "
        f"{', '.join(each.id for each in boards)}: {shows} depend on secrets or failed, "
        f"{len(todo) - fits} do not fit."
    )
    return 1 if shows else 0


def _named(each: Implementation, patterns: Sequence[str]) -> bool:
    return any(
        fnmatchcase(name, pattern) for name in (each.id, each.algorithm) for pattern in patterns
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
