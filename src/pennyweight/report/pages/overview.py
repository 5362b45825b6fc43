"""The first page: a summary of measurements and results, and an overview of the boards."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

import pyarrow as pa

from pennyweight.analysis.advice import status_of
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
    """Three sentences: what was measured, which algorithm is fastest, and which is smallest."""
    return [_what(data), *_headlines(rankings)]


def _what(data: ReportData) -> str:
    (facts,) = data.query(
        """
        SELECT count(*) AS measured,
               count(DISTINCT (algorithm, implementation)) AS implementations,
               count(DISTINCT algorithm) AS algorithms,
               list(DISTINCT flags ORDER BY flags DESC) FILTER (random IS NULL) AS flags
        FROM rows WHERE status = 'ok'
        """
    )
    if not facts["measured"]:
        return "No case could be measured; “Not measured” lists the reasons."
    flags = listed(facts["flags"] or ["the flags of masked builds"])
    return (
        f"{count(facts['implementations'], 'implementation')} of "
        f"{count(facts['algorithms'], 'algorithm')}, compiled with {flags} and "
        f"measured on {_boards(data)}: "
        f"{count(facts['measured'], 'measurement')}."
    )


def _boards(data: ReportData) -> str:
    real = len(data.real)
    simulated = len(data.boards) - real
    kinds = ((simulated, "simulated board"), (real, "real board"))
    return listed([count(number, kind) for number, kind in kinds if number])


_RECORDS = re.compile(r"(all|\d+ of) (\d+) (?!round trips)")


def proof(data: ReportData) -> str:
    """The share of the official known answers that verified the builds."""
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
        f"a sample of the official known-answer tests on the {data.part} "
        f"({answered:,} of {official:,} records) and rejected forgeries"
    )
    if complete:
        parts.append(
            f"{_builds(complete, partial + none)} passed all official known-answer tests on the "
            f"{data.part} before measurement."
        )
    if partial:
        parts.append(f"{_builds(partial, complete + none)} passed {spread} before measurement.")
    if none:
        parts.append(f"{_builds(none, complete + partial)} had no known answers to verify against.")
    return " ".join(parts)


def _builds(number: int, others: int) -> str:
    return count(number, "build") if others else "Each build"


def _headlines(rankings: list[Ranking]) -> list[str]:
    """Sentences about the first kind of algorithm, with one board for each part."""
    shown: dict[str, Ranking] = {}
    for ranking in rankings:
        if ranking.kind is rankings[0].kind:
            shown.setdefault(ranking.board.part or ranking.board.id, ranking)
    if not shown:
        return []
    ranked = list(shown.values())
    speed = [(r.first.title, f"{r.first.cycles:,} cycles{_aside(r)}", r.board) for r in ranked]
    small = [(r.recommended(r.smallest)[0], r.board) for r in ranked]
    size = [(build.title, f"{build.flash:,} bytes", board) for build, board in small]
    return [
        f"Fastest to {ranked[0].reference.words}: {_winners(speed)}.",
        f"Smallest in flash: {_winners(size)}.",
    ]


def _aside(ranking: Ranking) -> str:
    time = ranking.first.time_us
    return "" if time is None else f" ({duration(time)})"


_MOST_NAMED = 4
"""Maximum number of boards whose winners are listed individually; for more, winners are counted."""


def _winners(found: list[tuple[str, str, BoardFacts]]) -> str:
    """The winners with their boards: individually for few boards, counted for many."""
    if len(found) > _MOST_NAMED:
        wins = Counter(name for name, _, _ in found).most_common()
        if len(wins) == 1:
            return f"{wins[0][0]} on all {len(found)} parts"
        parts = [f"{name} on {number}" for name, number in wins[:_MOST_NAMED]]
        parts[0] += f" of {len(found)} parts"
        rest = sum(number for _, number in wins[_MOST_NAMED:])
        return ", ".join(parts + ([f"others on {rest}"] if rest else []))
    if len({name for name, _, _ in found}) == 1:
        places = [f"{cost} on the {short_title(board)}" for _, cost, board in found]
        return f"{found[0][0]}, with {listed(places)}"
    return "; ".join(
        f"{name} on the {short_title(board)}, with {cost}" for name, cost, board in found
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
"""Number of algorithms that fit next to each other on a screen."""

_MOST_LABELLED = 4
"""Number of algorithms next to each other whose cells have room for the build's name."""


def _ratios(rankings: list[Ranking]) -> dict[str, list[float]]:
    """Each algorithm's cycles divided by those of the fastest, by board; best mean first."""
    found: dict[str, list[float]] = {}
    for ranking in rankings:
        for build in ranking.fastest:
            ratio = build.cycles / ranking.fastest[0].cycles
            found.setdefault(build.algorithm, []).append(ratio)
    return dict(
        sorted(found.items(), key=lambda each: (-len(each[1]), geometric(each[1]).mean, each[0]))
    )


def _columns(data: ReportData, ratios: dict[str, list[float]]) -> list[str]:
    """The algorithms that fit into the table of boards: baselines, and the fastest."""
    first = [name for name in ratios if name in data.baselines][:_MOST_COLUMNS]
    others = [name for name in ratios if name not in first]
    chosen = first + others[: _MOST_COLUMNS - len(first)]
    return [name for name in ratios if name in chosen]


def _table(data: ReportData, kind: Kind, rankings: list[Ranking]) -> Table:
    """A row for each board, a column for each algorithm."""
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
            f" The table shows {len(shown)} of {len(ratios)} algorithms: the baselines and the "
            "fastest. The next table and the boards’ pages show all."
        )
    return Table(
        id=f"glance-{kind}",
        caption=(
            f"Cycles to {rankings[0].reference.words}, for the fastest build of each algorithm on "
            f"each board, and the ratio to the board’s fastest algorithm.{some}"
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
    """Every algorithm's mean over the boards that it was measured on; None for a single board."""
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
                    words(status_of(data.algorithms[algorithm])),
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
            f"Cycles to {rankings[0].reference.words}, relative to the board’s fastest algorithm: "
            "geometric mean and geometric standard deviation over the boards."
            + ("" if everywhere else " Algorithms measured on the most boards come first.")
        ),
        columns=(
            Column("Algorithm"),
            Column("Status"),
            Column("Mean", "times the fastest", numeric=True),
            Column("Deviation", "factor", numeric=True),
            Column("Fastest on", "boards", numeric=True),
            Column("Measured on", "boards", numeric=True),
            Column("Best", "times the fastest", numeric=True),
            Column("Worst", "times the fastest", numeric=True),
        ),
        rows=tuple(rows),
        csv=f"means-{kind}.csv",
        sorted_by=2 if everywhere else None,
        filters=True,
        example="such as ascon",
    )


def board_cards(data: ReportData, rankings: list[Ranking]) -> list[dict[str, object]]:
    """Each board with a line about it and a link to its page."""
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


def counted(data: ReportData) -> str:
    """How cycles were counted, in sentences."""
    simulated = "Cycles are counted by simulators that follow the cores’ manuals."
    both = [simulated] if data.real < set(data.boards) else []
    return " ".join([*both, counted_by_parts(data)]).strip()


def counted_by_parts(data: ReportData) -> str:
    """How cycles were counted on real boards, in a sentence; empty if there are none."""
    if not data.real:
        return ""
    begin = "On real boards, cycles" if data.real < set(data.boards) else "Cycles"
    return (
        f"{begin} are counted by the part’s own counter, whose overhead is subtracted; a figure is "
        "the median of repeated calls, and its spread is the largest count minus the smallest."
    )


def validated(data: ReportData) -> str:
    """The simulated boards that have been compared with real ones, in a sentence."""
    boards = [board for name, board in data.boards.items() if name not in data.real]
    if not boards:
        return ""
    known = [short_title(board) for board in boards if board.compared]
    if not known:
        which = "simulated boards" if data.real else "boards"
        return f"None of these {which} has been validated against a real one."
    compared = f"Compared with real boards: {', '.join(known)}; their pages state the errors."
    if len(known) == len(boards):
        return compared
    return f"{compared} The others were not; their pages state the class of each."
