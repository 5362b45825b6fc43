"""What two people's results of one job must have in common: all columns but when it ended."""

from __future__ import annotations

import hashlib
import io

import pyarrow as pa
import pyarrow.csv as csv

from pennyweight.store.schema import HOST_TIME, measurement_schema


def comparable(table: pa.Table) -> pa.Table:
    """The columns that a job's name determines, those of this version of the store."""
    names = [name for name in measurement_schema().names if name != HOST_TIME]
    return table.select([name for name in names if name in table.column_names])


def content_digest(table: pa.Table) -> str:
    """SHA-256 over a job's rows as CSV, without the time: equal for equal results."""
    buffer = io.BytesIO()
    csv.write_csv(comparable(table), buffer)
    return hashlib.sha256(buffer.getvalue()).hexdigest()
