"""A board's page: curves, costs, every build, the studies' scenarios, doubtful figures."""

from __future__ import annotations

from dataclasses import dataclass

from pennyweight.analysis.facts import BoardFacts
from pennyweight.model import Kind
from pennyweight.report.cost_figures import cost_figures
from pennyweight.report.curve_figures import curve_figures
from pennyweight.report.data import FIRST, ReportData
from pennyweight.report.figures import Figure
from pennyweight.report.numbers import MISSING, integer
from pennyweight.report.pages.shared import (
    KIND_TITLES,
    Ranking,
    algorithm_page,
    build_label,
    builds_table,
    footnote,
)
from pennyweight.report.tables import Cell, Column, Table, TableRow, words


@dataclass(frozen=True, slots=True)
class KindSection:
    """One kind of algorithm on a board."""

    anchor: str
    title: str
    headline: str
    figures: list[Figure]
    table: Table
    scenarios: Table | None


def sections(data: ReportData, board: BoardFacts, rankings: list[Ranking]) -> list[KindSection]:
    """The sections of a board's page."""
    return [
        KindSection(
            anchor=str(ranking.kind),
            title=KIND_TITLES[ranking.kind],
            headline=ranking.headline(),
            figures=[
                *curve_figures(data, board, ranking.kind, ranking.fastest),
                *cost_figures(data, board, ranking.kind, ranking.builds, ranking.fastest),
            ],
            table=builds_table(
                data,
                [(ranking, build) for build in ranking.builds],
                f"{board.id}-{ranking.kind}-builds",
                f"Cost to {ranking.reference.words} on the {board.title}",
            ),
            scenarios=_scenarios(data, board, ranking.kind),
        )
        for ranking in rankings
        if ranking.board.id == board.id
    ]


def _scenarios(data: ReportData, board: BoardFacts, kind: Kind) -> Table | None:
    """Cycles of the named cases: for each, the fastest build of each algorithm."""
    named = [s for s in data.scenarios if s.kind is kind]
    found = data.query(
        """
        SELECT algorithm, any_value(title) AS title, ad, m, min(cycles) AS cycles,
               arg_min(implementation, cycles) AS implementation,
               arg_min(flags, cycles) AS flags,
               any_value(status) FILTER (status != 'ok') AS status
        FROM rows WHERE board = ? AND kind = ? AND op = ? GROUP BY algorithm, ad, m
        """,
        board.id,
        kind.value,
        FIRST[kind].value,
    )
    cells = {(r["algorithm"], r["ad"], r["m"]): r for r in found}
    named = [s for s in named if any((s.ad, s.m) == (r["ad"], r["m"]) for r in found)]
    if not named:
        return None
    for row in found:
        name = (row["algorithm"], row["implementation"], row["flags"])
        row["label"] = build_label(data, *name) if row["cycles"] is not None else ""
    algorithms = {r["algorithm"]: r["title"] for r in found}
    first = named[0]

    def order(name: str) -> tuple[bool, int]:
        cycles = cells.get((name, first.ad, first.m), {}).get("cycles")
        return cycles is None, cycles or 0

    rows = []
    for name in sorted(algorithms, key=order):
        line = [words(algorithms[name], algorithm_page(name))]
        for scenario in named:
            line.append(_cell(cells.get((name, scenario.ad, scenario.m))))
        rows.append(TableRow(tuple(line)))
    return Table(
        id=f"{board.id}-{kind}-scenarios",
        caption=f"Cycles of named cases on the {board.title}, for each algorithm's fastest build",
        columns=(
            Column("Algorithm"),
            *(Column(s.name, s.title, numeric=True) for s in named),
        ),
        rows=tuple(rows),
        csv=f"{board.id}-{kind}-scenarios.csv",
        sorted_by=1,
        footnote=footnote(str(r["label"]) for r in found),
    )


def _cell(found: dict[str, object] | None) -> Cell:
    if found is None:
        return Cell(MISSING, None, weak=True)
    cycles = found["cycles"]
    if not isinstance(cycles, int):
        return Cell(str(found["status"] or MISSING), None, weak=True)
    return Cell(integer(cycles), cycles, small=str(found["label"]))
