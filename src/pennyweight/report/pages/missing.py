"""Cases without a measurement, with the reason, and figures that look wrong."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pennyweight.report.data import ReportData, Row
from pennyweight.report.numbers import integer
from pennyweight.report.pages.shared import algorithm_page, board_page, implementation_page
from pennyweight.report.tables import Column, Table, number, rows_of, words

_MISSING = """
SELECT board, algorithm, any_value(title) AS title, implementation, status,
       array_to_string(list(DISTINCT flags ORDER BY flags DESC), ', ') AS flags,
       count(*) AS cases,
       list(DISTINCT op ORDER BY op) AS ops,
       list(DISTINCT [m, ad] ORDER BY [m, ad]) AS lengths,
       arg_min(reason, m) AS reason, count(DISTINCT reason) AS reasons
FROM rows WHERE status != 'ok'
GROUP BY board, algorithm, implementation, status
ORDER BY board, algorithm, implementation, status
"""


_OUTCOMES = """
SELECT status, count(DISTINCT job) AS builds, count(*) AS cases,
       count(DISTINCT algorithm || '/' || implementation) AS implementations,
       list(DISTINCT board ORDER BY board) AS boards
FROM rows GROUP BY status ORDER BY status <> 'ok', cases DESC, status
"""


def outcomes_table(data: ReportData) -> Table | None:
    """Number of builds and cases by outcome."""
    found = list(data.query(_OUTCOMES))
    if all(row["status"] == "ok" for row in found):
        return None
    return Table(
        id="outcomes",
        caption="Outcomes of all cases",
        columns=(
            Column("Outcome"),
            Column("Cases", numeric=True),
            Column(
                "Builds", numeric=True, note="A build is an implementation on a board with flags."
            ),
            Column("Implemen\u00adtations", numeric=True),
            Column("Boards", long=True),
        ),
        rows=rows_of(
            [
                words(row["status"]),
                number(row["cases"], integer),
                number(row["builds"], integer),
                number(row["implementations"], integer),
                words(", ".join(data.boards[board].title for board in row["boards"])),
            ]
            for row in found
        ),
    )


def missing_table(
    data: ReportData, board: str | None = None, of: tuple[str, str] | None = None, slug: str = ""
) -> Table | None:
    """The cases without a measurement; those of one build and reason share a row.

    Restricted to a board, or to one implementation by algorithm and name, if given; `slug` is then
    the beginning of the table's name.
    """
    found = [
        row
        for row in _rows(data)
        if board in (None, row["board"]) and of in (None, (row["algorithm"], row["implementation"]))
    ]
    if not found:
        return None
    before = slug or board
    return Table(
        id=f"{before}-not-measured" if before else "not-measured",
        caption="Cases without a measurement",
        columns=(
            Column("Implemen\u00adtation"),
            Column("Outcome", note="With the reason.", long=True),
            Column("Board"),
            Column("Flags"),
            Column("Cases", numeric=True),
            Column("Lengths"),
        ),
        rows=rows_of(
            [
                replace(
                    words(
                        row["implementation"],
                        implementation_page(row["algorithm"], row["implementation"]),
                    ),
                    small=row["title"],
                ),
                replace(words(row["status"]), small=_why(row["reason"], row["reasons"])),
                words(data.boards[row["board"]].title, board_page(row["board"])),
                words(row["flags"]),
                number(row["cases"], integer),
                words(_which(row["ops"], row["lengths"])),
            ]
            for row in found
        ),
        csv="not-measured.csv",
        filters=before is None,
    )


def _rows(data: ReportData) -> list[Row]:
    """The cases without a measurement, queried once, because every implementation's page shows
    some.
    """
    if data.missing is None:
        data.missing = data.query(_MISSING)
    return data.missing


def doubts_table(data: ReportData, board: str | None = None) -> Table | None:
    """Doubtful figures."""
    found = [d for d in data.doubts if board in (None, d.board)]
    if not found:
        return None
    return Table(
        id="doubts" if board is None else f"{board}-doubts",
        caption="Doubtful figures",
        columns=(
            Column("Board"),
            Column("Algorithm"),
            Column("Implemen\u00adtation"),
            Column("Flags"),
            Column("Problem", long=True),
        ),
        rows=rows_of(
            [
                words(data.boards[d.board].title, board_page(d.board)),
                words(data.title_of(d.algorithm), algorithm_page(d.algorithm)),
                words(d.implementation),
                words(d.flags),
                words(d.sentence),
            ]
            for d in found
        ),
    )


def _which(ops: Iterable[str], lengths: list[list[int]]) -> str:
    """The operations, and up to three pairs of lengths."""
    pairs = ", ".join(f"{ad}:{m}" for m, ad in lengths[:3])
    more = f" and {len(lengths) - 3} more" if len(lengths) > 3 else ""
    return f"{', '.join(ops)} of {pairs}{more}"


def _why(reason: str, reasons: int) -> str:
    return f"{reason} (and {reasons - 1} more)" if reasons > 1 else reason
