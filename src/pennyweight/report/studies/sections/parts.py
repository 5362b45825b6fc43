"""The functions that a message is made of, one by one."""

from __future__ import annotations

from pennyweight.analysis.facts import BoardFacts
from pennyweight.model import Operation
from pennyweight.report.numbers import MISSING, integer
from pennyweight.report.pages.shared import algorithm_page, footnote, short_title
from pennyweight.report.studies.scenarios import Named, balanced_builds, named_cases
from pennyweight.report.studies.section import Section
from pennyweight.report.studies.view import StudyView
from pennyweight.report.tables import Cell, Column, Table, TableRow, words

PARTS = {
    Operation.INIT: "Initialise",
    Operation.AD: "Associated data",
    Operation.ENCRYPT: "Encrypt",
    Operation.DECRYPT: "Decrypt",
    Operation.FINALIZE: "Finalise",
    Operation.TAG: "Make tag",
    Operation.VERIFY: "Verify tag",
}
"""FELICS-AEAD's seven low-level functions under the names of our incremental API."""


def section(view: StudyView) -> Section | None:
    """A table for each board and scenario: one unfolded, that with the most parts."""
    shown, folded = [], []
    for board in view.boards:
        tables = [
            table for case in named_cases(view) if (table := _table(view, board, case)) is not None
        ]
        if not tables:
            continue
        fullest = max(tables, key=lambda table: len(table.columns))
        shown.append(fullest)
        others = tuple(table for table in tables if table is not fullest)
        if others:
            folded.append((f"The other scenarios on the {short_title(board)}", others))
    if not shown:
        return None
    return Section(
        title="Part by part",
        words=(
            "Cycles of each function of the incremental API, called in this order for one message "
            "after the ones before it, by the same builds as in the scenarios. An empty input is "
            "not passed.",
        ),
        tables=tuple(shown),
        folded=tuple(folded),
    )


def _table(view: StudyView, board: BoardFacts, case: Named) -> Table | None:
    found = view.query(
        "SELECT algorithm, implementation, flags, op, cycles FROM study_rows WHERE board = ? "
        "AND ad = ? AND m = ? AND cycles IS NOT NULL AND kind = 'aead'",
        board.id,
        case.ad,
        case.m,
    )
    cycles = {
        (r["algorithm"], r["implementation"], r["flags"], r["op"]): r["cycles"] for r in found
    }
    ops = [op for op in PARTS if any(key[3] == op.value for key in cycles)]
    rows, labels = [], []
    for (algorithm, where), build in sorted(balanced_builds(view, case).items()):
        if where != board.id:
            continue
        key = (algorithm, build["implementation"], build["flags"])
        if not any((*key, op.value) in cycles for op in ops):
            continue
        label = view.build_label(*key)
        labels.append(label)
        name = words(view.data.title_of(algorithm), algorithm_page(algorithm))
        rows.append(
            TableRow(
                (
                    Cell(name.text, name.value, name.href, small=label),
                    *(_cell(cycles.get((*key, op.value))) for op in ops),
                )
            )
        )
    if not rows:
        return None
    slug = view.slug(board.id, "parts", case.name)
    return Table(
        id=slug,
        caption=f"{case.name}: {case.title} on the {short_title(board)}",
        columns=(Column("Algorithm"), *(Column(PARTS[op], "cycles", numeric=True) for op in ops)),
        rows=tuple(rows),
        csv=f"{slug}.csv",
        footnote=footnote(labels),
    )


def _cell(cycles: int | None) -> Cell:
    return Cell(MISSING, None, weak=True) if cycles is None else Cell(integer(cycles), cycles)
