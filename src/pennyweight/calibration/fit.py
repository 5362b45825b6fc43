"""Chooses the timing whose simulated counts are closest to the measured ones.

All candidates run a few code benchmarks, the best of them more, and the best of those all
benchmarks, with all values of the fields that only loads depend on. Then each field of the best is
varied alone, which shows how well the counts determine it.
"""

from __future__ import annotations

import math
import os
import statistics
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from pennyweight._simulator import Machine as SimulatedMachine
from pennyweight.build.programs import Program
from pennyweight.calibration.benchmarks import Benchmark
from pennyweight.calibration.candidates import (
    MODELS,
    Model,
    Timing,
    line_of,
    simulated_board,
)
from pennyweight.calibration.counting import Count, FailedCallError, count
from pennyweight.catalogue.boards import Board
from pennyweight.model import UserError
from pennyweight.progress import Progress

TOLERANCE = 0.01
"""A count is explained if the simulated one differs by at most this fraction, or by the spread of
the measured ones.
"""

_STAGES = ((10, 300), (30, 48))
"""Code benchmarks of each comparison, and the candidates that are kept."""

_UNSOLVED = 1 << 20
"""The largest value of a solved field, as in board files."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A candidate with its simulated counts."""

    timing: Timing
    counts: tuple[int, ...]
    error: float
    """Mean of the differences, each as a fraction of the measured count."""
    unexplained: int
    """Number of counts that differ by more than the tolerance."""

    @property
    def line(self) -> str:
        """The line of a board file."""
        return line_of(self.timing)


class Fit:
    """The search for one board and its measured counts."""

    def __init__(self, board: Board, program: Program, measured: Mapping[Benchmark, Count]) -> None:
        self.benchmarks = list(measured)
        self.measured = [measured[each] for each in self.benchmarks]
        self._board = board
        self._program = program
        self._code = [i for i, each in enumerate(self.benchmarks) if each.reads == "code"]
        self._models = [each for each in MODELS if self._is_supported(each)]

    def candidates(self, progress: Progress) -> list[Fitted]:
        """The best candidates, the closest first; of equal ones, the simplest first."""
        left: list[tuple[Model, Timing]] = [
            (model, timing) for model in self._models for timing in model.timings()
        ]
        progress.start(len(_STAGES) + 1)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for rows, kept in _STAGES:
                progress.working_on(f"{len(left)} timings in the simulator")
                left = self._best(left, self._sample(rows), kept, pool)
                progress.step()
            several = [timing for model, rest in left for timing in self._expanded(model, rest)]
            progress.working_on(f"{len(several)} timings in the simulator")
            found = list(pool.map(self.fitted, several))
            progress.step()
        return sorted((each for each in found if each is not None), key=lambda each: each.error)

    def neighbours(self, best: Fitted) -> dict[str, list[Fitted]]:
        """For each field of a candidate, the candidates that differ in it alone."""
        model = next(
            each
            for each in self._models
            if each.name == best.timing["model"]
            and {*each.code, *each.data, each.solved, each.data_solved} - {""}
            == {*best.timing} - {"model"}
        )
        found: dict[str, list[Fitted]] = {}
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for name, own in best.timing.items():
                if name == "model":
                    continue
                assert isinstance(own, int)
                values = {*model.code.get(name, ()), *model.data.get(name, ())}
                if not values or "wait_states" in name:
                    values |= {own - 1, own + 1}
                others = [{**best.timing, name: value} for value in sorted(values - {own})]
                fitted = [each for each in pool.map(self.fitted, others) if each is not None]
                found[name] = sorted(fitted, key=lambda each: each.error)
        return found

    def fitted(self, timing: Timing) -> Fitted | None:
        """A candidate on all benchmarks; `None` for impossible values."""
        everything = range(len(self.benchmarks))
        counts = self._simulated(timing, everything)
        if counts is None:
            return None
        unexplained = sum(
            not explains(simulated, measured)
            for simulated, measured in zip(counts, self.measured, strict=True)
        )
        return Fitted(timing, tuple(counts), self._error(everything, counts), unexplained)

    def _is_supported(self, model: Model) -> bool:
        """Whether the core's simulator has this model."""
        try:
            self._machine(next(model.timings()))
        except ValueError:
            return False
        return True

    def _machine(self, timing: Timing) -> SimulatedMachine:
        machine = SimulatedMachine(simulated_board(self._board, timing), self._program.elf)
        ready = machine.symbol("pw_ready")
        assert ready is not None
        machine.boot(ready, 10_000_000)
        return machine

    def _simulated(self, timing: Timing, which: Iterable[int]) -> list[int] | None:
        """Counts of benchmarks by their positions; `None` for impossible values."""
        try:
            machine = self._machine(timing)
            return [count(machine, self.benchmarks[i]).cycles for i in which]
        except (ValueError, FailedCallError):
            return None

    def _error(self, which: Iterable[int], counts: Sequence[int]) -> float:
        return statistics.fmean(
            abs(simulated - self.measured[i].cycles) / max(1, self.measured[i].cycles)
            for i, simulated in zip(which, counts, strict=True)
        )

    def _sample(self, rows: int) -> list[int]:
        """About as many positions of code benchmarks: evenly spread, and those of the longest code,
        which alone show a large cache.
        """
        longest = sorted(self._code, key=lambda i: -self.benchmarks[i].length)[:4]
        return sorted({*self._code[:: max(1, len(self._code) // rows)], *longest})

    def _best(
        self,
        candidates: Sequence[tuple[Model, Timing]],
        sample: Sequence[int],
        kept: int,
        pool: ThreadPoolExecutor,
    ) -> list[tuple[Model, Timing]]:
        """The candidates closest to a sample of counts, in their order; none is cut from equals."""

        def far(each: tuple[Model, Timing]) -> tuple[float, Timing]:
            model, timing = each
            if model.solved:
                solved = self._with_solved(model, timing, sample)
                if solved is None:
                    return math.inf, timing
                timing = solved
            counts = self._simulated(timing, sample)
            return (math.inf if counts is None else self._error(sample, counts)), timing

        found = list(pool.map(far, candidates))
        limit = sorted(error for error, _ in found)[min(kept, len(found)) - 1]
        return [
            (model, timing)
            for (model, _), (error, timing) in zip(candidates, found, strict=True)
            if error <= limit and error < math.inf
        ]

    def _with_solved(self, model: Model, timing: Timing, sample: Sequence[int]) -> Timing | None:
        """A timing with the value of its solved field that is closest to a sample of counts; `None`
        if that is 0, as in memory without wait states.
        """
        without = self._simulated({**timing, model.solved: 0}, sample)
        with_one = self._simulated({**timing, model.solved: 1}, sample)
        if without is None or with_one is None:
            return None
        value = self._solved(sample, without, with_one)
        return None if value is None else {**timing, model.solved: value}

    def _solved(
        self, which: Sequence[int], without: Sequence[int], with_one: Sequence[int]
    ) -> int | None:
        """The value of a field of which each unit adds `with_one - without` cycles."""
        ratios = [
            (self.measured[i].cycles - zero) / (one - zero)
            for i, zero, one in zip(which, without, with_one, strict=True)
            if one > zero
        ]
        value = round(statistics.median(ratios)) if ratios else 0
        return value if 0 < value <= _UNSOLVED else None

    def _expanded(self, model: Model, timing: Timing) -> list[Timing]:
        """A timing for code with the fields for data."""
        if not model.data_solved:
            return list(model.with_data(timing))
        flash = [i for i, each in enumerate(self.benchmarks) if each.reads == "flash"]
        without = self._simulated({**timing, model.data_solved: 0}, flash)
        with_one = self._simulated({**timing, model.data_solved: 1}, flash)
        if without is None or with_one is None:
            return []
        return [{**timing, model.data_solved: self._solved(flash, without, with_one) or 0}]


def explains(simulated: int, measured: Count) -> bool:
    """Whether a simulated count is as close to a measured one as it can be expected."""
    allowed = max(measured.spread, TOLERANCE * measured.cycles)
    return abs(simulated - measured.cycles) <= allowed


def fit(
    board: Board, program: Program, measured: Mapping[Benchmark, Count], progress: Progress
) -> tuple[Fit, list[Fitted]]:
    """The search and its candidates. Raises `UserError` if nothing was measured."""
    if not any(each.reads == "code" for each in measured):
        raise UserError(
            f"{board.id}: no micro-benchmark of code returned; nothing can be concluded"
        )
    search = Fit(board, program, measured)
    return search, search.candidates(progress)
