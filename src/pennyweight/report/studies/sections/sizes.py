"""Flash and RAM of every build: for encryption only, for decryption only, and for both."""

from __future__ import annotations

from pennyweight.analysis.facts import BoardFacts
from pennyweight.model import Kind
from pennyweight.report.data import Row
from pennyweight.report.numbers import integer
from pennyweight.report.pages.shared import KIND_TITLES, algorithm_page, footnote, short_title
from pennyweight.report.studies.section import Section
from pennyweight.report.studies.view import StudyView
from pennyweight.report.tables import Column, Table, TableRow, number, words

_SQL = """
SELECT algorithm, any_value(title) AS title, implementation, flags,
       max(flash) AS flash, max(flash_enc) AS flash_enc, max(flash_dec) AS flash_dec,
       max(ram) AS ram, max(stack) AS stack
FROM study_rows WHERE board = ? AND kind = ? AND cycles IS NOT NULL
GROUP BY algorithm, implementation, flags
ORDER BY flash, algorithm, implementation, flags
"""


def section(view: StudyView) -> Section | None:
    """A table for each board and kind, smallest first."""
    tables = []
    for board in view.boards:
        for kind in view.kinds:
            rows = view.query(_SQL, board.id, kind.value)
            if rows:
                tables.append(_table(view, board, kind, rows))
    if not tables:
        return None
    return Section(
        title="Code and memory",
        words=(
            "Sizes are relative to the same firmware without the implementation and do not include "
            "unused functions. Stack is the maximum over all cases of the study.",
        ),
        tables=tuple(tables),
    )


def _table(view: StudyView, board: BoardFacts, kind: Kind, rows: list[Row]) -> Table:
    directions = kind is Kind.AEAD
    columns = [Column("Algorithm"), Column("Implemen\u00adtation"), Column("Flags")]
    columns.append(Column("Flash", "bytes, both" if directions else "bytes", numeric=True))
    if directions:
        columns += [
            Column("Flash", "bytes, encrypt only", numeric=True),
            Column("Flash", "bytes, decrypt only", numeric=True),
        ]
    columns += [
        Column("Static RAM", "bytes", numeric=True),
        Column("Stack", "bytes", numeric=True),
        Column("RAM", "static and stack", numeric=True),
    ]
    seen: set[str] = set()
    lines, labels = [], []
    for row in rows:
        label = row["implementation"] + view.data.mark(row["algorithm"], row["implementation"])
        labels.append(label)
        cells = [
            words(row["title"], algorithm_page(row["algorithm"])),
            words(label),
            words(row["flags"]),
            number(row["flash"], integer),
        ]
        if directions:
            cells += [number(row["flash_enc"], integer), number(row["flash_dec"], integer)]
        total = None if row["ram"] is None else row["ram"] + row["stack"]
        cells += [
            number(row["ram"], integer),
            number(row["stack"], integer),
            number(total, integer),
        ]
        lines.append(TableRow(tuple(cells), best=row["algorithm"] not in seen))
        seen.add(row["algorithm"])
    name = view.slug(board.id, kind.value, "sizes")
    return Table(
        id=name,
        caption=f"{KIND_TITLES[kind]} on the {short_title(board)}",
        columns=tuple(columns),
        rows=tuple(lines),
        csv=f"{name}.csv",
        sorted_by=3,
        filters=True,
        best="the smallest build of each algorithm",
        footnote=footnote(labels),
    )
