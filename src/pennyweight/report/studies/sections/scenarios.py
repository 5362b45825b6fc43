"""The named cases: time, flash and RAM of the balanced build of each algorithm."""

from __future__ import annotations

import pyarrow as pa

from pennyweight.analysis.facts import BoardFacts
from pennyweight.report.data import Row
from pennyweight.report.numbers import MISSING, integer
from pennyweight.report.pages.shared import algorithm_page, footnote, short_title
from pennyweight.report.studies.scenarios import METRICS, Named, balanced_builds, named_cases
from pennyweight.report.studies.section import Section
from pennyweight.report.studies.view import StudyView
from pennyweight.report.tables import Cell, Column, Table, TableRow, words

_COLUMNS = (
    "algorithm",
    "board",
    "implementation",
    "flags",
    "cycles",
    "flash",
    "ram",
    "stack",
    "job",
)
_UNITS = {"flash": "bytes", "ram_and_stack": "bytes", "cycles": "cycles"}


def section(view: StudyView) -> Section | None:
    """A table for each board."""
    cases = named_cases(view)
    found = {case.name: balanced_builds(view, case) for case in cases}
    tables = [
        table for board in view.boards if (table := _table(view, board, cases, found)) is not None
    ]
    if not tables:
        return None
    meanings = "; ".join(f"{case.name}: {_lower(case.title)}" for case in cases)
    return Section(
        title="Scenarios",
        words=(
            f"{meanings}.",
            "Encryption with each algorithm's best build at equal weights of code, RAM (static and "
            "stack) and time. The CSV file also has code and RAM of each scenario.",
        ),
        tables=tuple(tables),
    )


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _table(
    view: StudyView,
    board: BoardFacts,
    cases: list[Named],
    found: dict[str, dict[tuple[str, str], Row]],
) -> Table | None:
    names = {a for rows in found.values() for a, b in rows if b == board.id}
    if not names:
        return None
    labels, lines = [], []
    for name in sorted(names):
        rows = [found[case.name].get((name, board.id)) for case in cases]
        cells = [words(view.data.title_of(name), algorithm_page(name))]
        for row in rows:
            cells.append(_cell(view, row))
            labels.append(cells[-1].small)
        for metric in ("flash", "ram_and_stack"):
            values = [row[metric] for row in rows if row is not None]
            cells.append(Cell(_span(values), max(values)))
        lines.append(TableRow(tuple(cells)))
    slug = view.slug(board.id, "scenarios")
    return Table(
        id=slug,
        caption=f"Cycles to encrypt in each scenario on the {short_title(board)}",
        columns=(
            Column("Algorithm"),
            *(Column(case.name, _UNITS["cycles"], numeric=True, note=case.title) for case in cases),
            Column(METRICS["flash"], _UNITS["flash"], numeric=True),
            Column(METRICS["ram_and_stack"], _UNITS["ram_and_stack"], numeric=True),
        ),
        rows=tuple(lines),
        csv=f"{slug}.csv",
        footnote=footnote(labels),
        numbers=_numbers(board, cases, found),
    )


def _numbers(
    board: BoardFacts,
    cases: list[Named],
    found: dict[str, dict[tuple[str, str], Row]],
) -> pa.Table:
    return pa.Table.from_pylist(
        [
            {
                "scenario": case.name,
                "ad": case.ad,
                "m": case.m,
                **{key: row[key] for key in _COLUMNS},
            }
            for case in cases
            for (_, where), row in found[case.name].items()
            if where == board.id
        ]
    )


def _cell(view: StudyView, row: Row | None) -> Cell:
    if row is None:
        return Cell(MISSING, None, weak=True)
    label = view.build_label(row["algorithm"], row["implementation"], row["flags"])
    return Cell(integer(row["cycles"]), row["cycles"], small=label)


def _span(values: list[int]) -> str:
    low, high = min(values), max(values)
    return integer(low) if low == high else f"{integer(low)}–{integer(high)}"
