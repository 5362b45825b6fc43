"""An algorithm's page: every implementation on every board, and where its bytes go."""

from __future__ import annotations

from dataclasses import dataclass

from pennyweight.analysis.facts import AlgorithmFacts, BoardFacts
from pennyweight.model import Kind
from pennyweight.report.builds import Build
from pennyweight.report.data import ReportData
from pennyweight.report.figures import Figure, builds_figure
from pennyweight.report.numbers import integer
from pennyweight.report.pages.shared import Ranking, board_page, builds_table
from pennyweight.report.tables import Column, Table, number, rows_of, words

_MOST_SYMBOLS = 10


@dataclass(frozen=True, slots=True)
class BoardSection:
    """One board on an algorithm's page."""

    board: BoardFacts
    href: str
    figure: Figure | None
    table: Table
    symbols: list[Table]


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


def sections(data: ReportData, algorithm: str, rankings: list[Ranking]) -> list[BoardSection]:
    """A section for each board on which the algorithm was measured."""
    kind = Kind(data.algorithms[algorithm].kind)
    found = []
    for ranking in rankings:
        own = [b for b in ranking.builds if b.algorithm == algorithm]
        if ranking.kind is not kind or not own:
            continue
        smallest = min(own, key=lambda b: (b.flash, b.cycles))
        shown = list(dict.fromkeys([own[0].job, smallest.job]))
        found.append(
            BoardSection(
                board=ranking.board,
                href=board_page(ranking.board.id),
                figure=builds_figure(data, ranking.board, algorithm, ranking.builds),
                table=builds_table(
                    data, ranking, own, f"{ranking.board.id}-{algorithm}-table", algorithm=False
                ),
                symbols=[
                    table
                    for build in own
                    if build.job in shown and (table := _symbols(data, ranking.board, build))
                ],
            )
        )
    return found


def _symbols(data: ReportData, board: BoardFacts, build: Build) -> Table | None:
    """The largest functions and objects of one build."""
    rows = data.query(
        "SELECT name, section, object, bytes FROM symbols WHERE job = ? "
        "ORDER BY bytes DESC, name, object LIMIT ?",
        build.job,
        _MOST_SYMBOLS,
    )
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
