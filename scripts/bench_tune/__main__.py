"""Tunes bundled `fast` implementations and prints how many cycles that saves.

    make bench-tune [ARGS="--board stm32f407-24mhz,atmega328p --budget 200 --every 10"]

Of each board's implementations with `fast` in their names, for its width, every N-th is tuned for
cycles. A line has the cycles of the best of -Os, -O2 and -O3, those of the tuned build and the
saving; the last line of a board has the median saving.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from pennyweight import catalogue
from pennyweight.api.requests import TuneRequest
from pennyweight.api.tuning import prepare
from pennyweight.catalogue import Board, Catalogue
from pennyweight.model import UserError
from pennyweight.progress import Silent
from pennyweight.tuning.tune import tune

_TARGET = 5.0
"""Per cent fewer cycles, in the median."""


def main(arguments: Sequence[str]) -> int:
    """Prints the savings and whether their medians reach the target; 1 if a board is unknown."""
    parser = argparse.ArgumentParser(prog="bench-tune", description=__doc__)
    parser.add_argument(
        "--board", default="stm32f407-24mhz,atmega328p", help="boards, separated by commas"
    )
    parser.add_argument("--budget", type=int, default=200, help="builds for each implementation")
    parser.add_argument("--every", type=int, default=10, help="of the implementations, one in N")
    given = parser.parse_args(arguments)
    known = catalogue.load()
    try:
        medians = [
            _tuned(known, known.board(name), given.budget, given.every)
            for name in given.board.split(",")
        ]
    except UserError as error:
        print(f"bench-tune: {error}", file=sys.stderr)
        return 1
    for name, median in zip(given.board.split(","), medians, strict=True):
        verdict = "reached" if median >= _TARGET else "missed"
        print(f"{name}: the target of {_TARGET:g} % is {verdict}")
    return 0


def _tuned(known: Catalogue, board: Board, budget: int, every: int) -> float:
    width = 8 if board.bits == 8 else 32
    names = [
        each.id
        for each in known.implementations
        # Modes for short messages only cannot encrypt the 64 bytes that are measured.
        if each.name == f"fast{width}" and not each.longest
    ]
    savings = []
    for name in names[::every]:
        with tempfile.TemporaryDirectory() as folder:
            request = TuneRequest(name, board.id, budget=budget, into=Path(folder) / "flags")
            state = prepare(request, known)
            for _ in tune(state, None, Silent()):
                pass
        assert state.best is not None
        before, after = state.best_standard[1], state.best.score[0]
        savings.append(100 * (1 - after / before))
        print(
            f"{board.id} {name}: {before:,.0f} -> {after:,.0f} cycles, {savings[-1]:.1f} % fewer",
            flush=True,
        )
    median = statistics.median(savings)
    print(
        f"{board.id}: median {median:.1f} % fewer cycles over {len(savings)} of {len(names)} "
        f"implementations, {budget} builds each",
        flush=True,
    )
    return median


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
