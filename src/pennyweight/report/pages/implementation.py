"""An implementation's page: all boards and flags, its phases, its bytes, and where it is from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pyarrow as pa

from pennyweight.charts.bars import Bar, Bars
from pennyweight.model import Kind, Operation
from pennyweight.report.builds import Build
from pennyweight.report.data import NOT_VERIFIED, ReportData, Row
from pennyweight.report.figures import Figure
from pennyweight.report.numbers import count, integer
from pennyweight.report.pages.compilers import Comparison, comparison
from pennyweight.report.pages.missing import missing_table
from pennyweight.report.pages.shared import (
    Ranking,
    algorithm_page,
    board_page,
    builds_table,
    implementation_page,
    short_title,
)
from pennyweight.report.tables import Cell, Column, Table, number, rows_of, words

PHASES: tuple[tuple[str, tuple[Operation, ...]], ...] = (
    ("Initialise", (Operation.INIT,)),
    ("Associated data", (Operation.AD,)),
    ("Message", (Operation.ENCRYPT, Operation.UPDATE, Operation.SQUEEZE)),
    ("Finalise and tag", (Operation.FINALIZE, Operation.TAG)),
)
"""The phases of a message, and the parts of the incremental API that they are made of."""

_MOST_SYMBOLS = 10
"""Functions and objects that a page shows of a board, the largest first; a file has all."""

_SYMBOLS = """
SELECT b.board, b.flags, s.name, s.section, s.object, sum(s.bytes)::BIGINT AS bytes
FROM symbols AS s JOIN builds AS b USING (job)
WHERE b.algorithm = ? AND b.implementation = ?
GROUP BY ALL ORDER BY b.board, bytes DESC, s.name
"""

_ORIGINS = """
SELECT board, flags, job, compiler, compiler_version, sources_sha256, verified, notes, host_time
FROM builds WHERE algorithm = ? AND implementation = ? ORDER BY board, flags
"""

_PARTS = """
SELECT board, flags, ad, m, op, cycles, job FROM rows
WHERE algorithm = ? AND implementation = ? AND cycles IS NOT NULL AND list_contains(?, op)
ORDER BY board, flags, ad, m, op
"""


@dataclass(frozen=True, slots=True)
class Page:
    """What an implementation's page shows."""

    file: str
    title: str
    algorithm: str
    algorithm_href: str
    traits: list[tuple[str, str]]
    warning: str
    notes: list[str]
    figures: list[Figure]
    table: Table | None
    compilers: Comparison | None
    missing: Table | None
    symbols: list[tuple[str, Table]]
    origins: Table


def pages(data: ReportData, rankings: list[Ranking]) -> Iterator[Page]:
    """A page for each implementation, in order."""
    for row in data.query(
        "SELECT DISTINCT algorithm, implementation FROM rows ORDER BY algorithm, implementation"
    ):
        yield _page(data, rankings, row["algorithm"], row["implementation"])


def _page(data: ReportData, rankings: list[Ranking], algorithm: str, name: str) -> Page:
    origins = data.query(_ORIGINS, algorithm, name)
    kind = Kind(data.algorithms[algorithm].kind)
    builds = [
        (ranking, build)
        for ranking in rankings
        if ranking.kind is kind
        for build in ranking.of_algorithm(algorithm)
        if build.implementation == name
    ]
    slug = f"{algorithm}--{name}"
    return Page(
        file=implementation_page(algorithm, name),
        title=f"{data.title_of(algorithm)}, {name}",
        algorithm=data.title_of(algorithm),
        algorithm_href=algorithm_page(algorithm),
        traits=_traits(data, algorithm, name, origins),
        warning=_warning(data, algorithm, name),
        notes=_notes(data, origins),
        figures=[f for f in [_phases(data, algorithm, name, slug)] if f is not None],
        table=_builds(data, builds, algorithm, slug) if builds else None,
        compilers=comparison(data, builds, {row["job"]: row["compiler"] for row in origins}, slug),
        missing=missing_table(data, of=(algorithm, name), slug=slug),
        symbols=_symbols(data, algorithm, name, slug),
        origins=_origins(data, origins, slug),
    )


def _builds(
    data: ReportData, builds: list[tuple[Ranking, Build]], algorithm: str, slug: str
) -> Table:
    """Its rows of the algorithm's table, whose file has them too."""
    caption = f"Cost to {builds[0][0].reference.words}, by board"
    table = builds_table(data, builds, f"{slug}-builds", caption, by_board=True)
    return replace(table, csv=f"{algorithm}-builds.csv")


def _traits(
    data: ReportData, algorithm: str, name: str, origins: list[Row]
) -> list[tuple[str, str]]:
    facts = data.implementations.get((algorithm, name))
    steady = None if facts is None else facts.constant_time
    words_of = {True: "yes, according to its author", False: "no", None: "unknown"}
    pairs = [("Constant time", words_of[steady])]
    if facts is not None and facts.word_bits:
        pairs.append(("Written for", f"{facts.word_bits}-bit words"))
    if facts is not None and facts.meant_for:
        pairs.append(("Meant for", facts.meant_for))
    if facts is not None and facts.license:
        pairs.append(("Licence", facts.license))
    if facts is not None and facts.remarks:
        pairs.append(("Author's notes", facts.remarks))
    sources = sorted({row["sources_sha256"] for row in origins})
    if len(sources) == 1:
        pairs.append(("Sources", f"SHA-256 {sources[0][:12]}…"))
    pairs.append(("Built for", count(len({row["board"] for row in origins}), "board")))
    return pairs


def _warning(data: ReportData, algorithm: str, name: str) -> str:
    if not data.mark(algorithm, name):
        return ""
    return (
        "According to its author, this implementation is not constant-time: its timing or its "
        "memory accesses may depend on key or message."
    )


def _notes(data: ReportData, origins: list[Row]) -> list[str]:
    """Remarks from building, verifying and measuring; each once, with its boards."""
    found: dict[str, list[str]] = {}
    for row in origins:
        for note in _lines(row["notes"]):
            board = f"{short_title(data.boards[row['board']])} {row['flags']}"
            found.setdefault(note, []).append(board)
    return [f"{note} ({', '.join(dict.fromkeys(places))})" for note, places in found.items()]


def _lines(notes: object) -> list[str]:
    if isinstance(notes, str):
        return [line.strip() for line in notes.splitlines() if line.strip()]
    return [str(note) for note in notes] if isinstance(notes, list) else []


def _phases(data: ReportData, algorithm: str, name: str, slug: str) -> Figure | None:
    """Stacked phases of the message with the most parts, a bar for each board and flags."""
    ops = [op.value for _, own in PHASES for op in own]
    found: dict[tuple[int, int], dict[tuple[str, str], dict[str, int]]] = {}
    rows = data.query(_PARTS, algorithm, name, ops)
    for row in rows:
        own = found.setdefault((row["ad"], row["m"]), {})
        own.setdefault((row["board"], row["flags"]), {})[row["op"]] = row["cycles"]
    whole = {
        lengths: {build: by for build, by in builds.items() if Operation.INIT.value in by}
        for lengths, builds in found.items()
    }
    whole = {lengths: builds for lengths, builds in whole.items() if builds}
    if not whole:
        return None
    ad, m = max(whole, key=lambda pair: (len(whole[pair]), _parts(whole[pair]), -sum(pair)))
    bars = tuple(
        Bar(
            f"{short_title(data.boards[board])} {flags}",
            tuple(float(sum(by.get(op.value, 0) for op in own)) for _, own in PHASES),
        )
        for (board, flags), by in whole[ad, m].items()
    )
    used = [number for number in range(len(PHASES)) if any(bar.values[number] for bar in bars)]
    shown = tuple(Bar(bar.name, tuple(bar.values[n] for n in used)) for bar in bars)
    with_ad = f" and {count(ad, 'byte')} of associated data" if ad else ""
    title = f"{data.title_of(algorithm)} {name}"
    totals = ", ".join(f"{bar.name} {sum(bar.values):,.0f}" for bar in bars)
    return Figure(
        slug=f"{slug}-phases",
        title=f"Phases of a message of {count(m, 'byte')}{with_ad}",
        caption=(
            "Cycles of the incremental API's calls for one message, in order, on all boards where "
            "they were measured."
        ),
        label=f"Stacked bars of {title}: {totals}.",
        chart=Bars("Cycles", tuple(PHASES[n][0] for n in used), shown),
        numbers=pa.Table.from_pylist(
            [
                {"algorithm": algorithm, "implementation": name, **row}
                for row in rows
                if (row["ad"], row["m"]) == (ad, m)
            ]
        ),
    )


def _parts(builds: dict[tuple[str, str], dict[str, int]]) -> int:
    return sum(len(by) for by in builds.values())


def _symbols(data: ReportData, algorithm: str, name: str, slug: str) -> list[tuple[str, Table]]:
    """For each board the bytes of each function, with a column for each set of flags."""
    boards: dict[str, dict[tuple[str, str, str], dict[str, int]]] = {}
    for row in data.query(_SYMBOLS, algorithm, name):
        symbol = (row["name"], row["section"], row["object"])
        boards.setdefault(row["board"], {}).setdefault(symbol, {})[row["flags"]] = row["bytes"]
    return [
        (short_title(data.boards[board]), _symbol_table(own, board, slug))
        for board, own in boards.items()
    ]


def _symbol_table(
    symbols: dict[tuple[str, str, str], dict[str, int]], board: str, slug: str
) -> Table:
    flags = sorted({each for by in symbols.values() for each in by}, reverse=True)
    others = list(symbols.values())[_MOST_SYMBOLS:]
    shown = dict(list(symbols.items())[:_MOST_SYMBOLS])
    if others:
        rest = {each: sum(by.get(each, 0) for by in others) for each in flags}
        shown[count(len(others), "other", "others"), "", ""] = rest
    return Table(
        id=f"{slug}-{board}-symbols",
        caption="Flash bytes by function and object, for each set of flags",
        columns=(
            Column("Function or object"),
            Column("Section"),
            Column("Compiled from"),
            *(Column(each, "bytes", numeric=True) for each in flags),
        ),
        rows=rows_of(
            [
                words(symbol),
                words(section),
                words(compiled),
                *(number(by.get(each), integer) for each in flags),
            ]
            for (symbol, section, compiled), by in shown.items()
        ),
    )


def _origins(data: ReportData, origins: list[Row], slug: str) -> Table:
    return Table(
        id=f"{slug}-origins",
        caption="Origin of each build's numbers",
        columns=(
            Column("Board"),
            Column("Flags"),
            Column("Compiler", long=True),
            Column("Verified with", long=True),
            Column("Sources"),
            Column("Job"),
            Column("Measured"),
        ),
        rows=rows_of(
            [
                words(short_title(data.boards[row["board"]]), board_page(row["board"])),
                words(row["flags"]),
                words(row["compiler_version"] or row["compiler"]),
                Cell(row["verified"], weak=row["verified"].startswith(NOT_VERIFIED)),
                words(row["sources_sha256"][:12], note=row["sources_sha256"]),
                words(row["job"][:12], note=row["job"]),
                words(row["host_time"].strftime("%Y-%m-%d %H:%M UTC")),
            ]
            for row in origins
        ),
        csv="jobs.csv",
        filters=True,
        example="such as -Os",
    )
