"""The first page: what was measured, the result in a few sentences, every board at a glance."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import pyarrow as pa

from pennyweight.analysis.facts import BoardFacts
from pennyweight.analysis.means import geometric
from pennyweight.model import Kind
from pennyweight.report.data import NOT_VERIFIED, ReportData
from pennyweight.report.numbers import count, duration, frequency, integer, listed, times
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
    table: Table
    means: Table | None


def opening(data: ReportData, rankings: list[Ranking]) -> list[str]:
    """Three sentences: what was measured, who is fastest where, who is smallest."""
    return [_what(data), *_headlines(rankings)]


def _what(data: ReportData) -> str:
    (facts,) = data.query(
        """
        SELECT count(*) AS measured,
               count(DISTINCT (algorithm, implementation)) AS implementations,
               count(DISTINCT algorithm) AS algorithms,
               list(DISTINCT flags ORDER BY flags DESC) AS flags
        FROM rows WHERE status = 'ok'
        """
    )
    if not facts["measured"]:
        return "Nothing could be measured; the reasons are told under “Not measured”."
    return (
        f"{count(facts['implementations'], 'implementation')} of "
        f"{count(facts['algorithms'], 'algorithm')}, compiled with {listed(facts['flags'])}, were "
        f"measured in simulations of "
        f"{count(len(data.boards), 'board')}: {count(facts['measured'], 'measurement')}."
    )


_RECORDS = re.compile(r"(all|\d+ of) (\d+) (?!round trips)")


def proof(data: ReportData) -> str:
    """How much of the official known answers the builds were checked against before."""
    rows = data.query(
        "SELECT verified, count(*) AS jobs FROM builds WHERE measured > 0 GROUP BY verified"
    )
    complete = partial = none = answered = official = 0
    for row in rows:
        records = [
            (int(total) if part == "all" else int(part.split()[0]), int(total))
            for part, total in _RECORDS.findall(row["verified"])
        ]
        if row["verified"].startswith(NOT_VERIFIED):
            none += row["jobs"]
        elif all(done == total for done, total in records):
            complete += row["jobs"]
        else:
            partial += row["jobs"]
        answered += row["jobs"] * sum(done for done, _ in records)
        official += row["jobs"] * sum(total for _, total in records)
    parts = []
    spread = (
        "a spread of the official known answers on the simulated part, not all of them: "
        f"{answered:,} of {official:,} records, besides forgeries that it had to reject"
    )
    if complete:
        parts.append(
            f"{_builds(complete, partial + none)} first answered all official known answers on "
            "the simulated part."
        )
    if partial:
        parts.append(f"{_builds(partial, complete + none)} first answered {spread}.")
    if none:
        parts.append(f"{_builds(none, complete + partial)} had no known answers to be held to.")
    return " ".join(parts)


def _builds(number: int, others: int) -> str:
    return count(number, "build") if others else "Each build"


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


_MOST_NAMED = 4
"""Boards of which a sentence tells each winner; of more it tells who wins how often."""


def _who(found: list[tuple[str, str, BoardFacts]], verb: str) -> str:
    """Who wins with what: one winner with all its boards, or a winner for each board."""
    if len(found) > _MOST_NAMED:
        wins = Counter(name for name, _, _ in found).most_common()
        if len(wins) == 1:
            return f"{wins[0][0]} {verb} on all {len(found)} parts"
        named = [f"on {number} {name}" for name, number in wins[:_MOST_NAMED]]
        rest = sum(number for _, number in wins[_MOST_NAMED:])
        more = [f"on {rest} another"] if rest else []
        return f"of {len(found)} parts, {listed(named + more)} {verb}"
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
            found.append(Glance(KIND_TITLES[kind], _table(data, kind, own), _means(data, own)))
    return found


_MOST_COLUMNS = 8
"""Algorithms beside each other that a screen has room for."""

_MOST_LABELLED = 4
"""Algorithms beside each other whose cells have room for the build's name."""


def _ratios(rankings: list[Ranking]) -> dict[str, list[float]]:
    """Each algorithm's cycles by those of the fastest, board by board, the best mean first."""
    found: dict[str, list[float]] = {}
    for ranking in rankings:
        for build in ranking.fastest:
            ratio = build.cycles / ranking.fastest[0].cycles
            found.setdefault(build.algorithm, []).append(ratio)
    return dict(
        sorted(found.items(), key=lambda each: (-len(each[1]), geometric(each[1]).mean, each[0]))
    )


def _columns(data: ReportData, ratios: dict[str, list[float]]) -> list[str]:
    """The algorithms that the table of boards has room for: baselines, and the fastest."""
    first = [name for name in ratios if name in data.baselines][:_MOST_COLUMNS]
    others = [name for name in ratios if name not in first]
    chosen = first + others[: _MOST_COLUMNS - len(first)]
    return [name for name in ratios if name in chosen]


def _table(data: ReportData, kind: Kind, rankings: list[Ranking]) -> Table:
    """Boards down, algorithms across."""
    ratios = _ratios(rankings)
    shown = _columns(data, ratios)
    rows, labels, numbers = [], [], []
    for ranking in rankings:
        best = {b.algorithm: b for b in ranking.fastest}
        cells = [words(short_title(ranking.board), board_page(ranking.board.id))]
        for algorithm in shown:
            if algorithm not in best:
                cells.append(number(None, integer))
                continue
            build = best[algorithm]
            label = build_label(data, algorithm, build.implementation, build.flags)
            labels.append(label)
            small = f"{times(build.cycles / ranking.fastest[0].cycles)} ×"
            if len(shown) <= _MOST_LABELLED:
                small = f"{small} · {label}"
            text = f"{integer(build.cycles)}{data.mark(algorithm, build.implementation)}"
            cells.append(Cell(text, build.cycles, small=small, note=label))
        rows.append(TableRow(tuple(cells)))
        numbers += [
            {
                "algorithm": build.algorithm,
                "board": ranking.board.id,
                "implementation": build.implementation,
                "flags": build.flags,
                "op": ranking.reference.op.value,
                "ad_bytes": ranking.reference.ad,
                "message_bytes": ranking.reference.m,
                "cycles": build.cycles,
                "times_the_fastest": build.cycles / ranking.fastest[0].cycles,
                "flash_bytes": build.flash,
                "ram_and_stack_bytes": build.ram_total,
            }
            for build in ranking.fastest
        ]
    some = ""
    if len(shown) < len(ratios):
        some = (
            f" Shown are {len(shown)} of {len(ratios)} algorithms: what all are compared with, and "
            "the fastest; the others stand in the next table and on the boards’ pages."
        )
    return Table(
        id=f"glance-{kind}",
        caption=(
            f"Cycles to {rankings[0].reference.words}, by the fastest build of each algorithm on "
            f"each board; below, how many times as long as the board’s fastest.{some}"
        ),
        columns=(
            Column("Board"),
            *(
                Column(data.title_of(name), "cycles", numeric=True, href=algorithm_page(name))
                for name in shown
            ),
        ),
        rows=tuple(rows),
        csv=f"glance-{kind}.csv",
        filters=True,
        choose="Algorithm",
        example="such as STM32",
        footnote=footnote(labels),
        numbers=pa.Table.from_pylist(numbers),
    )


def _means(data: ReportData, rankings: list[Ranking]) -> Table | None:
    """Every algorithm over the boards that it was measured on; None for a single board."""
    if len(rankings) < 2:
        return None
    boards = {
        algorithm: [r for r in rankings if any(b.algorithm == algorithm for b in r.fastest)]
        for algorithm in _ratios(rankings)
    }
    rows = []
    for algorithm, ratios in _ratios(rankings).items():
        own = boards[algorithm]
        spread = geometric(ratios)
        best, worst = min(ratios), max(ratios)
        rows.append(
            TableRow(
                (
                    words(data.title_of(algorithm), algorithm_page(algorithm)),
                    number(spread.mean, times),
                    number(spread.deviation, times),
                    number(sum(ratio == 1 for ratio in ratios), integer),
                    number(len(own), integer),
                    Cell(
                        f"{times(best)} ×", best, small=short_title(own[ratios.index(best)].board)
                    ),
                    Cell(
                        f"{times(worst)} ×",
                        worst,
                        small=short_title(own[ratios.index(worst)].board),
                    ),
                )
            )
        )
    kind = rankings[0].kind
    everywhere = len({len(own) for own in boards.values()}) == 1
    return Table(
        id=f"means-{kind}",
        caption=(
            f"How many times as long as the board’s fastest algorithm each takes to "
            f"{rankings[0].reference.words}: geometric mean over the boards, and the factor by "
            "which boards lie around it (geometric standard deviation)."
            + ("" if everywhere else " What was measured on the most boards comes first.")
        ),
        columns=(
            Column("Algorithm"),
            Column("Mean", "times the fastest", numeric=True),
            Column("Deviation", "factor", numeric=True),
            Column("Fastest on", "boards", numeric=True),
            Column("Measured on", "boards", numeric=True),
            Column("Best", "times the fastest", numeric=True),
            Column("Worst", "times the fastest", numeric=True),
        ),
        rows=tuple(rows),
        csv=f"means-{kind}.csv",
        sorted_by=1 if everywhere else None,
        filters=True,
        example="such as ascon",
    )


def board_cards(data: ReportData, rankings: list[Ranking]) -> list[dict[str, object]]:
    """Each board with a line about it and the page that tells more."""
    return [
        {
            "id": board.id,
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


def validated(boards: Iterable[BoardFacts]) -> str:
    """Which boards have been compared with real ones, in a sentence."""
    known = [short_title(board) for board in boards if board.validation]
    if not known:
        return "No board here has been compared with a real one: all are not validated."
    return (
        f"Compared with real boards: {', '.join(known)}; their pages tell how far they lie apart. "
        "The others are not validated."
    )
