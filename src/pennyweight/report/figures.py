"""The figures of a report: what each shows, in words, and the numbers behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import pyarrow as pa

from pennyweight.analysis.choice import pareto_front
from pennyweight.analysis.facts import BoardFacts
from pennyweight.model import Kind, Operation
from pennyweight.report.builds import Build
from pennyweight.report.charts.curves import Curves, Line
from pennyweight.report.charts.frame import Spec
from pennyweight.report.charts.scatter import Dot, Scatter
from pennyweight.report.data import ReportData
from pennyweight.report.numbers import count, integer, listed, rounded
from pennyweight.report.palette import Look, looks_in_order

_ROWS = (
    "algorithm, implementation, flags, board, op, ad, m, cycles, cycles_per_byte, time_us, "
    "energy_uj_estimate, instructions, stack, flash, ram, buffers, job"
)
MOST_CURVES = 8
"""Algorithms in one figure of curves: as many as can be told apart."""

_COSTS: tuple[tuple[str, str, str, Callable[[Build], int]], ...] = (
    ("flash", "flash", "Flash (bytes)", lambda build: build.flash),
    ("ram", "RAM", "Static RAM and stack (bytes)", lambda build: build.ram_total),
)
_VERBS = {Operation.ENC: "encrypt", Operation.HASH: "hash"}


class Chart(Protocol):
    """A chart in its two shapes."""

    def wide(self) -> Spec:
        """For a screen."""

    def narrow(self) -> Spec:
        """For a phone."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: its files are named `slug`; `label` says what it shows to who cannot see it."""

    slug: str
    title: str
    caption: str
    label: str
    chart: Chart = field(repr=False)
    numbers: pa.Table = field(repr=False)


def curve_figures(
    data: ReportData, board: BoardFacts, kind: Kind, best: list[Build]
) -> list[Figure]:
    """Cycles, and cycles per byte, against message length: the best build of each algorithm."""
    reference = data.reference(kind)
    if reference is None or not best:
        return []
    drawn, left_out = best[:MOST_CURVES], best[MOST_CURVES:]
    names = {b.title: (b.algorithm, b.implementation, b.flags) for b in drawn}
    looks = {b.title: data.looks[b.algorithm] for b in drawn}
    curves = _Curves(data, board, kind, reference.op, names, looks)
    verb = _VERBS.get(reference.op, "authenticate")
    with_ad = f", with {reference.ad} bytes of associated data" if kind is Kind.AEAD else ""
    chosen = f"The build of each algorithm that is fastest at {reference.m} bytes"
    rest = f" Slower and not drawn: {listed([b.title for b in left_out])}." if left_out else ""
    found = [
        curves.figure(
            f"{board.id}-{kind}-cycles",
            "cycles",
            f"Cycles to {verb}",
            f"Cycles to {verb} a message{with_ad}",
            f"{chosen}. Steps are blocks: a message pays for the block that it has begun.{rest}",
        ),
        curves.figure(
            f"{board.id}-{kind}-per-byte",
            "cycles_per_byte",
            "Cycles per byte",
            "Cycles for each byte",
            "The same builds. Message and associated data count as bytes; short messages pay for "
            "the set-up. The vertical scale is logarithmic.",
            logarithmic=True,
        ),
    ]
    return [figure for figure in found if figure is not None]


def builds_figure(
    data: ReportData, board: BoardFacts, algorithm: str, builds: list[Build]
) -> Figure | None:
    """Cycles against message length: every build of one algorithm."""
    kind = Kind(data.algorithms[algorithm].kind)
    reference = data.reference(kind)
    if reference is None:
        return None
    own = [b for b in builds if b.algorithm == algorithm]
    names = {b.name: (algorithm, b.implementation, b.flags) for b in own}
    looks = looks_in_order(names)
    verb = _VERBS.get(reference.op, "authenticate")
    with_ad = f", with {reference.ad} bytes of associated data" if kind is Kind.AEAD else ""
    return _Curves(data, board, kind, reference.op, names, looks).figure(
        f"{board.id}-{algorithm}-builds",
        "cycles",
        f"Cycles to {verb}",
        f"{data.title_of(algorithm)} on the {board.title}",
        f"Cycles to {verb} a message{with_ad}: every implementation, built with each set of flags.",
    )


def cost_figures(
    data: ReportData, board: BoardFacts, kind: Kind, builds: list[Build]
) -> list[Figure]:
    """Speed against flash and against RAM: every build worth a look."""
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
    found = []
    for slug, what, x_title, cost in _COSTS:
        shown = _unbeaten(builds, cost)
        dots = tuple(
            Dot(b.title, cost(b), b.cycles, data.looks[b.algorithm], b.flags == flags[0])
            for b in shown
        )
        found.append(
            Figure(
                slug=f"{board.id}-{kind}-{slug}",
                title=f"Speed against {what}",
                caption=(
                    "Every build that none of the same algorithm beats in both; lower left is "
                    f"better. {filled}. The grey line joins those that no other beats at all."
                ),
                label=(
                    f"Scatter of {count(len(dots), 'build')} on the {board.title}: {y_title} "
                    f"from {_span([b.cycles for b in shown])}, {x_title} from "
                    f"{_span([cost(b) for b in shown])}."
                ),
                chart=Scatter(x_title, y_title, dots),
                numbers=numbers,
            )
        )
    return found


def _unbeaten(builds: list[Build], cost: Callable[[Build], int]) -> list[Build]:
    """The builds that no other of their algorithm beats in cycles and in another cost."""
    found = []
    for algorithm in dict.fromkeys(b.algorithm for b in builds):
        own = [b for b in builds if b.algorithm == algorithm]
        points = [{"at": i, "cycles": b.cycles, "cost": cost(b)} for i, b in enumerate(own)]
        found += [own[point["at"]] for point in pareto_front(points, ["cycles", "cost"])]
    return found


def _span(values: list[int]) -> str:
    return f"{integer(min(values))} to {integer(max(values))}"


@dataclass(frozen=True, slots=True)
class _Curves:
    """Curves of one operation on one board; `names` are the lines' names and their builds."""

    data: ReportData
    board: BoardFacts
    kind: Kind
    op: Operation
    names: dict[str, tuple[str, str, str]]
    looks: dict[str, Look]

    def figure(
        self,
        slug: str,
        column: str,
        axis: str,
        title: str,
        caption: str,
        logarithmic: bool = False,
    ) -> Figure | None:
        """The figure of one column, or None if no build has two lengths."""
        numbers = self._rows()
        points: dict[tuple[str, str, str], list[tuple[int, float]]] = {}
        for row in numbers.to_pylist():
            if row[column] is not None:
                key = (row["algorithm"], row["implementation"], row["flags"])
                points.setdefault(key, []).append((row["m"], row[column]))
        lines = tuple(
            Line(name, tuple(points[build]), self.looks[name])
            for name, build in self.names.items()
            if len(points.get(build, ())) > 1
        )
        if not lines:
            return None
        return Figure(
            slug=slug,
            title=title,
            caption=caption,
            label=f"Line chart for the {self.board.title}. {axis} {_ends(lines)}",
            chart=Curves(axis, lines, logarithmic),
            numbers=numbers,
        )

    def _rows(self) -> pa.Table:
        builds = [f"{a}\n{i}\n{f}" for a, i, f in self.names.values()]
        return self.data.table(
            f"SELECT {_ROWS} FROM rows WHERE board = ? AND op = ? AND ad = ? "
            "AND list_contains(?, concat_ws(chr(10), algorithm, implementation, flags)) "
            "AND cycles IS NOT NULL ORDER BY algorithm, implementation, flags, m",
            self.board.id,
            self.op.value,
            self.data.curve_ad(self.kind),
            builds,
        )


def _ends(lines: tuple[Line, ...]) -> str:
    """Where the lines end, in words."""
    ordered = sorted(lines, key=lambda line: line.points[-1][1])
    longest = ordered[0].points[-1][0]
    ends = ", ".join(f"{line.name} {rounded(line.points[-1][1])}" for line in ordered)
    return f"at {longest:,} bytes: {ends}."
