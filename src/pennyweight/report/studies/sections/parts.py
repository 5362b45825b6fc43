"""The functions of the incremental API, one by one."""

from __future__ import annotations

import pyarrow as pa

from pennyweight.analysis.facts import BoardFacts
from pennyweight.charts.bars import Bar, Bars
from pennyweight.model import Operation
from pennyweight.report.data import NOT_CONSTANT_TIME
from pennyweight.report.figures import Figure
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
    Operation.TAG: "Compute tag",
    Operation.VERIFY: "Verify tag",
}
"""FELICS-AEAD's seven low-level functions, by the names of the incremental API."""

SEALING = (
    Operation.INIT,
    Operation.AD,
    Operation.ENCRYPT,
    Operation.FINALIZE,
    Operation.TAG,
)
"""Those of encryption, in order."""


def section(view: StudyView) -> Section | None:
    """A table for each board and scenario; only the one with the most parts is not collapsed."""
    shown, folded, figures = [], [], []
    for board in view.boards:
        figure = _bars(view, board)
        if figure is not None:
            figures.append(figure)
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
        title="Incremental API by part",
        words=(
            "Cycles of each function of the incremental API, called in this order for one message, "
            "for the same builds as in the scenarios. Functions are not called for empty input.",
        ),
        figures=tuple(figures),
        tables=tuple(shown),
        folded=tuple(folded),
    )


def _bars(view: StudyView, board: BoardFacts) -> Figure | None:
    """The parts of encryption as stacked bars, fastest first.

    For the first scenario with both data and message after the single block.
    """
    cases = [case for case in named_cases(view) if case.ad and case.m]
    if not cases:
        return None
    case = cases[min(1, len(cases) - 1)]
    cycles = _cycles(view, board, case)
    bars, numbers = [], []
    for (algorithm, where), build in balanced_builds(view, case).items():
        key = (algorithm, build["implementation"], build["flags"])
        values = [cycles.get((*key, op.value)) for op in SEALING]
        known = [value for value in values if value is not None]
        if where != board.id or len(known) < len(SEALING):
            continue
        mark = view.data.mark(algorithm, build["implementation"])
        bars.append(Bar(view.data.title_of(algorithm) + mark, tuple(map(float, known))))
        numbers.append(
            {
                "algorithm": algorithm,
                "implementation": build["implementation"],
                "flags": build["flags"],
                "board": board.id,
                **{f"{op.value}_cycles": n for op, n in zip(SEALING, known, strict=True)},
            }
        )
    if not bars:
        return None
    bars.sort(key=lambda bar: sum(bar.values))
    marked = any("†" in bar.name for bar in bars)
    return Figure(
        slug=view.slug(board.id, "parts", "bars"),
        title=f"Cycles by part on the {short_title(board)}",
        caption=f"{case.name}: {case.title}. Cycles of each part."
        + (f" {NOT_CONSTANT_TIME}" if marked else ""),
        label=f"Stacked bars of cycles by part on the {board.title}: "
        + ", ".join(f"{bar.name} {sum(bar.values):,.0f}" for bar in bars)
        + ".",
        chart=Bars("Cycles", tuple(PARTS[op] for op in SEALING), tuple(bars)),
        numbers=pa.Table.from_pylist(numbers),
    )


def _cycles(
    view: StudyView, board: BoardFacts, case: Named
) -> dict[tuple[str, str, str, str], int]:
    """Cycles by algorithm, implementation, flags and operation."""
    found = view.query(
        "SELECT algorithm, implementation, flags, op, cycles FROM study_rows WHERE board = ? "
        "AND ad = ? AND m = ? AND cycles IS NOT NULL AND kind = 'aead'",
        board.id,
        case.ad,
        case.m,
    )
    return {(r["algorithm"], r["implementation"], r["flags"], r["op"]): r["cycles"] for r in found}


def _table(view: StudyView, board: BoardFacts, case: Named) -> Table | None:
    cycles = _cycles(view, board, case)
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
