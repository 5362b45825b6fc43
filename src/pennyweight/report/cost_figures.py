"""Figures of a board's algorithms: cycles against flash and RAM."""

from __future__ import annotations

from collections.abc import Callable

from pennyweight.analysis.choice import pareto_front
from pennyweight.analysis.facts import BoardFacts
from pennyweight.charts.palette import MOST_LINES
from pennyweight.charts.scatter import Dot, Scatter
from pennyweight.model import Kind
from pennyweight.report.builds import Build
from pennyweight.report.data import ReportData
from pennyweight.report.figures import Figure, footnote, line_styles_of
from pennyweight.report.numbers import count, integer

_ROWS = (
    "algorithm, implementation, flags, board, op, ad, m, cycles, cycles_per_byte, time_us, "
    "energy_uj_estimate, instructions, stack, flash, ram, buffers, job"
)
_COSTS: tuple[tuple[str, str, str, Callable[[Build], int]], ...] = (
    ("flash", "flash", "Flash (bytes)", lambda build: build.flash),
    ("ram", "RAM", "Static RAM and stack (bytes)", lambda build: build.ram_total),
)


def cost_figures(
    data: ReportData, board: BoardFacts, kind: Kind, builds: list[Build], best: list[Build]
) -> list[Figure]:
    """Speed against flash and against RAM, for every build on a Pareto front."""
    reference = data.reference(kind)
    if reference is None or not builds:
        return []
    flags = sorted({b.flags for b in builds}, key=lambda f: (f != "-Os", f))
    filled = f"Filled marks: {flags[0]}" + (
        f"; open marks: {', '.join(flags[1:])}" * (len(flags) > 1)
    )
    y_title = f"Cycles to {reference.words}"
    numbers = data.table(
        f"SELECT {_ROWS}, ram + stack AS ram_and_stack FROM rows WHERE board = ? AND kind = ? "
        "AND op = ? AND ad = ? AND m = ? AND cycles IS NOT NULL ORDER BY cycles, flash",
        board.id,
        kind.value,
        reference.op.value,
        reference.ad,
        reference.m,
    )
    all_looks = line_styles_of(data, best)
    grey = " Grey: algorithms that the curves above do not show." * (len(best) > MOST_LINES)
    found = []
    for slug, what, x_title, cost in _COSTS:
        shown = _unbeaten(builds, cost)
        dots = tuple(
            Dot(
                b.title,
                cost(b),
                b.cycles,
                all_looks[b.algorithm],
                b.flags == flags[0],
                data.mark(b.algorithm, b.implementation),
            )
            for b in shown
        )
        found.append(
            Figure(
                slug=f"{board.id}-{kind}-{slug}",
                title=f"Speed against {what}",
                caption=(
                    "Builds that no other build of the same algorithm beats in both metrics. Lower "
                    f"left is better. {filled}. The line joins the Pareto front.{grey}"
                    f"{footnote(data, shown)}"
                ),
                label=(
                    f"Scatter of {count(len(dots), 'build')} on the {board.title}: {y_title} "
                    f"from {_span([b.cycles for b in shown])}, {x_title} from "
                    f"{_span([cost(b) for b in shown])}."
                ),
                chart=Scatter(x_title, y_title, dots),
                numbers=numbers,
                shares="" if slug == _COSTS[0][0] else f"{board.id}-{kind}-{_COSTS[0][0]}",
            )
        )
    return found


def _unbeaten(builds: list[Build], cost: Callable[[Build], int]) -> list[Build]:
    """The builds that no other of their algorithm beats in cycles and another cost."""
    found = []
    for algorithm in dict.fromkeys(b.algorithm for b in builds):
        own = [b for b in builds if b.algorithm == algorithm]
        points = [{"at": i, "cycles": b.cycles, "cost": cost(b)} for i, b in enumerate(own)]
        found += [own[point["at"]] for point in pareto_front(points, ["cycles", "cost"])]
    return found


def _span(values: list[int]) -> str:
    return f"{integer(min(values))} to {integer(max(values))}"
