"""Long messages: throughput, marginal cost and set-up, energy."""

from __future__ import annotations

from pennyweight.analysis.facts import BoardFacts
from pennyweight.model import Kind
from pennyweight.report.data import FIRST
from pennyweight.report.numbers import MISSING, integer, rounded
from pennyweight.report.pages.shared import (
    ENERGY_NOTE,
    KIND_TITLES,
    algorithm_page,
    footnote,
    short_title,
)
from pennyweight.report.studies.section import Section
from pennyweight.report.studies.view import StudyView
from pennyweight.report.tables import Cell, Column, Table, TableRow, number, words

_SQL = """
WITH longest AS (
    SELECT * FROM study_rows WHERE board = ? AND kind = ? AND op = ? AND cycles IS NOT NULL
      AND ad + m > 0
    QUALIFY row_number() OVER (
        PARTITION BY algorithm, implementation, flags ORDER BY ad + m DESC, ad
    ) = 1
), fastest AS (
    SELECT * FROM longest QUALIFY row_number() OVER (
        PARTITION BY algorithm ORDER BY ad + m DESC, cycles, flash, implementation, flags
    ) = 1
)
SELECT r.algorithm, r.title, r.implementation, r.flags, r.ad, r.m, r.cycles, r.cycles_per_byte,
       r.bytes_per_second, r.energy_uj_estimate / (r.ad + r.m) AS energy_per_byte,
       f.setup_cycles, f.cycles_per_byte AS marginal, f.cycles_per_block, f.block
FROM fastest AS r LEFT JOIN fits AS f
  ON (f.algorithm, f.implementation, f.board, f.flags, f.op)
   = (r.algorithm, r.implementation, r.board, r.flags, r.op)
QUALIFY row_number() OVER (PARTITION BY r.algorithm ORDER BY f.points DESC NULLS LAST, f.ad) = 1
ORDER BY r.bytes_per_second DESC NULLS LAST, r.algorithm
"""


def section(view: StudyView) -> Section | None:
    """A table for each board and kind, highest throughput first."""
    tables = [
        table
        for board in view.boards
        for kind in view.kinds
        if (table := _table(view, board, kind)) is not None
    ]
    if not tables:
        return None
    return Section(
        title="Long messages",
        words=(
            "Each algorithm is represented by its fastest build for the longest input. 1 KB is "
            "1,000 bytes. Set-up and marginal cost are the value at length 0 and the slope of a "
            "line through messages of whole blocks, for the curve with the most lengths; its "
            "associated data counts as set-up. Energy is estimated from time and the datasheet's "
            "typical supply current.",
        ),
        tables=tuple(tables),
    )


def _table(view: StudyView, board: BoardFacts, kind: Kind) -> Table | None:
    found = view.query(_SQL, board.id, kind.value, FIRST[kind].value)
    if not found:
        return None
    labels, lines = [], []
    for row in found:
        label = view.build_label(row["algorithm"], row["implementation"], row["flags"])
        labels.append(label)
        name = words(row["title"], algorithm_page(row["algorithm"]))
        speed = row["bytes_per_second"]
        block = f"{row['block']} bytes" if row["block"] else ""
        lines.append(
            TableRow(
                (
                    Cell(name.text, name.value, name.href, small=label),
                    number(row["ad"] + row["m"], integer),
                    number(None if speed is None else speed / 1000, rounded),
                    number(row["cycles_per_byte"], rounded),
                    number(row["marginal"], rounded),
                    Cell(MISSING, None, weak=True)
                    if row["cycles_per_block"] is None
                    else Cell(
                        integer(row["cycles_per_block"]), row["cycles_per_block"], small=block
                    ),
                    number(row["setup_cycles"], integer),
                    number(row["energy_per_byte"], rounded),
                )
            )
        )
    slug = view.slug(board.id, kind.value, "throughput")
    return Table(
        id=slug,
        caption=f"{KIND_TITLES[kind]} on the {short_title(board)}",
        columns=(
            Column("Algorithm"),
            Column("Input", "bytes", numeric=True),
            Column("Throughput", "KB/s", numeric=True),
            Column("Whole call", "cycles/byte", numeric=True),
            Column("Marginal", "cycles/byte", numeric=True),
            Column("Marginal", "cycles/block", numeric=True),
            Column("Set\u2011up", "cycles", numeric=True),
            Column("Energy", "µJ/byte, estimate", numeric=True, note=ENERGY_NOTE),
        ),
        rows=tuple(lines),
        csv=f"{slug}.csv",
        filters=True,
        example="such as ascon",
        footnote=footnote(labels),
    )
