"""Cycles against message length, board by board: the fastest build of each algorithm."""

from __future__ import annotations

from pennyweight.analysis.facts import BoardFacts
from pennyweight.charts.curves import Curves, Line
from pennyweight.model import Kind
from pennyweight.report.data import FIRST
from pennyweight.report.figures import Figure
from pennyweight.report.numbers import count, listed, rounded
from pennyweight.report.pages.shared import KIND_TITLES, short_title
from pennyweight.report.studies.builds import Best, best_of, dagger, drawn, line_styles_for, named
from pennyweight.report.studies.section import Section
from pennyweight.report.studies.view import StudyView

_VERBS = {Kind.AEAD: "encrypt", Kind.HASH: "hash", Kind.AUTH: "authenticate"}


def section(view: StudyView) -> Section | None:
    """Two figures for each board and kind with a curve: cycles, and cycles per byte."""
    figures = []
    for kind in view.kinds:
        best = best_of(view, kind, where=_curve(view, kind))
        for board in view.boards:
            own = [b for b in best if b.board == board.id]
            figures += [
                figure
                for column in ("cycles", "cycles_per_byte")
                if (figure := _figure(view, board, kind, own, column)) is not None
            ]
    return Section(title="Cost by message length", figures=tuple(figures)) if figures else None


def _curve(view: StudyView, kind: Kind) -> str:
    reference = view.reference(kind)
    assert reference is not None
    return f"ad = {reference.ad} AND op = '{FIRST[kind]}'"


def _figure(
    view: StudyView, board: BoardFacts, kind: Kind, best: list[Best], column: str
) -> Figure | None:
    chosen = drawn(view, best)
    styles = line_styles_for(view, [b.algorithm for b in chosen])
    numbers = view.table(
        "SELECT algorithm, implementation, flags, board, op, ad, m, cycles, cycles_per_byte, "
        f"time_us, stack, flash, ram, job FROM study_rows WHERE board = ? AND kind = ? AND "
        f"{_curve(view, kind)} AND cycles IS NOT NULL ORDER BY algorithm, implementation, flags, m",
        board.id,
        kind.value,
    )
    points: dict[tuple[str, str, str], list[tuple[int, float]]] = {}
    for row in numbers.to_pylist():
        if row[column] is not None:
            key = (row["algorithm"], row["implementation"], row["flags"])
            points.setdefault(key, []).append((row["m"], row[column]))
    lines = tuple(
        Line(named(view, b), tuple(points[b.key]), styles[b.algorithm])
        for b in chosen
        if len(points.get(b.key, ())) > 2
    )
    if not lines:
        return None
    reference = view.reference(kind)
    assert reference is not None
    with_ad = f" with {count(reference.ad, 'byte')} of associated data" if reference.ad else ""
    verb = _VERBS[kind]
    bytes_of = "message and associated data" if reference.ad else "it"
    per_byte = column == "cycles_per_byte"
    ends = sorted(lines, key=lambda line: line.points[-1][1])
    heavy = [b.title for b in chosen if b.algorithm in view.baselines]
    left_out = f" {len(best) - len(chosen)} slower algorithms are not shown." * (
        len(chosen) < len(best)
    )
    return Figure(
        slug=view.slug(board.id, kind.value, "per-byte" if per_byte else "cycles"),
        title=f"{KIND_TITLES[kind]} on the {short_title(board)}"
        + (": cycles per byte" if per_byte else ""),
        caption=(
            f"Cycles to {verb} a message{with_ad}"
            + (f", per byte of {bytes_of}, on a logarithmic scale" if per_byte else "")
            + ": the fastest build of each algorithm over the whole curve"
            + (f"; heavy lines: {listed(heavy)}" if heavy and len(heavy) < len(chosen) else "")
            + f".{left_out} {dagger(view, chosen)}".rstrip()
        ),
        label=(
            f"Line chart for the {board.title}: at {ends[0].points[-1][0]:,} bytes "
            + ", ".join(f"{line.name} {rounded(line.points[-1][1])}" for line in ends)
            + "."
        ),
        chart=Curves("Cycles per byte" if per_byte else f"Cycles to {verb}", lines, per_byte),
        numbers=numbers,
    )
