"""Figures over message lengths: a board's algorithms, and an algorithm's boards."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from pennyweight.analysis.facts import BoardFacts
from pennyweight.charts.curves import Curves, Line
from pennyweight.charts.palette import LineStyle
from pennyweight.charts.panels import Panel, Panels, Points
from pennyweight.model import Kind, Operation
from pennyweight.report.builds import Build
from pennyweight.report.data import ReportData
from pennyweight.report.figures import Figure, drawn_of, footnote, in_bytes, line_styles_of, named
from pennyweight.report.numbers import count, listed, rounded

Key = tuple[str, str, str]
"""Columns that identify a curve, such as a build's algorithm, implementation and flags."""

_CURVE_ROWS = "algorithm, implementation, flags, board, op, ad, m, cycles, job"
_RATE_ROWS = _CURVE_ROWS.replace("cycles,", "cycles, cycles_per_byte::FLOAT AS cycles_per_byte,")
_VERBS = {Operation.ENC: "encrypt", Operation.HASH: "hash"}


def curve_figures(
    data: ReportData, board: BoardFacts, kind: Kind, best: list[Build]
) -> list[Figure]:
    """Cycles, and cycles per byte, against message length: the best build of each algorithm.

    If there are more algorithms than one figure can show, a third figure shows each separately.
    """
    reference = data.reference(kind)
    if reference is None or not best:
        return []
    drawn = drawn_of(data, best)
    found_looks = line_styles_of(data, best)
    names = {named(data, b): (b.algorithm, b.implementation, b.flags) for b in drawn}
    own_looks = {named(data, b): found_looks[b.algorithm] for b in drawn}
    curves = _Curves(data, board, kind, reference.op, names, own_looks, _keys(best))
    verb = _VERBS.get(reference.op, "authenticate")
    with_ad = reference.beside and f",{reference.beside}"
    chosen = f"Each algorithm's fastest build at {in_bytes(reference.m)}"
    heavy = [b.title for b in drawn if b.algorithm in data.baselines]
    if len(drawn) < len(best):
        fastest = len(drawn) - len(heavy)
        chosen = (
            f"The {fastest} fastest of {len(best)} algorithms at {in_bytes(reference.m)}, and the "
            f"baselines as heavy lines ({listed(heavy)}). A figure below shows all algorithms"
        )
    elif heavy and len(heavy) < len(drawn):
        chosen += f"; heavy lines: baselines ({listed(heavy)})"
    found = [
        curves.figure(
            f"{board.id}-{kind}-cycles",
            "cycles",
            f"Cycles to {verb}",
            f"Cycles to {verb}, by message length{with_ad}",
            f"{chosen}. Steps are blocks: a partly filled block costs as much as a full one."
            f"{footnote(data, drawn)}",
        ),
        curves.figure(
            f"{board.id}-{kind}-per-byte",
            "cycles_per_byte",
            "Cycles per byte",
            "Cycles per byte, by message length",
            "The same builds. Bytes are message and associated data together, so short messages "
            "include the set-up cost. The vertical scale is logarithmic.",
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
    """A panel for each algorithm, with its fastest build in front of the baseline."""
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
            named(data, b),
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
        title="All algorithms, one by one",
        caption=(
            f"Cycles to {verb} against message length, on a common logarithmic scale, the fastest "
            f"algorithm first. Black: the fastest build; grey: that of {baseline.title}. The "
            f"number is the cycles to {reference.words}.{footnote(data, best)}"
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
    note = footnote(data, [own[0] for own in builds.values()])
    return Figure(
        slug=f"{algorithm}-boards",
        title=f"{title} on all boards",
        caption=(
            f"Cycles to {verb} a message{with_ad}, on a common logarithmic scale. Black, with its "
            f"name: the fastest build at {in_bytes(reference.m)}; dashed: the smallest in flash; "
            f"grey: other builds.{note}"
        ),
        label=f"Cycles of {title} against message length, {count(len(panels), 'small chart')}.",
        chart=Panels(f"Cycles to {verb}", tuple(panels), columns=3, narrow_columns=2),
        numbers=numbers,
    )


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
    """The builds whose rows are behind the figure, including algorithms that it does not show."""

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
    """The points of each curve, in the order of the rows; `key` are the columns that identify
    one.
    """
    found: dict[Key, list[tuple[int, float]]] = {}
    columns = [numbers.column(name).to_pylist() for name in (*key, "m", column)]
    for one, two, three, m, value in zip(*columns, strict=True):
        if value is not None:
            found.setdefault((one, two, three), []).append((m, value))
    return {name: tuple(line) for name, line in found.items()}


def _ends(lines: tuple[Line, ...]) -> str:
    """The ends of the lines, in words."""
    ordered = sorted(lines, key=lambda line: line.points[-1][1])
    longest = ordered[0].points[-1][0]
    ends = ", ".join(f"{line.name} {rounded(line.points[-1][1])}" for line in ordered)
    return f"at {longest:,} bytes: {ends}."
