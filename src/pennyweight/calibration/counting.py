"""Counts the cycles of benchmarks on a machine, simulated or real."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from pennyweight.build.programs import Program
from pennyweight.calibration.benchmarks import FLUSH, Benchmark
from pennyweight.catalogue.boards import Board
from pennyweight.model import UserError
from pennyweight.progress import Progress
from pennyweight.target.interface import Argument, Loader, Machine, RefusedImageError

_BUDGET = 200_000_000
"""Cycles for one call; the longest, on an FE310 with a slow flash, take 50 million."""

_BOOT_BUDGET = 10_000_000


class FailedCallError(Exception):
    """A benchmark did not return; the message is the reason."""


@dataclass(frozen=True, slots=True)
class Count:
    """Cycles of a benchmark's added rounds: the median of several calls."""

    cycles: int
    spread: int = 0
    """Between the smallest and the largest."""


def booted(board: Board, program: Program, load: Loader) -> Machine:
    """The program on a machine, after its start-up code. Raises `UserError`."""
    try:
        machine = load(board, program)
    except RefusedImageError as error:
        raise UserError(f"the micro-benchmarks do not fit {board.id}: {error}") from None
    ready = machine.symbol("pw_ready")
    assert ready is not None
    outcome = machine.boot(ready, _BOOT_BUDGET)
    if outcome.exit != "returned":
        raise UserError(
            f"{board.id}: the start-up code of the micro-benchmarks does not end: {outcome.exit} "
            f"{outcome.message}; check the board file's memories"
        )
    return machine


def count(machine: Machine, benchmark: Benchmark, repeats: int = 1) -> Count:
    """The cycles of the added rounds. Raises `FailedCallError`."""
    found = []
    for _ in range(repeats):
        short, long = (
            _flushed(machine, benchmark, rounds)
            for rounds in (benchmark.first, benchmark.first + benchmark.rounds)
        )
        found.append(long - short)
    return Count(round(statistics.median(found)), max(found) - min(found))


def count_all(
    machine: Machine, benchmarks: list[Benchmark], repeats: int, progress: Progress
) -> tuple[dict[Benchmark, Count], list[str]]:
    """The counts of benchmarks on a part, and a reason for each that failed."""
    found: dict[Benchmark, Count] = {}
    reasons = []
    progress.start(len(benchmarks))
    for each in benchmarks:
        progress.working_on(each.name)
        try:
            found[each] = count(machine, each, repeats)
        except FailedCallError as error:
            reasons.append(f"{each.name}: {error}")
        progress.step()
    return found, reasons


def _flushed(machine: Machine, benchmark: Benchmark, rounds: int) -> int:
    _call(machine, FLUSH, [])
    arguments: list[Argument] = [("size", each) for each in (rounds, *benchmark.arguments)]
    return _call(machine, benchmark.function, arguments)


def _call(machine: Machine, name: str, arguments: list[Argument]) -> int:
    function, limit = machine.symbol(name), machine.symbol("pw_static_end")
    assert function is not None and limit is not None
    outcome = machine.call(function, arguments, _BUDGET, limit)
    if outcome.exit != "returned":
        raise FailedCallError(f"{outcome.exit} {outcome.message}".strip())
    return outcome.cycles
