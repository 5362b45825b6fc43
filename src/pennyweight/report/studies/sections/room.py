"""The algorithms that fit each part, their time and energy, and the memory that remains."""

from __future__ import annotations

from pennyweight.analysis.choice import Purpose
from pennyweight.analysis.facts import BoardFacts
from pennyweight.analysis.rates import energy_uj, time_us
from pennyweight.model import Kind
from pennyweight.report.data import Reference
from pennyweight.report.numbers import MISSING, frequency, integer, listed, memory, rounded
from pennyweight.report.pages.shared import KIND_TITLES, algorithm_page, board_page, short_title
from pennyweight.report.studies.builds import Best, best_of, dagger
from pennyweight.report.studies.section import Section
from pennyweight.report.studies.view import StudyView
from pennyweight.report.tables import Cell, Column, Table, TableRow, number, words

_UNFIT = """
SELECT board, kind, algorithm
FROM study_rows
GROUP BY ALL
HAVING count(cycles) = 0
ORDER BY board, kind, algorithm
"""

_PURPOSES: tuple[tuple[Purpose, str], ...] = (("cycles", "fastest"), ("flash", "smallest"))


def section(view: StudyView) -> Section | None:
    """The parts with their prices, then for each part and kind a table of the algorithms."""
    tables = [_parts(view)]
    for board in view.boards:
        for kind in view.kinds:
            reference = view.reference(kind)
            if reference is not None:
                tables += _table(view, board, kind, reference)
    if len(tables) == 1:
        return None
    return Section(
        title="Algorithms that fit, and the memory that remains",
        words=(
            "The fastest and the smallest build of each algorithm on each part. Flash and RAM left "
            "are the part's memory minus the build's flash, static RAM and stack. Message buffers "
            "and the rest of the application share them.",
        ),
        notes=(*_unfit(view), *_without_current(view)),
        tables=tuple(tables),
    )


def _parts(view: StudyView) -> Table:
    fits = {
        (row["board"], row["kind"]): (row["fit"], row["n"])
        for row in view.query(
            "SELECT board, kind, count(DISTINCT algorithm) AS n, "
            "count(DISTINCT algorithm) FILTER (cycles IS NOT NULL) AS fit "
            "FROM study_rows GROUP BY ALL"
        )
    }
    rows = [
        TableRow(
            (
                words(short_title(board), board_page(board.id)),
                Cell(frequency(board.hz), board.hz),
                Cell(memory(board.flash_bytes), board.flash_bytes),
                Cell(memory(board.ram_bytes), board.ram_bytes),
                Cell(board.price or "no price recorded", board.price, small=board.price_source),
                *(_fit(fits.get((board.id, kind.value))) for kind in view.kinds),
            )
        )
        for board in view.boards
    ]
    name = view.slug("parts")
    return Table(
        id=name,
        caption="The parts, and the number of algorithms that fit",
        columns=(
            Column("Board"),
            Column("Clock", numeric=True),
            Column("Flash", "bytes", numeric=True),
            Column("RAM", "bytes", numeric=True),
            Column("Price", "one part; quantity, date and source", long=True),
            *(Column(KIND_TITLES[kind], "that fit", numeric=True) for kind in view.kinds),
        ),
        rows=tuple(rows),
        csv=f"{name}.csv",
    )


def _fit(counts: tuple[int, int] | None) -> Cell:
    if counts is None:
        return Cell(MISSING, None, weak=True)
    fit, of = counts
    return Cell(f"{fit} of {of}", fit)


def _table(view: StudyView, board: BoardFacts, kind: Kind, reference: Reference) -> list[Table]:
    here = f"op = '{reference.op}' AND ad = {reference.ad} AND m = {reference.m}"
    builds: dict[tuple[str, ...], tuple[Best, list[str]]] = {}
    for purpose, word in _PURPOSES:
        for each in best_of(view, kind, purpose, f"{here} AND board = '{board.id}'"):
            builds.setdefault(each.key, (each, []))[1].append(word)
    if not builds:
        return []
    ordered = sorted(builds.values(), key=lambda found: (found[0].cycles, found[0].algorithm))
    name = view.slug(board.id, kind.value, "room")
    return [
        Table(
            id=name,
            caption=f"{KIND_TITLES[kind]} on the {short_title(board)}: to {reference.words}",
            columns=(
                Column("Algorithm"),
                Column("Build"),
                Column("Time", "ms", numeric=True),
                *([Column("Energy", "µJ, estimate", numeric=True)] if board.current_ma else []),
                Column("Flash left", "bytes", numeric=True),
                Column("RAM left", "bytes", numeric=True),
            ),
            rows=tuple(_row(view, board, each, which) for each, which in ordered),
            csv=f"{name}.csv",
            sorted_by=2,
            filters=True,
            example="such as ascon",
            footnote=dagger(view, [each for each, _ in ordered]),
        )
    ]


def _row(view: StudyView, board: BoardFacts, build: Best, which: list[str]) -> TableRow:
    time = time_us(build.cycles, board.hz)
    energy = energy_uj(build.cycles, board.hz, board.current_ma, board.voltage_v)
    flash, ram = board.flash_bytes, board.ram_bytes
    label = view.build_label(build.algorithm, build.implementation, build.flags)
    return TableRow(
        (
            words(build.title, algorithm_page(build.algorithm)),
            Cell(label, label, small=listed(which)),
            number(None if time is None else time / 1000, rounded),
            *([number(energy, rounded)] if board.current_ma else []),
            number(None if flash is None else flash - build.flash, integer),
            number(None if ram is None else ram - build.ram - build.stack, integer),
        )
    )


def _without_current(view: StudyView) -> list[str]:
    """The boards without an energy estimate."""
    absent = [short_title(board) for board in view.boards if not board.current_ma]
    if not absent:
        return []
    return [f"No supply current is recorded, and so no energy estimated, for the {listed(absent)}."]


def _unfit(view: StudyView) -> list[str]:
    """For each board, the algorithms of which no build fits or runs."""
    absent: dict[str, list[str]] = {}
    for row in view.query(_UNFIT):
        absent.setdefault(row["board"], []).append(view.data.title_of(row["algorithm"]))
    return [
        f"No build fits or runs on the {short_title(view.data.boards[name])}: {listed(titles)}."
        for name, titles in sorted(absent.items())
    ]
