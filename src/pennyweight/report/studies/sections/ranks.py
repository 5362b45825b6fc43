"""Ranks in buckets of a tenth of a unit, from means over boards."""

from __future__ import annotations

from pennyweight.analysis.units import average_hash_units
from pennyweight.model import Kind
from pennyweight.report.numbers import MISSING, listed
from pennyweight.report.pages.shared import KIND_TITLES, algorithm_page, short_title
from pennyweight.report.studies.section import Section
from pennyweight.report.studies.sections.units import units_cell
from pennyweight.report.studies.unit_rows import REFERENCES, ranked
from pennyweight.report.studies.view import StudyView
from pennyweight.report.tables import Cell, Column, Table, TableRow, words


def section(view: StudyView) -> Section | None:
    """A table for each kind, highest rank first."""
    tables = [table for kind in REFERENCES if (table := _table(view, kind)) is not None]
    if not tables:
        return None
    boards = [short_title(board) for board in view.boards]
    return Section(
        title="Ranks",
        words=(
            "The mean of the averages over "
            f"{listed(boards)}, in buckets of 0.1 units. Rank 10 is as fast as the reference "
            "algorithm; higher is faster. Algorithms of the same rank are practically equal.",
        ),
        tables=tuple(tables),
    )


def _table(view: StudyView, kind: Kind) -> Table | None:
    found = ranked(view, kind)
    if not found:
        return None
    boards = [b for b in view.boards if any(b.id in own for own, _ in found.values())]
    rows = tuple(
        TableRow(
            (
                words(view.data.title_of(name), algorithm_page(name)),
                Cell(MISSING, None, weak=True) if place is None else Cell(str(place), place),
                units_cell(average_hash_units(own.values())),
                *(
                    units_cell(own[b.id]) if b.id in own else Cell(MISSING, None, weak=True)
                    for b in boards
                ),
            )
        )
        for name, (own, place) in found.items()
    )
    slug = view.slug(kind.value, "ranks")
    return Table(
        id=slug,
        caption=f"{KIND_TITLES[kind]}: ranks over {len(boards)} "
        f"{'board' if len(boards) == 1 else 'boards'}",
        columns=(
            Column("Algorithm"),
            Column("Rank", numeric=True),
            Column("Mean", "units", numeric=True),
            *(Column(short_title(b), "average", numeric=True) for b in boards),
        ),
        rows=rows,
        csv=f"{slug}.csv",
    )
