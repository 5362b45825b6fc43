"""The phases of a message: start, update, finish, and all of them by length."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from pennyweight.analysis.facts import BoardFacts
from pennyweight.analysis.phases import Phases, phases_of
from pennyweight.analysis.rates import time_us
from pennyweight.charts.bars import Bar, Bars
from pennyweight.charts.curves import Curves, Line
from pennyweight.charts.palette import MOST_LINES
from pennyweight.model import Operation
from pennyweight.report.data import NOT_CONSTANT_TIME
from pennyweight.report.figures import Figure
from pennyweight.report.numbers import count, integer, listed, rounded
from pennyweight.report.pages.shared import algorithm_page, footnote, short_title
from pennyweight.report.studies.builds import line_styles_for
from pennyweight.report.studies.section import Section
from pennyweight.report.studies.view import StudyView
from pennyweight.report.tables import Cell, Column, Table, TableRow, number, words

_ROWS = """
SELECT algorithm, implementation, flags, op, ad, m, cycles FROM study_rows
WHERE board = ? AND cycles IS NOT NULL AND kind IN ('aead', 'auth')
ORDER BY algorithm, implementation, flags, ad, m, op
"""
_OPENING = (Operation.DECRYPT.value, Operation.VERIFY.value)
_ONE_SHOT = (Operation.ENC.value, Operation.AUTH.value)


@dataclass(frozen=True, slots=True)
class Message:
    """One message with one build; lengths in bytes, `one_shot` the cycles of the whole call."""

    algorithm: str
    implementation: str
    flags: str
    ad: int
    m: int
    phases: Phases
    one_shot: int | None

    @property
    def length(self) -> int:
        """Bytes of everything that is authenticated."""
        return self.ad + self.m


def messages(view: StudyView, board: BoardFacts, encrypted: bool) -> dict[str, list[Message]]:
    """By algorithm, the messages of its fastest build, by length; fastest algorithm first.

    `encrypted`: an AEAD's messages with plaintext, otherwise those that are only authenticated.
    """
    auths = {name for name, facts in view.data.algorithms.items() if facts.kind == "auth"}
    cycles: dict[tuple[str, str, str], dict[tuple[int, int], dict[str, int]]] = {}
    for row in view.query(_ROWS, board.id):
        if row["op"] in _OPENING or ((row["algorithm"] not in auths and row["m"] > 0) != encrypted):
            continue
        build = (row["algorithm"], row["implementation"], row["flags"])
        lengths = (row["ad"], row["m"])
        cycles.setdefault(build, {}).setdefault(lengths, {})[row["op"]] = row["cycles"]
    best: dict[str, list[Message]] = {}
    for build, by_length in cycles.items():
        found = [
            Message(*build, ad, m, phases, _first(ops))
            for (ad, m), ops in by_length.items()
            if (phases := _phases(ops, ad, m, build[0] in auths)) is not None
        ]
        found.sort(key=lambda message: message.length)
        if found and (build[0] not in best or _total(found) < _total(best[build[0]])):
            best[build[0]] = found
    return dict(sorted(best.items(), key=lambda item: _total(item[1])))


def _first(ops: dict[str, int]) -> int | None:
    return next((ops[op] for op in _ONE_SHOT if op in ops), None)


def _phases(ops: dict[str, int], ad: int, m: int, is_mac: bool) -> Phases | None:
    parts = {Operation(op): value for op, value in ops.items() if op not in _ONE_SHOT}
    return phases_of(parts, ad, m, starts_from_copy=is_mac)


def _total(found: list[Message]) -> int:
    return sum(message.phases.total for message in found)


def section(view: StudyView) -> Section | None:
    """For each board, a figure and a table of authentication only, and of encryption."""
    figures, tables = [], []
    for board in view.boards:
        for encrypted in (False, True):
            found = messages(view, board, encrypted)
            if not found:
                continue
            name = "ae" if encrypted else "ao"
            figure = _figure(view, board, encrypted, found, view.slug(board.id, name))
            if figure is not None:
                figures.append(figure)
            if board.hz:
                figures.append(
                    _bars(view, board, encrypted, found, view.slug(board.id, name, "bars"))
                )
            tables.append(
                _table(view, board, encrypted, found, view.slug(board.id, name, "phases"))
            )
    if not tables:
        return None
    return Section(
        title="Start, update, finish",
        words=(
            "The phases are successive calls of the incremental API. Start processes the nonce, "
            "update the data, and finish completes the message and computes the tag. If the "
            "implementation has a separate key setup, it runs before; otherwise start includes it. "
            "A MAC without a nonce starts from a copy of the keyed state, which is not counted. "
            "Each algorithm is represented by its fastest implementation over all messages.",
        ),
        figures=tuple(figures),
        tables=tuple(tables),
    )


def _what(encrypted: bool) -> str:
    return "Authenticated encryption" if encrypted else "Authentication only"


def _named(view: StudyView, message: Message) -> str:
    mark = view.data.mark(message.algorithm, message.implementation)
    return view.data.title_of(message.algorithm) + mark


def _figure(
    view: StudyView,
    board: BoardFacts,
    encrypted: bool,
    found: dict[str, list[Message]],
    slug: str,
) -> Figure | None:
    drawn = dict(list(found.items())[:MOST_LINES])
    styles = line_styles_for(view, list(drawn))
    lines = tuple(
        Line(
            _named(view, own[0]),
            tuple((each.length, time_us(each.phases.total, board.hz) or 0.0) for each in own),
            styles[name],
        )
        for name, own in drawn.items()
        if len(own) > 2
    )
    if not lines or not board.hz:
        return None
    left_out = [view.data.title_of(name) for name in found if name not in drawn]
    marked = any("†" in line.name for line in lines)
    return Figure(
        slug=slug,
        title=f"{_what(encrypted)} on the {short_title(board)}",
        caption=(
            "Microseconds of start, update and finish together, by the number of authenticated "
            "bytes"
            + (", including associated data" if encrypted else "")
            + (f". Slower algorithms that are not shown: {listed(left_out)}" if left_out else "")
            + f".{' ' + NOT_CONSTANT_TIME if marked else ''}"
        ),
        label=(
            f"Line chart for the {board.title}: microseconds at the longest message: "
            + ", ".join(f"{line.name} {rounded(line.points[-1][1])}" for line in lines)
            + "."
        ),
        chart=Curves("Time (µs)", lines, below="Authenticated data (bytes)"),
        numbers=_numbers(board, found),
    )


def _bars(
    view: StudyView,
    board: BoardFacts,
    encrypted: bool,
    found: dict[str, list[Message]],
    slug: str,
) -> Figure:
    """The phases of the shortest message, in which start and finish take the largest share."""
    shortest = min(own[0].length for own in found.values())
    shown = [own[0] for own in found.values() if own[0].length == shortest]

    def times(phases: Phases) -> tuple[float, ...]:
        return tuple(
            time_us(value, board.hz) or 0.0
            for value in (phases.start, phases.update, phases.finish)
        )

    bars = tuple(
        Bar(_named(view, each), times(each.phases))
        for each in sorted(shown, key=lambda each: each.phases.total)
    )
    return Figure(
        slug=slug,
        title=f"{_what(encrypted)} of {count(shortest, 'byte')}, by phase",
        caption=(
            "Microseconds of each phase of the shortest message"
            + (f", {count(shown[0].ad, 'byte')} of it associated data" if encrypted else "")
            + f", on the {short_title(board)}. In short messages, start and finish dominate."
            + (f" {NOT_CONSTANT_TIME}" if any("†" in bar.name for bar in bars) else "")
        ),
        label=(
            f"Stacked bars of start, update and finish in microseconds on the {board.title}: "
            + ", ".join(f"{bar.name} {rounded(sum(bar.values))}" for bar in bars)
            + "."
        ),
        chart=Bars("Time (µs)", ("Start", "Update", "Finish"), bars),
        numbers=_numbers(board, {each.algorithm: [each] for each in shown}),
    )


def _table(
    view: StudyView,
    board: BoardFacts,
    encrypted: bool,
    found: dict[str, list[Message]],
    slug: str,
) -> Table:
    labels, lines = [], []
    for own in found.values():
        label = view.build_label(own[0].algorithm, own[0].implementation, own[0].flags)
        labels.append(label)
        name = words(view.data.title_of(own[0].algorithm), algorithm_page(own[0].algorithm))
        for message in (own[0], own[-1])[: len(own)]:
            phases = message.phases
            times = [
                None if value is None else time_us(value, board.hz)
                for value in (phases.key, phases.start, phases.update, phases.finish, phases.total)
            ]
            lines.append(
                TableRow(
                    (
                        Cell(name.text, name.value, name.href, small=label),
                        number(message.length, integer),
                        *(number(value, rounded) for value in times),
                        number(message.one_shot, integer),
                    )
                )
            )
    return Table(
        id=slug,
        caption=(
            f"{_what(encrypted)} on the {short_title(board)}: the shortest and the longest message "
            f"of {count(max(len(own) for own in found.values()), 'length')}"
        ),
        columns=(
            Column("Algorithm"),
            Column("Length", "bytes", numeric=True),
            Column(
                "Key",
                "µs",
                numeric=True,
                note="Set up before the message; not included in the sum.",
            ),
            Column("Start", "µs", numeric=True),
            Column("Update", "µs", numeric=True),
            Column("Finish", "µs", numeric=True),
            Column("Together", "µs", numeric=True),
            Column("One call", "cycles", numeric=True, note="The one-shot function."),
        ),
        rows=tuple(lines),
        csv=f"{slug}.csv",
        footnote=footnote(labels),
        numbers=_numbers(board, found),
    )


def _numbers(board: BoardFacts, found: dict[str, list[Message]]) -> pa.Table:
    return pa.Table.from_pylist(
        [
            {
                "algorithm": each.algorithm,
                "implementation": each.implementation,
                "flags": each.flags,
                "board": board.id,
                "ad": each.ad,
                "m": each.m,
                "key_cycles": each.phases.key,
                "start_cycles": each.phases.start,
                "update_cycles": each.phases.update,
                "finish_cycles": each.phases.finish,
                "one_shot_cycles": each.one_shot,
                "time_us": time_us(each.phases.total, board.hz),
            }
            for own in found.values()
            for each in own
        ]
    )
