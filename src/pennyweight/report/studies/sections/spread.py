"""Geometric mean and deviation of the speed relative to the baseline, over all boards."""

from __future__ import annotations

from pennyweight.analysis.means import over_boards
from pennyweight.model import Kind
from pennyweight.report.numbers import count, rounded
from pennyweight.report.pages.shared import KIND_TITLES, algorithm_page
from pennyweight.report.studies.builds import best_of
from pennyweight.report.studies.section import Section
from pennyweight.report.studies.view import StudyView
from pennyweight.report.tables import Column, Table, TableRow, number, words


def section(view: StudyView) -> Section | None:
    """A table for each kind with a baseline."""
    tables = [table for kind in view.kinds if (table := _table(view, kind)) is not None]
    if not tables:
        return None
    return Section(
        title="Mean over all boards",
        words=(
            "The geometric mean over the boards of the baseline's cycles divided by the "
            "algorithm's, for the fastest build of each: 2 means twice as fast. The geometric "
            "standard deviation is the factor by which boards typically differ from that mean; 1 "
            "means that all boards agree.",
        ),
        tables=tuple(tables),
    )


def _table(view: StudyView, kind: Kind) -> Table | None:
    reference, baseline = view.reference(kind), view.baseline(kind)
    if reference is None or baseline is None:
        return None
    here = f"op = '{reference.op}' AND ad = {reference.ad} AND m = {reference.m}"
    cycles: dict[str, dict[str, float]] = {}
    for best in best_of(view, kind, where=here):
        cycles.setdefault(best.algorithm, {})[best.board] = float(best.cycles)
    found = over_boards(cycles, baseline)
    if len(found) < 2:
        return None
    ordered = sorted(found.items(), key=lambda item: (-item[1][0].mean, item[0]))
    slug = view.slug(kind.value, "over-boards")
    return Table(
        id=slug,
        caption=(
            f"{KIND_TITLES[kind]}: speed relative to {view.data.title_of(baseline)} to "
            f"{reference.words}, over {count(len(view.boards), 'board')}"
        ),
        columns=(
            Column("Algorithm"),
            Column("Mean", "times as fast", numeric=True),
            Column("Deviation", "factor", numeric=True),
            Column("Boards", numeric=True),
        ),
        rows=tuple(
            TableRow(
                (
                    words(view.data.title_of(name), algorithm_page(name)),
                    number(spread.mean, rounded),
                    number(spread.deviation, rounded),
                    number(boards, str),
                )
            )
            for name, (spread, boards) in ordered
        ),
        csv=f"{slug}.csv",
        filters=True,
        example="such as ascon",
    )
