"""An algorithm's page: every implementation on every board, and flash by function."""

from __future__ import annotations

from dataclasses import dataclass

from pennyweight.analysis.facts import AlgorithmFacts
from pennyweight.model import Kind
from pennyweight.report.builds import Build
from pennyweight.report.curve_figures import boards_figure
from pennyweight.report.data import ReportData
from pennyweight.report.figures import Figure
from pennyweight.report.numbers import integer
from pennyweight.report.pages.shared import (
    Ranking,
    board_page,
    builds_table,
    implementation_page,
    short_title,
)
from pennyweight.report.tables import Column, Table, number, rows_of, words


@dataclass(frozen=True, slots=True)
class Measured:
    """The content for one algorithm: a figure, every build, and flash by function."""

    figure: Figure | None
    table: Table
    symbols: Table | None


def traits(facts: AlgorithmFacts) -> list[tuple[str, str]]:
    """The properties of an algorithm, as pairs of name and value."""
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
    if facts.attack:
        pairs.append(("Best known attack", f"{facts.attack} {facts.attack_source}"))
    if facts.specification:
        pairs.append(("Specification", facts.specification))
    return pairs


def measured(data: ReportData, algorithm: str, rankings: list[Ranking]) -> Measured | None:
    """The measurements on all boards; None if there are none."""
    kind = Kind(data.algorithms[algorithm].kind)
    found = [
        (ranking, own)
        for ranking in rankings
        if ranking.kind is kind and (own := ranking.of_algorithm(algorithm))
    ]
    if not found:
        return None
    return Measured(
        figure=boards_figure(data, algorithm, {r.board.id: own for r, own in found}),
        table=builds_table(
            data,
            [(ranking, build) for ranking, own in found for build in own],
            f"{algorithm}-builds",
            f"Cost to {found[0][0].reference.words}, by board",
            by_board=True,
        ),
        symbols=_symbols(data, algorithm, found),
    )


def _symbols(
    data: ReportData, algorithm: str, found: list[tuple[Ranking, list[Build]]]
) -> Table | None:
    """The largest functions of the fastest and the smallest build on each board."""
    rows = []
    for ranking, own in found:
        smallest = min(own, key=lambda b: (b.flash, b.cycles))
        for build in dict.fromkeys([own[0], smallest]):
            largest = data.largest_symbols.get(build.job)
            if largest:
                rows.append(
                    [
                        words(short_title(ranking.board), board_page(ranking.board.id)),
                        words(
                            build.implementation,
                            implementation_page(algorithm, build.implementation),
                        ),
                        words(build.flags),
                        number(build.flash, integer),
                        words(", ".join(f"{r['name']} {r['bytes']:,}" for r in largest)),
                    ]
                )
    if not rows:
        return None
    return Table(
        id=f"{algorithm}-largest",
        caption="Largest functions and objects of the fastest and the smallest build",
        columns=(
            Column("Board"),
            Column("Implementation"),
            Column("Flags"),
            Column("Flash", "bytes", numeric=True),
            Column("Largest functions and objects (bytes)", long=True),
        ),
        rows=rows_of(rows),
        csv=f"{algorithm}-largest.csv",
    )
