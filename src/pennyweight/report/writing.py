"""Writes tables to files: CSV, compressed if it is long, and Parquet."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from pennyweight.report.tables import Column, Table

_JOB_DIGITS = 16
"""Digits of a job's name in each row: enough to identify it."""

_MOST_PLAIN_ROWS = 1_000
"""Maximum rows of an uncompressed CSV file, which browsers and spreadsheets open easily."""

_COUNTS = ("cycles", "cycles_cold", "instructions")
"""Columns whose values rarely repeat, but change little from row to row."""

_SLOW_TO_WRITE = 12
"""zstd's level: a tenth smaller than the default, and as fast to read."""


def csv_name(stem: str, rows: int) -> str:
    """The file name of a CSV with this many rows."""
    return f"{stem}.csv" if rows <= _MOST_PLAIN_ROWS else f"{stem}.csv.gz"


def write_csv(table: pa.Table, target: Path) -> None:
    """Writes a CSV file with reproducible bytes, compressed if its name ends with `.gz`."""
    table = _briefly(table)
    plain = io.BytesIO()
    pacsv.write_csv(table, plain, pacsv.WriteOptions(quoting_style="needed"))
    if target.suffix != ".gz":
        target.write_bytes(plain.getvalue())
        return
    target.write_bytes(gzip.compress(plain.getvalue(), mtime=0))


def write_parquet(table: pa.Table, target: Path) -> None:
    """Writes a Parquet file."""
    table = _briefly(table)
    encodings = {
        column.name: encoding
        for column in table.schema
        if (encoding := _encoding(column, table.num_rows)) is not None
    }
    pq.write_table(
        table,
        target,
        compression="zstd",
        compression_level=_SLOW_TO_WRITE,
        use_dictionary=[name for name in table.column_names if name not in encodings],
        column_encoding=encodings or None,
    )


def _encoding(column: pa.Field, rows: int) -> str | None:
    """The encoding of a column of different numbers; None for texts and for few numbers."""
    if rows <= _MOST_PLAIN_ROWS:
        return None
    if pa.types.is_floating(column.type):
        return "BYTE_STREAM_SPLIT"
    return "DELTA_BINARY_PACKED" if column.name in _COUNTS else None


def _briefly(table: pa.Table) -> pa.Table:
    """The same with the beginning of each job's name, as in `data/jobs.csv`."""
    place = table.schema.get_field_index("job")
    if place < 0:
        return table
    names = table.column(place).cast(pa.string())
    return table.set_column(place, "job", pc.utf8_slice_codeunits(names, 0, _JOB_DIGITS))


def write_table(table: Table, folder: Path) -> None:
    """Writes a table of a page as CSV and as Parquet: its full values, or its additional data."""
    if table.numbers is not None:
        write_csv(table.numbers, folder / table.csv)
    else:
        (folder / table.csv).write_text(_table_csv(table), encoding="utf-8")
    parquet = folder / parquet_of(table.csv)
    if not parquet.exists():
        write_parquet(_arrow(table) if table.numbers is None else table.numbers, parquet)


def parquet_of(name: str) -> str:
    """The name of the Parquet file for a CSV."""
    return f"{name.removesuffix('.gz').removesuffix('.csv')}.parquet"


def _table_csv(table: Table) -> str:
    """A shown table with its full values."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    columns = list(_columns(table))
    writer.writerow([title for title, _, _ in columns])
    writer.writerows(zip(*([_digits(v) for v in values] for _, _, values in columns), strict=True))
    return buffer.getvalue()


def heading(column: Column) -> str:
    """A column's title with its unit, without typographic characters."""
    text = " ".join(filter(None, (column.title, column.unit)))
    return text.replace("\u00ad", "").replace("\u2011", "-")


def _columns(table: Table) -> Iterator[tuple[str, bool, list[float | str | None]]]:
    """Heading, type and values of each column of a shown table.

    The text below a column's cells becomes a column too: below the first, a row's build.
    """
    for place, column in enumerate(table.columns):
        cells = [row.cells[place] for row in table.rows]
        yield (
            heading(column),
            column.numeric,
            [cell.value if column.numeric else cell.text for cell in cells],
        )
        if any(cell.small for cell in cells):
            title = f"{heading(column)}, note" if place else "Build"
            yield title, False, [cell.small for cell in cells]


def _arrow(table: Table) -> pa.Table:
    """The same as an Arrow table: numbers as numbers, everything else as text."""
    columns = {}
    for title, numeric, values in _columns(table):
        if numeric:
            known = [v if isinstance(v, int | float) else None for v in values]
            whole = all(value is None or isinstance(value, int) for value in known)
            columns[title] = pa.array(known, pa.int64() if whole else pa.float64())
        else:
            columns[title] = pa.array([str(value) for value in values], pa.string())
    return pa.table(columns)


def _digits(value: float | str | None) -> str:
    """A number with all significant digits, without binary rounding errors."""
    return "" if value is None else f"{value:.12g}" if isinstance(value, float) else str(value)
