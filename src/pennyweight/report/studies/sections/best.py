"""The fastest and the smallest build of each algorithm, board by board."""

from __future__ import annotations

from pennyweight.analysis.choice import Purpose
from pennyweight.model import Kind
from pennyweight.report.data import Reference
from pennyweight.report.numbers import MISSING, integer
from pennyweight.report.pages.shared import KIND_TITLES, algorithm_page, short_title
from pennyweight.report.studies.builds import Best, best_of, dagger
from pennyweight.report.studies.section import Section
from pennyweight.report.studies.view import StudyView
from pennyweight.report.tables import Cell, Column, Table, TableRow, words


def section(view: StudyView) -> Section | None:
    """Two tables for each kind: cycles of the fastest builds, flash of the smallest."""
    tables = []
    for kind in view.kinds:
        reference = view.reference(kind)
        if reference is not None:
            tables += [
                _table(view, kind, reference, "cycles"),
                _table(view, kind, reference, "flash"),
            ]
    if not tables:
        return None
    return Section(
        title="Fastest and smallest builds",
        words=("The best implementation and flags of each algorithm on each board.",),
        tables=tuple(tables),
    )


def _table(view: StudyView, kind: Kind, reference: Reference, purpose: Purpose) -> Table:
    here = f"op = '{reference.op}' AND ad = {reference.ad} AND m = {reference.m}"
    best = best_of(view, kind, purpose, here)
    by_name: dict[str, dict[str, Best]] = {}
    for each in best:
        by_name.setdefault(each.algorithm, {})[each.board] = each
    boards = [b for b in view.boards if any(b.id in own for own in by_name.values())]

    def order(own: dict[str, Best]) -> list[float]:
        return [getattr(own[b.id], purpose) if b.id in own else float("inf") for b in boards]

    rows = [
        TableRow(
            (
                words(next(iter(own.values())).title, algorithm_page(name)),
                *(_cell(view, own.get(board.id), purpose) for board in boards),
            )
        )
        for name, own in sorted(by_name.items(), key=lambda item: order(item[1]))
    ]
    what = (
        f"Fastest build of each algorithm: cycles to {reference.words}"
        if purpose == "cycles"
        else f"Smallest build of each algorithm: bytes of flash ({KIND_TITLES[kind].lower()})"
    )
    name = view.slug(kind.value, "fastest" if purpose == "cycles" else "smallest")
    return Table(
        id=name,
        caption=what,
        columns=(
            Column("Algorithm"),
            *(
                Column(short_title(b), "cycles" if purpose == "cycles" else "bytes", numeric=True)
                for b in boards
            ),
        ),
        rows=tuple(rows),
        csv=f"{name}.csv",
        sorted_by=1,
        filters=True,
        example="such as ascon",
        footnote=dagger(view, best),
        numbers=view.table(
            f"SELECT algorithm, implementation, board, flags, op, ad, m, cycles, flash, ram, "
            f"stack, job FROM study_rows WHERE kind = ? AND {here} AND cycles IS NOT NULL "
            f"ORDER BY board, algorithm, {purpose}, implementation, flags",
            kind.value,
        ),
    )


def _cell(view: StudyView, best: Best | None, purpose: Purpose) -> Cell:
    if best is None:
        return Cell(MISSING, None, weak=True)
    value = getattr(best, purpose)
    label = view.build_label(best.algorithm, best.implementation, best.flags)
    return Cell(integer(value), value, small=label)
