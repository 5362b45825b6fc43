"""Runs the micro-benchmarks on a part and concludes its memory timing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pennyweight.calibration.benchmarks import (
    Benchmark,
    benchmarks_of,
    build_benchmarks,
    region_bytes,
)
from pennyweight.calibration.candidates import timing_of
from pennyweight.calibration.counting import Count, booted, count_all
from pennyweight.calibration.fit import Fitted, explains, fit
from pennyweight.catalogue.boards import Board
from pennyweight.progress import Progress
from pennyweight.target.interface import Loader

Confidence = Literal["high", "medium", "low", "not determined"]

_LARGEST_ERROR = 0.05
_MOST_UNEXPLAINED = 0.25
"""Above one of these, no candidate describes the part."""

_FEW_UNEXPLAINED = 0.05


@dataclass(frozen=True, slots=True)
class CalibrationResult:
    """The timing that explains the counts best, and how sure that is."""

    board: Board
    device: str
    """The part in words."""
    benchmarks: list[Benchmark]
    measured: list[Count]
    best: Fitted
    equal: list[Fitted]
    """Candidates with the same counts as the best: these benchmarks cannot separate them."""
    second: Fitted | None
    """The closest candidate with other counts."""
    current: Fitted | None
    """The timing in the board file."""
    fields: dict[str, list[Fitted]] = field(default_factory=dict)
    """For each field of the best, the candidates that differ in it alone, the closest first."""
    failed: list[str] = field(default_factory=list)
    """Benchmarks that did not return, and why."""
    largest_cache: int = 0
    """Bytes of the largest code: a cache that holds more hides all wait states."""

    @property
    def confidence(self) -> Confidence:
        """High if all counts are explained and the second candidate is four times further away."""
        rows = len(self.measured)
        best, second = self.best, self.second
        if best.error > _LARGEST_ERROR or best.unexplained > _MOST_UNEXPLAINED * rows:
            return "not determined"
        if len(self.failed) > _MOST_UNEXPLAINED * rows:
            return "not determined"
        if best.unexplained == 0 and (second is None or second.error > 4 * best.error):
            return "high"
        few = best.unexplained <= _FEW_UNEXPLAINED * rows
        if few and (second is None or second.error > 1.5 * best.error):
            return "medium"
        return "low"

    @property
    def unexplained(self) -> list[tuple[Benchmark, Count, int]]:
        """Benchmarks that the best candidate does not explain, with its simulated cycles; the
        largest difference first.
        """
        rows = [
            (benchmark, measured, simulated)
            for benchmark, measured, simulated in zip(
                self.benchmarks, self.measured, self.best.counts, strict=True
            )
            if not explains(simulated, measured)
        ]
        return sorted(rows, key=lambda row: -abs(row[2] / max(1, row[1].cycles) - 1))


def calibrate(
    board: Board, load: Loader, device: str, repeats: int, progress: Progress
) -> CalibrationResult:
    """Measures on the part that `load` loads a program on.

    Raises `UserError`, the errors of the part's connection, and `MissingToolchainError`.
    """
    program = build_benchmarks(board)
    machine = booted(board, program, load)
    benchmarks = benchmarks_of(board, machine)
    measured, failed = count_all(machine, benchmarks, repeats, progress)
    search, candidates = fit(board, program, measured, progress)
    best = candidates[0]
    return CalibrationResult(
        board,
        device,
        search.benchmarks,
        search.measured,
        best,
        [each for each in candidates[1:] if each.counts == best.counts],
        next((each for each in candidates if each.counts != best.counts), None),
        search.fitted(timing_of(board)),
        search.neighbours(best),
        failed,
        region_bytes(board),
    )
