"""The builds that no other beats in cycles, flash and RAM together."""

from __future__ import annotations

from pennyweight.analysis.choice import pareto_front
from pennyweight.analysis.facts import BoardFacts
from pennyweight.model import Kind
from pennyweight.report.numbers import count, integer
from pennyweight.report.pages.shared import KIND_TITLES, algorithm_page, footnote, short_title
from pennyweight.report.studies.section import Section
from pennyweight.report.studies.view import StudyView
from pennyweight.report.tables import Column, Table, TableRow, number, words

GOALS = ("cycles", "flash", "ram_and_stack")


def section(view: StudyView) -> Section | None:
    """A table for each board and kind."""
    tables = [
        table
        for board in view.boards
        for kind in view.kinds
        if (table := _table(view, board, kind)) is not None
    ]
    if not tables:
        return None
    return Section(
        title="Pareto fronts",
        words=(
            "Builds that no other build on the board beats. A build beats another if it is at most "
            "as large in cycles, flash and RAM (static and stack), and smaller in one of them. For "
            "any priorities, the best choice is in these tables.",
        ),
        tables=tuple(tables),
    )


def _table(view: StudyView, board: BoardFacts, kind: Kind) -> Table | None:
    reference = view.reference(kind)
    if reference is None:
        return None
    builds = view.query(
        "SELECT algorithm, title, implementation, flags, cycles, flash, ram + stack AS "
        "ram_and_stack FROM study_rows WHERE board = ? AND kind = ? AND op = ? AND ad = ? "
        "AND m = ? AND cycles IS NOT NULL ORDER BY cycles, flash, algorithm, implementation, flags",
        board.id,
        kind.value,
        reference.op.value,
        reference.ad,
        reference.m,
    )
    front = pareto_front(builds, GOALS)
    if len(builds) < 3:
        return None
    labels, lines = [], []
    for build in front:
        label = build["implementation"] + view.data.mark(
            build["algorithm"], build["implementation"]
        )
        labels.append(label)
        lines.append(
            TableRow(
                (
                    words(build["title"], algorithm_page(build["algorithm"])),
                    words(label),
                    words(build["flags"]),
                    *(number(build[goal], integer) for goal in GOALS),
                )
            )
        )
    slug = view.slug(board.id, kind.value, "pareto")
    return Table(
        id=slug,
        caption=(
            f"{KIND_TITLES[kind]} on the {short_title(board)}, to {reference.words}: "
            f"{count(len(front), 'build')} of {len(builds):,}"
        ),
        columns=(
            Column("Algorithm"),
            Column("Implemen\u00adtation"),
            Column("Flags"),
            Column("Time", "cycles", numeric=True),
            Column("Flash", "bytes", numeric=True),
            Column("RAM", "static and stack", numeric=True),
        ),
        rows=tuple(lines),
        csv=f"{slug}.csv",
        sorted_by=3,
        footnote=footnote(labels),
    )
