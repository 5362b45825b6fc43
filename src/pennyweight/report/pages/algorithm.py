"""An algorithm's page: every implementation on every board, and where its bytes go."""

from __future__ import annotations

from dataclasses import dataclass

from pennyweight.analysis.facts import AlgorithmFacts, BoardFacts
from pennyweight.model import Kind
from pennyweight.report.builds import Build
from pennyweight.report.data import ReportData
from pennyweight.report.figures import Figure, boards_figure
from pennyweight.report.numbers import integer
from pennyweight.report.pages.shared import Ranking, builds_table, short_title
from pennyweight.report.tables import Column, Table, number, rows_of, words


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured of an algorithm: a figure, every build, and where its bytes go."""

    figure: Figure | None
    table: Table
    symbols: list[tuple[str, list[Table]]]


def traits(facts: AlgorithmFacts) -> list[tuple[str, str]]:
    """What an algorithm is, in pairs of word and value."""
    sizes = [
        ("Key", facts.key),
        ("Nonce", facts.nonce),
        ("Tag", facts.tag),
        ("Digest", facts.digest),
        ("Block", facts.block),
    ]
    pairs = [(name, f"{size} bytes") for name, size in sizes if size]
    if facts.status:
        pairs.append(("Status", facts.status))
    if facts.specification:
        pairs.append(("Specification", facts.specification))
    return pairs


def measured(data: ReportData, algorithm: str, rankings: list[Ranking]) -> Measured | None:
    """What was measured on all boards; None if nothing could be."""
    kind = Kind(data.algorithms[algorithm].kind)
    found = [
        (ranking, own)
        for ranking in rankings
        if ranking.kind is kind and (own := ranking.of_algorithm(algorithm))
    ]
    if not found:
        return None
    symbols = []
    for ranking, own in found:
        smallest = min(own, key=lambda b: (b.flash, b.cycles))
        shown = list(dict.fromkeys([own[0].job, smallest.job]))
        tables = [
            table
            for build in own
            if build.job in shown and (table := _symbols(data, ranking.board, build))
        ]
        if tables:
            symbols.append((short_title(ranking.board), tables))
    return Measured(
        figure=boards_figure(data, algorithm, {r.board.id: own for r, own in found}),
        table=builds_table(
            data,
            [(ranking, build) for ranking, own in found for build in own],
            f"{algorithm}-builds",
            f"To {found[0][0].reference.words}, board by board",
            by_board=True,
        ),
        symbols=symbols,
    )


def _symbols(data: ReportData, board: BoardFacts, build: Build) -> Table | None:
    """The largest functions and objects of one build."""
    rows = data.largest_symbols.get(build.job)
    if not rows:
        return None
    return Table(
        id=f"{board.id}-{build.algorithm}-{build.implementation}{build.flags}-symbols",
        caption=f"Bytes by function and object: {build.name}, {build.flash:,} bytes of flash",
        columns=(
            Column("Function or object"),
            Column("Section"),
            Column("Compiled from"),
            Column("Bytes", numeric=True),
        ),
        rows=rows_of(
            [
                words(row["name"]),
                words(row["section"]),
                words(row["object"]),
                number(row["bytes"], integer),
            ]
            for row in rows
        ),
        sorted_by=3,
    )
