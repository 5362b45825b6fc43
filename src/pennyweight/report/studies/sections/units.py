"""Speed in units of ChaCha20-Poly1305 and of BLAKE2s."""

from __future__ import annotations

import pyarrow as pa

from pennyweight.model import Kind
from pennyweight.report.numbers import MISSING
from pennyweight.report.pages.shared import KIND_TITLES, algorithm_page, footnote, short_title
from pennyweight.report.studies.section import Section
from pennyweight.report.studies.unit_rows import PACKETS, REFERENCES, UnitRow, unit_rows
from pennyweight.report.studies.view import StudyView
from pennyweight.report.tables import Cell, Column, Table, TableRow, words

_VERBS = {"enc": "Encrypt", "dec": "Decrypt", "hash": "Hash"}


def section(view: StudyView) -> Section | None:
    """A table for each kind and board."""
    tables = []
    for kind in REFERENCES:
        rows = unit_rows(view, kind)
        for board in view.boards:
            own = [row for row in rows if row.board == board.id]
            if own:
                tables.append(_table(view, kind, short_title(board), own))
    if not tables:
        return None
    return Section(
        title="ChaChaPoly and BLAKE2s units",
        words=(
            "Speed relative to ChaCha20-Poly1305, or to BLAKE2s for hash functions, on the same "
            "packet without associated data: above 1 is faster. The average of an AEAD is "
            "ChaCha20-Poly1305's total time divided by its own, for three packets of 16 bytes and "
            "one of 128. The average of a hash function is the mean of its units. Dividing by the "
            "rate in bytes removes the advantage of a wide block.",
        ),
        tables=tuple(tables),
    )


def _table(view: StudyView, kind: Kind, board: str, rows: list[UnitRow]) -> Table:
    packets = list(PACKETS[kind])
    labels, lines = [], []
    for row in rows:
        label = view.build_label(row.algorithm, row.implementation, row.flags)
        labels.append(label)
        name = words(view.data.title_of(row.algorithm), algorithm_page(row.algorithm))
        lines.append(
            TableRow(
                (
                    Cell(name.text, name.value, name.href, small=label),
                    *(units_cell(row.units[packet]) for packet in packets),
                    units_cell(row.average),
                    Cell(MISSING, None, weak=True)
                    if row.per_rate_byte is None
                    else Cell(f"{row.per_rate_byte:.4f}", row.per_rate_byte),
                )
            )
        )
    slug = view.slug(rows[0].board, kind.value, "units")
    return Table(
        id=slug,
        caption=f"{KIND_TITLES[kind]} on the {board}, in units of "
        f"{view.data.title_of(REFERENCES[kind])}",
        columns=(
            Column("Algorithm"),
            *(Column(_VERBS[op], f"{m:,} bytes", numeric=True) for op, m in packets),
            Column("Average", numeric=True),
            Column("Average", "per byte of rate", numeric=True),
        ),
        rows=tuple(lines),
        csv=f"{slug}.csv",
        filters=True,
        example="such as ascon",
        footnote=footnote(labels),
        numbers=pa.Table.from_pylist(
            [
                {
                    "algorithm": row.algorithm,
                    "board": row.board,
                    "implementation": row.implementation,
                    "flags": row.flags,
                    **{f"cycles_{op}_{m}": row.cycles[op, m] for op, m in packets},
                    **{f"units_{op}_{m}": row.units[op, m] for op, m in packets},
                    "average": row.average,
                    "average_per_rate_byte": row.per_rate_byte,
                }
                for row in rows
            ]
        ),
    )


def units_cell(value: float) -> Cell:
    """Two decimals, as is usual for units."""
    return Cell(f"{value:.2f}" if value >= 0.005 else f"{value:.4f}", value)
