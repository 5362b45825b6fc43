"""Ranks a tenth of a unit wide, in the mean over boards."""

from __future__ import annotations

from pennyweight.analysis.units import average_hash_units, rank
from pennyweight.model import Kind
from pennyweight.report.numbers import MISSING, listed
from pennyweight.report.pages.shared import KIND_TITLES, algorithm_page, short_title
from pennyweight.report.studies.section import Section
from pennyweight.report.studies.sections.units import units_cell
from pennyweight.report.studies.unit_rows import REFERENCES, unit_rows
from pennyweight.report.studies.view import StudyView
from pennyweight.report.tables import Cell, Column, Table, TableRow, words


def ranked(view: StudyView, kind: Kind) -> dict[str, tuple[dict[str, float], int | None]]:
    """By algorithm its averages by board, and its rank; None without all boards, best first."""
    averages: dict[str, dict[str, float]] = {}
    for row in unit_rows(view, kind):
        averages.setdefault(row.algorithm, {})[row.board] = row.average
    boards = {board for own in averages.values() for board in own}

    def mean(own: dict[str, float]) -> float:
        return average_hash_units(own.values())

    ordered = sorted(averages.items(), key=lambda item: (-mean(item[1]), item[0]))
    return {
        name: (own, rank(own.values()) if set(own) == boards else None) for name, own in ordered
    }


def section(view: StudyView) -> Section | None:
    """A table for each kind, the highest rank first."""
    tables = [table for kind in REFERENCES if (table := _table(view, kind)) is not None]
    if not tables:
        return None
    boards = [short_title(board) for board in view.boards]
    return Section(
        title="Ranks",
        words=(
            "The mean of the averages over "
            f"{listed(boards)}, in buckets of 0.1 units: rank 10 is as fast as the known "
            "algorithm, higher is faster. Members of a rank are as good as equal.",
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
