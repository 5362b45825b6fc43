"""Measurements with derived values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

import pyarrow as pa

from pennyweight.analysis.facts import BoardFacts
from pennyweight.store.database import connect

_BOARDS = pa.schema(
    [
        ("id", pa.string()),
        ("hz", pa.int64()),
        ("current_ma", pa.float64()),
        ("voltage_v", pa.float64()),
    ]
)

# The same formulas as in `rates`; a test compares the two.
_DERIVED = """
SELECT r.*,
       r.cycles / nullif(r.ad + r.m, 0) AS cycles_per_byte,
       r.cycles * 1e6 / b.hz AS time_us,
       nullif(r.ad + r.m, 0) * b.hz / nullif(r.cycles, 0) AS bytes_per_second,
       r.cycles * 1e6 / b.hz * b.current_ma * b.voltage_v / 1e3 AS energy_uj_estimate
FROM measured AS r LEFT JOIN boards AS b ON b.id = r.board
"""


def with_rates(rows: pa.Table, boards: Iterable[BoardFacts]) -> pa.Table:
    """The rows with the columns cycles_per_byte, time_us, bytes_per_second, energy_uj_estimate.

    They are null if the case was not measured or has no bytes, or if the board is not in `boards`.
    See :mod:`pennyweight.analysis.rates` for units and definitions.
    """
    facts = pa.Table.from_pylist([asdict(board) for board in boards], schema=_BOARDS)
    return query(_DERIVED, measured=rows, boards=facts)


def query(sql: str, /, **tables: pa.Table) -> pa.Table:
    """The result of an SQL query over Arrow tables, which it refers to by their keywords."""
    with connect() as connection:
        for name, table in tables.items():
            connection.register(name, table)
        return connection.sql(sql).to_arrow_table()
