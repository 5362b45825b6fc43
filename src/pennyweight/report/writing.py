"""How tables are written to files: CSV, compressed where it is long, and Parquet."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from pennyweight.report.tables import Column, Table


def write_csv(table: pa.Table, target: Path) -> None:
    """Writes a CSV; compressed if the name says so, the same bytes each time."""
    if target.suffix != ".gz":
        pacsv.write_csv(table, target)
        return
    plain = io.BytesIO()
    pacsv.write_csv(table, plain)
    target.write_bytes(gzip.compress(plain.getvalue(), mtime=0))


def write_parquet(table: pa.Table, target: Path) -> None:
    """Writes a Parquet file."""
    pq.write_table(table, target, compression="zstd")


def write_table(table: Table, folder: Path) -> None:
    """Writes a table of a page as CSV and as Parquet: its full values, or what says more."""
    if table.numbers is not None:
        write_csv(table.numbers, folder / table.csv)
    else:
        (folder / table.csv).write_text(_table_csv(table), encoding="utf-8")
    parquet = folder / parquet_of(table.csv)
    if not parquet.exists():
        write_parquet(_arrow(table) if table.numbers is None else table.numbers, parquet)


def parquet_of(name: str) -> str:
    """The name of the Parquet file beside a CSV."""
    return f"{name.removesuffix('.gz').removesuffix('.csv')}.parquet"


def _table_csv(table: Table) -> str:
    """A shown table with its full values."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([heading(column) for column in table.columns])
    writer.writerows(_csv_rows(table))
    return buffer.getvalue()


def heading(column: Column) -> str:
    """A column's title with its unit, without the characters that only lines of text need."""
    text = " ".join(filter(None, (column.title, column.unit)))
    return text.replace("\u00ad", "").replace("\u2011", "-")


def _csv_rows(table: Table) -> Iterator[Iterable[object]]:
    for row in table.rows:
        yield [
            _digits(cell.value) if column.numeric else cell.text
            for column, cell in zip(table.columns, row.cells, strict=True)
        ]


def _arrow(table: Table) -> pa.Table:
    """The same as Arrow: numbers as such, everything else as text."""
    columns = {}
    for place, column in enumerate(table.columns):
        cells = [row.cells[place] for row in table.rows]
        if column.numeric:
            values = [c.value if isinstance(c.value, int | float) else None for c in cells]
            whole = all(value is None or isinstance(value, int) for value in values)
            columns[heading(column)] = pa.array(values, pa.int64() if whole else pa.float64())
        else:
            columns[heading(column)] = pa.array([c.text for c in cells], pa.string())
    return pa.table(columns)


def _digits(value: float | str | None) -> str:
    """A number with all its digits, but none that only binary fractions have."""
    return "" if value is None else f"{value:.12g}" if isinstance(value, float) else str(value)
