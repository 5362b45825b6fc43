"""The smallest constant-time implementations of both sides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scripts.bench_implementations.best.results import Result
from scripts.bench_implementations.best.rows import Judge
from scripts.bench_implementations.best.timing import Timing

SMALLEST = 0.95
"""Target: the maximum ratio of our size to the smallest rival's."""


@dataclass(frozen=True, slots=True)
class Size:
    """The smallest of both sides for one algorithm on one board."""

    own: Result
    rival: Result
    timing: Timing

    @property
    def ratio(self) -> float:
        """Our bytes of flash, RAM and stack divided by the rival's."""
        return self.own.size / self.rival.size

    @property
    def misses(self) -> bool:
        """Whether the ratio, as printed with two digits, exceeds the target."""
        return round(self.ratio, 2) > SMALLEST


def sizes_of(own: Iterable[Result], rivals: Iterable[Result], judge: Judge) -> list[Size]:
    """Against the smallest rival, and against the smallest constant-time one if that differs."""
    best = min(own, key=_size, default=None)
    found: list[Size] = []
    for rival in sorted(rivals, key=_size) if best else ():
        timing = judge(rival)
        if best and (timing.is_constant or not found):
            found.append(Size(best, rival, timing))
        if timing.is_constant:
            break
    return found


def _size(result: Result) -> tuple[int, str]:
    return result.size, result.name
