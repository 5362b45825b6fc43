"""The figures of a report: what each shows, in words, and the numbers behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import pyarrow as pa

from pennyweight.analysis.choice import pareto_front
from pennyweight.analysis.facts import BoardFacts
from pennyweight.charts.curves import Curves, Line
from pennyweight.charts.palette import MOST_LINES, OTHERS, LineStyle, line_styles
from pennyweight.charts.panels import Panel, Panels, Points
from pennyweight.charts.render import Shape, to_pdf, to_png, to_svg
from pennyweight.charts.scatter import Dot, Scatter
from pennyweight.model import Kind, Operation
from pennyweight.report.builds import Build
from pennyweight.report.data import NOT_CONSTANT_TIME, ReportData
from pennyweight.report.numbers import count, integer, listed, rounded
from pennyweight.report.writing import csv_name

Key = tuple[str, str, str]
"""What tells one curve from others: a build's algorithm, implementation and flags, say."""

_ROWS = (
    "algorithm, implementation, flags, board, op, ad, m, cycles, cycles_per_byte, time_us, "
    "energy_uj_estimate, instructions, stack, flash, ram, buffers, job"
)
_CURVE_ROWS = "algorithm, implementation, flags, board, op, ad, m, cycles, job"
_RATE_ROWS = _CURVE_ROWS.replace("cycles,", "cycles, cycles_per_byte::FLOAT AS cycles_per_byte,")
_COSTS: tuple[tuple[str, str, str, Callable[[Build], int]], ...] = (
    ("flash", "flash", "Flash (bytes)", lambda build: build.flash),
    ("ram", "RAM", "Static RAM and stack (bytes)", lambda build: build.ram_total),
)
_VERBS = {Operation.ENC: "encrypt", Operation.HASH: "hash"}


class Chart(Protocol):
    """A chart in its two shapes."""

    def wide(self) -> Shape:
        """For a screen."""

    def narrow(self) -> Shape:
        """For a phone."""

    def size(self, narrow: bool = False) -> tuple[int, int]:
        """Width and height in CSS pixels."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: its files are named `slug`; `label` says what it shows to who cannot see it."""

    slug: str
    title: str
    caption: str
    label: str
    chart: Chart = field(repr=False)
    numbers: pa.Table = field(repr=False)
    shares: str = ""
    """The slug of the figure whose numbers are the same, where they are kept once."""

    @property
    def csv(self) -> str:
        """The name of the file with its numbers."""
        return csv_name(self.shares or self.slug, self.numbers.num_rows)

    def svg(self, narrow: bool = False) -> str:
        """The figure as SVG, for a screen or for a phone; it follows the colour scheme."""
        return to_svg(self.chart.narrow() if narrow else self.chart.wide(), self.label)

    def png(self) -> bytes:
        """The figure as PNG on white, at two pixels a CSS pixel."""
        return to_png(self.chart.wide())

    def pdf(self) -> bytes:
        """The figure as PDF on white, with letters and lines as such."""
        return to_pdf(self.chart.wide())

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.svg()


def drawn_of(data: ReportData, best: list[Build]) -> list[Build]:
    """Of the best builds of algorithms those that figures tell apart: baselines, then the fastest.

    As many as there are looks, the fastest first.
    """
    first = [b for b in best if b.algorithm in data.baselines][:MOST_LINES]
    others = [b for b in best if b.algorithm not in data.baselines]
    chosen = first + others[: MOST_LINES - len(first)]
    return [b for b in best if b in chosen]


def line_styles_of(data: ReportData, best: list[Build]) -> dict[str, LineStyle]:
    """How the algorithms of one kind are drawn in all figures of a board."""
    names = {b.algorithm: b.title for b in best}
    heavy = [name for name in data.baselines if name in names]
    found = line_styles([b.algorithm for b in drawn_of(data, best)], heavy)
    return {name: found.get(name, OTHERS) for name in names}


def _named(data: ReportData, build: Build) -> str:
    """An algorithm in a figure, with a dagger where the build that is drawn has one."""
    return build.title + data.mark(build.algorithm, build.implementation)


def _footnote(data: ReportData, builds: list[Build]) -> str:
    marked = any(data.mark(b.algorithm, b.implementation) for b in builds)
    return f" {NOT_CONSTANT_TIME}" if marked else ""


def curve_figures(
    data: ReportData, board: BoardFacts, kind: Kind, best: list[Build]
) -> list[Figure]:
    """Cycles, and cycles per byte, against message length: the best build of each algorithm.

    With more algorithms than can be told apart in one figure, a third shows each by itself.
    """
    reference = data.reference(kind)
    if reference is None or not best:
        return []
    drawn = drawn_of(data, best)
    found_looks = line_styles_of(data, best)
    names = {_named(data, b): (b.algorithm, b.implementation, b.flags) for b in drawn}
    own_looks = {_named(data, b): found_looks[b.algorithm] for b in drawn}
    curves = _Curves(data, board, kind, reference.op, names, own_looks, _keys(best))
    verb = _VERBS.get(reference.op, "authenticate")
    with_ad = reference.beside and f",{reference.beside}"
    chosen = f"The build of each algorithm that is fastest at {_bytes(reference.m)}"
    heavy = [b.title for b in drawn if b.algorithm in data.baselines]
    if len(drawn) < len(best):
        fastest = len(drawn) - len(heavy)
        chosen = (
            f"The {count(fastest, 'algorithm')} of {len(best)} that are fastest at "
            f"{_bytes(reference.m)}, and heavy what all are compared with, "
            f"{listed(heavy)}; each algorithm by itself stands below"
        )
    elif heavy and len(heavy) < len(drawn):
        chosen += f"; heavy: what others are compared with, {listed(heavy)}"
    found = [
        curves.figure(
            f"{board.id}-{kind}-cycles",
            "cycles",
            f"Cycles to {verb}",
            f"Cycles to {verb} a message{with_ad}",
            f"{chosen}. Steps are blocks: a message pays for the block that it has begun."
            f"{_footnote(data, drawn)}",
        ),
        curves.figure(
            f"{board.id}-{kind}-per-byte",
            "cycles_per_byte",
            "Cycles per byte",
            "Cycles for each byte",
            "The same builds. Message and associated data count as bytes; short messages pay for "
            "the set-up. The vertical scale is logarithmic.",
            logarithmic=True,
            shares=f"{board.id}-{kind}-cycles",
        ),
    ]
    if len(drawn) < len(best):
        shared = f"{board.id}-{kind}-cycles" if found[0] is not None else ""
        found.append(_all_algorithms(data, board, kind, best, shared))
    return [figure for figure in found if figure is not None]


def _all_algorithms(
    data: ReportData, board: BoardFacts, kind: Kind, best: list[Build], shares: str
) -> Figure | None:
    """A panel for each algorithm, its fastest build before the baseline."""
    reference = data.reference(kind)
    assert reference is not None
    verb = _VERBS.get(reference.op, "authenticate")
    names = {b.title: (b.algorithm, b.implementation, b.flags) for b in best}
    curves = _Curves(data, board, kind, reference.op, names, {}, _keys(best))
    numbers, points = curves.points("cycles")
    baseline = next((b for b in best if b.algorithm in data.baselines[:1]), best[0])
    behind = points.get((baseline.algorithm, baseline.implementation, baseline.flags), ())
    panels = tuple(
        Panel(
            _named(data, b),
            f"{b.cycles:,}",
            points[key],
            context=(behind,) if behind and b is not baseline else (),
        )
        for b in best
        if len(points.get(key := (b.algorithm, b.implementation, b.flags), ())) > 1
    )
    if not panels:
        return None
    return Figure(
        slug=f"{board.id}-{kind}-each",
        title="Each algorithm by itself",
        caption=(
            f"Cycles to {verb} against message length, on a logarithmic scale that all panels "
            f"share; the fastest algorithm first. Black: the fastest build; grey: that of "
            f"{baseline.title}. The number is cycles to {reference.words}.{_footnote(data, best)}"
        ),
        label=(
            f"{count(len(panels), 'small chart')} of cycles against message length on the "
            f"{board.title}, from {best[0].title} with {best[0].cycles:,} cycles to "
            f"{best[-1].title} with {best[-1].cycles:,}."
        ),
        chart=Panels(f"Cycles to {verb}", panels),
        numbers=numbers,
        shares=shares,
    )


def boards_figure(
    data: ReportData, algorithm: str, builds: dict[str, list[Build]]
) -> Figure | None:
    """A panel for each board with every build of one algorithm; `builds` are by board."""
    kind = Kind(data.algorithms[algorithm].kind)
    reference = data.reference(kind)
    if reference is None:
        return None
    verb = _VERBS.get(reference.op, "authenticate")
    with_ad = reference.beside and f",{reference.beside}"
    numbers = data.table(
        f"SELECT {_CURVE_ROWS} FROM rows WHERE algorithm = ? AND op = ? AND ad = ? "
        "AND cycles IS NOT NULL ORDER BY board, implementation, flags, m",
        algorithm,
        reference.op.value,
        data.curve_ad(kind),
    )
    points = _points(numbers, "cycles", ("board", "implementation", "flags"))
    panels = []
    for board, own in builds.items():
        smallest = min(own, key=lambda b: (b.flash, b.cycles))
        lines = {
            b.name: line
            for b in own
            if len(line := points.get((board, b.implementation, b.flags), ())) > 1
        }
        if own[0].name not in lines:
            continue
        panels.append(
            Panel(
                data.boards[board].title.partition(" (")[0],
                f"{own[0].implementation}{data.mark(algorithm, own[0].implementation)} "
                f"{own[0].flags}",
                lines[own[0].name],
                second=lines.get(smallest.name, ()) if smallest is not own[0] else (),
                context=tuple(
                    line for name, line in lines.items() if name not in (own[0].name, smallest.name)
                ),
            )
        )
    if not panels:
        return None
    title = data.title_of(algorithm)
    footnote = _footnote(data, [own[0] for own in builds.values()])
    return Figure(
        slug=f"{algorithm}-boards",
        title=f"{title} on every board",
        caption=(
            f"Cycles to {verb} a message{with_ad}. Black, and named: the build that is fastest "
            f"at {_bytes(reference.m)}; dashed: the smallest in flash; grey: the other builds. "
            f"The panels share a logarithmic scale.{footnote}"
        ),
        label=f"Cycles of {title} against message length, {count(len(panels), 'small chart')}.",
        chart=Panels(f"Cycles to {verb}", tuple(panels), columns=3, narrow_columns=2),
        numbers=numbers,
    )


def cost_figures(
    data: ReportData, board: BoardFacts, kind: Kind, builds: list[Build], best: list[Build]
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
    all_looks = line_styles_of(data, best)
    grey = " Grey: algorithms that the curves above leave out." * (len(best) > MOST_LINES)
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
                    "Every build that none of the same algorithm beats in both; lower left is "
                    f"better. {filled}. The line joins those that no other beats at all.{grey}"
                    f"{_footnote(data, shown)}"
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
    """The builds that no other of their algorithm beats in cycles and in another cost."""
    found = []
    for algorithm in dict.fromkeys(b.algorithm for b in builds):
        own = [b for b in builds if b.algorithm == algorithm]
        points = [{"at": i, "cycles": b.cycles, "cost": cost(b)} for i, b in enumerate(own)]
        found += [own[point["at"]] for point in pareto_front(points, ["cycles", "cost"])]
    return found


def _bytes(number: int) -> str:
    return count(number, "byte")


def _span(values: list[int]) -> str:
    return f"{integer(min(values))} to {integer(max(values))}"


@dataclass(frozen=True, slots=True)
class _Curves:
    """Curves of one operation on one board; `names` are the lines' names and their builds."""

    data: ReportData
    board: BoardFacts
    kind: Kind
    op: Operation
    names: dict[str, Key]
    styles: dict[str, LineStyle]
    builds: tuple[Key, ...]
    """Those whose rows stand behind the figure: of algorithms that it leaves out too."""

    def figure(
        self,
        slug: str,
        column: str,
        axis: str,
        title: str,
        caption: str,
        logarithmic: bool = False,
        shares: str = "",
    ) -> Figure | None:
        """The figure of one column, or None if no build has two lengths."""
        numbers, points = self.points(column)
        lines = tuple(
            Line(name, points[build], self.styles[name])
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
            shares=shares,
        )

    def points(self, column: str) -> tuple[pa.Table, dict[Key, Points]]:
        """The rows behind the curves, and the points of each build, in order of length."""
        numbers = self._rows()
        return numbers, _points(numbers, column, ("algorithm", "implementation", "flags"))

    def _rows(self) -> pa.Table:
        builds = [f"{a}\n{i}\n{f}" for a, i, f in self.builds]
        return self.data.table(
            f"SELECT {_RATE_ROWS} FROM rows WHERE board = ? AND op = ? AND ad = ? "
            "AND list_contains(?, concat_ws(chr(10), algorithm, implementation, flags)) "
            "AND cycles IS NOT NULL ORDER BY algorithm, implementation, flags, m",
            self.board.id,
            self.op.value,
            self.data.curve_ad(self.kind),
            builds,
        )


def _keys(builds: list[Build]) -> tuple[Key, ...]:
    return tuple((b.algorithm, b.implementation, b.flags) for b in builds)


def _points(numbers: pa.Table, column: str, key: Key) -> dict[Key, Points]:
    """The points of each curve, in the order of the rows; `key` are the columns that tell one."""
    found: dict[Key, list[tuple[int, float]]] = {}
    columns = [numbers.column(name).to_pylist() for name in (*key, "m", column)]
    for one, two, three, m, value in zip(*columns, strict=True):
        if value is not None:
            found.setdefault((one, two, three), []).append((m, value))
    return {name: tuple(line) for name, line in found.items()}


def _ends(lines: tuple[Line, ...]) -> str:
    """Where the lines end, in words."""
    ordered = sorted(lines, key=lambda line: line.points[-1][1])
    longest = ordered[0].points[-1][0]
    ends = ", ".join(f"{line.name} {rounded(line.points[-1][1])}" for line in ordered)
    return f"at {longest:,} bytes: {ends}."
