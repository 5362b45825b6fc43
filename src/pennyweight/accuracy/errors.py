"""Compares simulated cycles with the board's figures, and summarises the errors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from pennyweight.accuracy.cases import cases, marginals
from pennyweight.accuracy.sets import SHRINKS, TOO_LARGE, TOO_SMALL, is_calibration
from pennyweight.accuracy.timing import Timed
from pennyweight.benchmarks.nist import Row
from pennyweight.benchmarks.nist_boards import NistBoard
from pennyweight.model import Case, Operation

Set = Literal["calibration", "evaluation"]
Code = Literal["assembly", "C"]
Measure = Literal["marginal", "total"]

SETS: tuple[Set, ...] = ("evaluation", "calibration")
CODES: tuple[Code, ...] = ("assembly", "C")

_MOSTLY = 0.5
"""A row counts as assembly from this share of assembly in its code on."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One figure, or one difference of two, of one row. Cycles are those of the board's core and of
    the simulation, including timer interrupts.
    """

    row: str
    set: Set
    code: Code
    measure: Measure
    what: str
    measured: float
    simulated: float
    resolution: float
    """The error that the figures' resolution alone can cause, as a fraction."""

    @property
    def error(self) -> float:
        """As a fraction of the measured value; positive: the simulated value is larger."""
        return self.simulated / self.measured - 1


@dataclass(frozen=True, slots=True)
class Summary:
    """Absolute errors of some comparisons, as fractions."""

    count: int
    median: float
    ninth_decile: float
    largest: float
    bias: float
    """Median of the signed errors."""


def code_of(timed: Timed) -> Code:
    """The language of most of a package's code."""
    return "assembly" if timed.assembly >= _MOSTLY else "C"


def compare(board: NistBoard, row: Row, timed: Timed) -> tuple[list[Comparison], str]:
    """All comparisons of a row, and why some are missing (empty if none is)."""
    which: Set = "calibration" if is_calibration(row.kind, row.variant) else "evaluation"
    spent = board.spent(row.kind, row.level, timed.cycles)
    limit = board.counter or math.inf
    countable = {
        case for case, n in row.figures.items() if n < limit and spent.get(case, 0) < limit
    }
    both = countable & timed.cycles.keys()
    found: list[Comparison] = []
    problem = ""

    def add(measure: Measure, what: str, figure: int, cycles: int, steps: int) -> None:
        nonlocal problem
        if figure < 0 or 0 <= figure <= steps * board.step:
            problem = SHRINKS if figure < 0 else TOO_SMALL
            return
        found.append(
            Comparison(
                row=row.id,
                set=which,
                code=code_of(timed),
                measure=measure,
                what=what,
                measured=float(figure * board.cycles_per_unit),
                simulated=float(cycles),
                resolution=steps * board.step / figure,
            )
        )

    for each in marginals(row.kind, both):
        figure = row.figures[each.more] - row.figures[each.less]
        add("marginal", each.name, figure, spent[each.more] - spent[each.less], 2)
    for case in cases(row.kind):
        if case in both:
            add("total", _name(case), row.figures[case], spent[case], 1)
    if not found and not problem and len(countable) < len(row.figures):
        problem = TOO_LARGE
    if not found and not problem:
        problem = timed.reason or "the board has no figures for the compared lengths"
    return found, problem


def summarise(comparisons: Iterable[Comparison]) -> Summary | None:
    """Median, ninth decile and maximum; `None` for an empty list."""
    signed = sorted(each.error for each in comparisons)
    if not signed:
        return None
    errors = sorted(abs(error) for error in signed)
    return Summary(
        count=len(errors),
        median=_quantile(errors, 0.5),
        ninth_decile=_quantile(errors, 0.9),
        largest=errors[-1],
        bias=_quantile(signed, 0.5),
    )


def _quantile(ordered: Sequence[float], share: float) -> float:
    """The smallest value that is not exceeded by this fraction of all."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def _name(case: Case) -> str:
    if case.op is Operation.HASH:
        return f"h({case.m})"
    return f"{case.op.value}({case.ad}:{case.m})"
