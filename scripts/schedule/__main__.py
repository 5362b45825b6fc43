"""Reorders straight-line assembly so that it takes fewer cycles on simulated boards.

    make schedule ARGS="kernel.S --board fe310-g002,rp2350-hazard3 --call 'permute(state:48)'"

Consecutive lines of instructions change places, in macros too; a macro has one order for all its
expansions. The order in which instructions depend on each other stays, and the result is checked:
its instructions compute the same from the same, and the calls with random buffers have the same
results. The result is written to NAME.scheduled.S, next to the source.

The search minimises the cycles of all calls on all boards, each relative to the cycles before; no
call may become slower on any board. Ctrl-C ends it with the best order so far.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from scripts.schedule.job import Scheduled, schedule
from scripts.schedule.program import Call, Setting
from scripts.schedule.search import Budget

from pennyweight import catalogue
from pennyweight.api.measuring import choose_boards
from pennyweight.build.failure import BuildError
from pennyweight.catalogue.boards import Board
from pennyweight.measure.function_call import FunctionCall, parse_call
from pennyweight.model import UserError
from pennyweight.target import RefusedImageError
from pennyweight.toolchains import MissingToolchainError

_HEADER = "Scheduled by"


def main(arguments: Sequence[str]) -> int:
    """Writes the result and prints the gains; 2 for a mistake in the arguments or the file."""
    # Other sources may follow options.
    given = _parser().parse_intermixed_args(arguments)
    try:
        _run(given, arguments)
    except (UserError, MissingToolchainError) as error:
        print(f"schedule: {error}", file=sys.stderr)
        return 2
    except (BuildError, RefusedImageError) as error:
        print(f"schedule: {given.file}: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="schedule",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path, help="the assembly file (.S)")
    parser.add_argument("others", type=Path, nargs="*", help="other sources that the calls need")
    parser.add_argument(
        "--board", required=True, help="boards, separated by commas; NAME=2 counts twice"
    )
    parser.add_argument(
        "--call",
        action="append",
        required=True,
        help="a function with arguments, NAME:BYTES or numbers, as for `pennyweight time`; "
        "'SETUP(...); CALL(...)' calls SETUP before, uncounted; repeatable",
    )
    parser.add_argument("--include", type=Path, action="append", default=[], help="header folder")
    parser.add_argument(
        "--flags", action="append", help="compiler flags; repeat to consider several (-O2)"
    )
    parser.add_argument("--lines", help="only regions in these lines, FIRST-LAST")
    parser.add_argument("--least", type=int, default=4, help="lines of the smallest region (4)")
    parser.add_argument(
        "--expand",
        action="store_true",
        help="replace calls of the file's macros by their instructions, so that these can mix",
    )
    parser.add_argument(
        "--rename",
        action="store_true",
        help="first give values inside the regions other registers, so that more lines can move",
    )
    parser.add_argument("--seed", type=int, default=1, help="of the random changes (1)")
    parser.add_argument("--evaluations", type=int, default=3000, help="the most to make (3000)")
    parser.add_argument("--seconds", type=float, help="the most to search for")
    parser.add_argument("--in-place", action="store_true", help="change the file itself")
    parser.add_argument("--output", type=Path, help="the result's file")
    return parser


def _run(given: argparse.Namespace, arguments: Sequence[str]) -> None:
    path: Path = given.file
    if not path.is_file() or path.suffix not in {".S", ".s"}:
        raise UserError(f"{path}: there is no such assembly file; give a path that ends in .S")
    if given.in_place and given.output:
        raise UserError("--output: cannot be combined with --in-place; leave one of them out")
    calls = [_call(each) for each in given.call]
    settings = [
        Setting(path, given.others, given.include, board, flags, calls, weight)
        for board, weight in _boards(given.board)
        for flags in given.flags or ["-O2"]
    ]
    if len({each.family for each in settings}) > 1:
        raise UserError(
            "--board: the boards have different instruction sets; name boards of one of them"
        )
    budget = Budget(given.evaluations, given.seconds)
    result = schedule(
        path,
        settings,
        given.seed,
        budget,
        _lines(given.lines),
        given.least,
        given.expand,
        given.rename,
        lambda text: print(f"schedule: {text}", file=sys.stderr, flush=True),
    )
    _print(result)
    if result.best:
        listed = ", ".join(f"{first}-{last}" for first, last in result.best)
        print(f"no better order was found for lines {listed}")
    if not result.changed:
        print(f"{path}: no better order was found; nothing is written")
        return
    output = path if given.in_place else given.output or path.with_suffix(".scheduled.S")
    text = result.text if given.in_place else _header(result, arguments) + result.text
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(
            f"{output}: cannot be written ({error.strerror}); name another file with --output"
        ) from None
    print(f"{output}: written after {result.evaluations:,} evaluations")


def _call(text: str) -> Call:
    parts = [part for part in text.split(";") if part.strip()]
    if not 1 <= len(parts) <= 2:
        raise UserError(f"--call: '{text}' is not a call; write 'F(ARG, ...)' or 'SETUP(); F()'")
    found: list[FunctionCall] = [parse_call(part, "--call") for part in parts]
    call = Call(found[-1], found[0] if len(found) == 2 else None, parts[-1].strip())
    call.requests()  # Raises `UserError`.
    return call


def _boards(text: str) -> list[tuple[Board, int]]:
    """Each board with its weight; a board that is named twice has the sum."""
    loaded = catalogue.load()
    names, weights = [], Counter[str]()
    for each in text.split(","):
        name, _, weight = each.strip().partition("=")
        if weight and not re.fullmatch(r"[1-9]\d{0,3}", weight):
            raise UserError(f"--board: the weight in '{each}' is not a number from 1 to 9999")
        names.append(name)
        weights[loaded.board(name).id] += int(weight or 1)
    return [(board, weights[board.id]) for board in choose_boards(loaded, names)]


def _lines(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    found = re.fullmatch(r"(\d+)-(\d+)", text)
    if found is None:
        raise UserError(f"--lines: '{text}' is not a range; write FIRST-LAST, such as 40-95")
    return int(found[1]), int(found[2])


def _print(result: Scheduled) -> None:
    headings = ("lines", "instructions", "call", "board", "before", "after", "gain")
    rows = [
        (
            gain.lines,
            str(gain.instructions),
            gain.call,
            gain.board if gain.flags == "-O2" else f"{gain.board} {gain.flags}",
            f"{gain.before:,}",
            f"{gain.after:,}",
            f"{gain.percent:.1f} %" if gain.after != gain.before else "none",
        )
        for gain in result.gains
    ]
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    for row in (headings, *rows):
        cells = [
            cell.ljust(width) if index in {0, 2, 3} else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join(cells).rstrip())


def _header(result: Scheduled, arguments: Sequence[str]) -> str:
    """The comment before the source: how the order was found, and what it gains."""
    command = " ".join(["make schedule", f'ARGS="{shlex.join(arguments)}"'])
    total = [gain for gain in result.gains if gain.lines == result.gains[-1].lines]
    lines = [f" * {_HEADER} {command}", " *"]
    lines += [
        f" * {gain.call} on {gain.board} with {gain.flags}: {gain.before} cycles before, "
        f"{gain.after} now"
        for gain in dict.fromkeys(total)
    ]
    return "\n".join(["/*", *lines, " */"]) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
