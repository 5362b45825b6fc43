"""The ratio of our fastest constant-time implementation to the fastest rival, and the targets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import geometric_mean

from scripts.bench_implementations.best.results import Result
from scripts.bench_implementations.best.timing import Timing

from pennyweight.model import Case

CONSTANT, TABLES = 1.00, 1.25
"""Targets: the maximum ratio to a constant-time rival, and to one that is not."""

MEANS: Mapping[str, float] = {
    "sam3x8e": 0.80,
    "stm32f407-24mhz": 0.80,
    "nrf52840": 0.75,
    "samd21": 0.70,
    "atmega328p": 0.70,
}
"""Targets by board: the maximum geometric mean of the ratios to constant-time rivals."""

Judge = Callable[[Result], Timing]


@dataclass(frozen=True, slots=True)
class Match:
    """The fastest of both sides at one call."""

    case: Case
    own: Result
    rival: Result
    timing: Timing

    @property
    def ratio(self) -> float:
        """Our cycles divided by the rival's."""
        return self.own.cycles[self.case] / self.rival.cycles[self.case]

    @property
    def target(self) -> float:
        """The maximum ratio."""
        return CONSTANT if self.timing.is_constant else TABLES

    @property
    def misses(self) -> bool:
        """Whether the ratio, as printed with two digits, exceeds its target."""
        return round(self.ratio, 2) > self.target


@dataclass(frozen=True, slots=True)
class Row:
    """One algorithm on one board, against one kind of rival."""

    algorithm: str
    board: str
    is_constant: bool
    """Whether the rivals are constant-time."""
    matches: tuple[Match, ...]

    @property
    def mean(self) -> float:
        """The geometric mean of the ratios."""
        return geometric_mean(match.ratio for match in self.matches)

    @property
    def worst(self) -> Match:
        """The match with the highest ratio."""
        return max(self.matches, key=lambda match: match.ratio)


def rows_of(
    algorithm: str, board: str, own: Sequence[Result], rivals: Sequence[Result], judge: Judge
) -> list[Row]:
    """At most two rows: against constant-time rivals, and against others that are faster.

    `judge` gives the verdicts on rivals. It is asked only about those that may be the fastest: from
    the fastest down to the first one that is constant-time.
    """
    constant: list[Match] = []
    others: list[Match] = []
    for case in sorted({case for each in own for case in each.cycles}, key=_order):
        best = _fastest(own, case)[0]
        for rank, rival in enumerate(_fastest(rivals, case)):
            timing = judge(rival)
            if rank == 0 and not timing.is_constant:
                others.append(Match(case, best, rival, timing))
            if timing.is_constant:
                constant.append(Match(case, best, rival, timing))
                break
    return [
        Row(algorithm, board, kind, tuple(matches))
        for kind, matches in ((True, constant), (False, others))
        if matches
    ]


def _fastest(results: Iterable[Result], case: Case) -> list[Result]:
    found = [each for each in results if case in each.cycles]
    return sorted(found, key=lambda each: (each.cycles[case], each.name, each.flags))


def _order(case: Case) -> tuple[bool, int]:
    return case.op == "dec", case.m


@dataclass(frozen=True, slots=True)
class Means:
    """A board's geometric means over algorithms of each row's mean."""

    board: str
    constant: float | None
    """Against constant-time rivals; `None` if there are none."""
    any_rival: float | None
    """Against the fastest rivals of any kind."""

    @property
    def target(self) -> float | None:
        """The maximum of `constant`, if the board has one."""
        return MEANS.get(self.board)

    @property
    def misses(self) -> bool:
        """Whether the mean exceeds its target."""
        if self.target is None or self.constant is None:
            return False
        return round(self.constant, 2) > self.target


def means_of(board: str, rows: Iterable[Row]) -> Means:
    """The means of one board's rows."""
    here = [row for row in rows if row.board == board]
    constant = {row.algorithm: row.mean for row in here if row.is_constant}
    fastest = constant | {row.algorithm: row.mean for row in here if not row.is_constant}
    return Means(board, _mean(constant), _mean(fastest))


def _mean(values: Mapping[str, float]) -> float | None:
    return geometric_mean(values.values()) if values else None
