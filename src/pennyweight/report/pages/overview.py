"""The first page: what was measured, the result in a few sentences, every board at a glance."""

from __future__ import annotations

from dataclasses import dataclass

from pennyweight.analysis.facts import BoardFacts
from pennyweight.model import Kind
from pennyweight.report.data import NOT_VERIFIED, ReportData
from pennyweight.report.numbers import count, duration, frequency, integer, listed, rounded
from pennyweight.report.pages.shared import (
    KIND_TITLES,
    Ranking,
    algorithm_page,
    board_page,
    build_label,
    core_title,
    footnote,
    short_title,
)
from pennyweight.report.tables import Cell, Column, Table, TableRow, number, words


@dataclass(frozen=True, slots=True)
class Glance:
    """One kind of algorithm over all boards."""

    title: str
    lead: str
    table: Table


def opening(data: ReportData, rankings: list[Ranking]) -> list[str]:
    """Three sentences: what was measured, who is fastest where, who is smallest."""
    return [_what(data), *_headlines(rankings)]


def _what(data: ReportData) -> str:
    (facts,) = data.query(
        """
        SELECT count(*) AS measured,
               count(DISTINCT (algorithm, implementation)) AS implementations,
               count(DISTINCT algorithm) AS algorithms,
               list(DISTINCT flags ORDER BY flags DESC) AS flags,
               count(DISTINCT job) FILTER (starts_with(verified, ?)) AS unproved
        FROM rows WHERE status = 'ok'
        """,
        NOT_VERIFIED,
    )
    if not facts["measured"]:
        return "Nothing could be measured; the reasons are told under “Not measured”."
    checked = "checked against known answers on the part" if not facts["unproved"] else "built"
    return (
        f"{count(facts['implementations'], 'implementation')} of "
        f"{count(facts['algorithms'], 'algorithm')}, compiled with {listed(facts['flags'])}, were "
        f"{checked} and measured in simulations of "
        f"{count(len(data.boards), 'board')}: {count(facts['measured'], 'measurement')}."
    )


def _headlines(rankings: list[Ranking]) -> list[str]:
    """Sentences about the first kind of algorithm that was measured, one board for each part."""
    shown: dict[str, Ranking] = {}
    for ranking in rankings:
        if ranking.kind is rankings[0].kind:
            shown.setdefault(ranking.board.part or ranking.board.id, ranking)
    if not shown:
        return []
    ranked = list(shown.values())
    speed = [
        (r.fastest[0].title, f"{r.fastest[0].cycles:,} cycles{_aside(r)}", r.board) for r in ranked
    ]
    size = [(r.smallest[0].title, f"{r.smallest[0].flash:,} bytes", r.board) for r in ranked]
    return [
        f"To {ranked[0].reference.words}, {_who(speed, 'is fastest')}.",
        f"In flash, {_who(size, 'is smallest')}.",
    ]


def _aside(ranking: Ranking) -> str:
    time = ranking.fastest[0].time_us
    return "" if time is None else f" ({duration(time)})"


def _who(found: list[tuple[str, str, BoardFacts]], verb: str) -> str:
    """Who wins with what: one winner with all its boards, or a winner for each board."""
    if len({name for name, _, _ in found}) == 1:
        places = [f"{cost} on the {short_title(board)}" for _, cost, board in found]
        return f"{found[0][0]} {verb}: {listed(places)}"
    return "; ".join(
        f"{name} {verb} on the {short_title(board)}, with {cost}" for name, cost, board in found
    )


def glances(data: ReportData, rankings: list[Ranking]) -> list[Glance]:
    """A table for each kind: the fastest build of each algorithm on every board."""
    found = []
    for kind in data.kinds:
        own = [r for r in rankings if r.kind is kind]
        if own:
            found.append(Glance(KIND_TITLES[kind], _lead(own[0]), _table(data, kind, own)))
    return found


def _lead(ranking: Ranking) -> str:
    words_of = ranking.reference.words
    return f"Cycles to {words_of}: the fastest build of each algorithm on each board."


def _table(data: ReportData, kind: Kind, rankings: list[Ranking]) -> Table:
    best = {(b.algorithm, r.board.id): b for r in rankings for b in r.fastest}
    order = list(dict.fromkeys(b.algorithm for r in rankings for b in r.fastest))
    columns = [Column("Algorithm")]
    for ranking in rankings:
        columns.append(Column(short_title(ranking.board), "cycles", numeric=True))
        columns.append(Column("", "× the fastest", numeric=True))
    rows, labels = [], []
    for algorithm in order:
        cells = [words(data.title_of(algorithm), algorithm_page(algorithm))]
        for ranking in rankings:
            build = best.get((algorithm, ranking.board.id))
            if build is None:
                cells += [number(None, integer), number(None, rounded)]
                continue
            label = build_label(data, algorithm, build.implementation, build.flags)
            labels.append(label)
            cells.append(Cell(integer(build.cycles), build.cycles, small=label))
            cells.append(number(build.cycles / ranking.fastest[0].cycles, rounded))
        rows.append(TableRow(tuple(cells)))
    return Table(
        id=f"glance-{kind}",
        caption=_lead(rankings[0]),
        columns=tuple(columns),
        rows=tuple(rows),
        csv=f"glance-{kind}.csv",
        sorted_by=1,
        footnote=footnote(labels),
    )


def board_cards(data: ReportData, rankings: list[Ranking]) -> list[dict[str, object]]:
    """Each board with a line about it and the page that tells more."""
    return [
        {
            "title": board.title,
            "href": board_page(board.id),
            "traits": f"{core_title(board)}, {board.bits} bits, {frequency(board.hz)}"
            if board.core
            else "",
            "headlines": [
                (KIND_TITLES[r.kind], r.headline()) for r in rankings if r.board.id == board.id
            ],
        }
        for board in data.boards.values()
    ]
