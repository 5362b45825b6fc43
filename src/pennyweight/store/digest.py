"""What two results of one job must have in common, and the digest of a job's rows."""

from __future__ import annotations

import hashlib
import io

import pyarrow as pa
import pyarrow.csv as csv

from pennyweight.store.schema import HOST_TIME, measurement_schema

_EXACT = ("sources_sha256", "board_sha256", "firmware_sha256")
"""Digests of files including their comments, which a job's name does not depend on."""


def comparable(table: pa.Table) -> pa.Table:
    """The columns that a job's name determines, restricted to those of this version."""
    return _without(table, HOST_TIME, *_EXACT)


def are_alike(one: pa.Table, other: pa.Table) -> bool:
    """Whether two results of a job agree in everything that its name determines."""
    return _as_csv(comparable(one)) == _as_csv(comparable(other))


def content_digest(table: pa.Table) -> str:
    """SHA-256 over a job's rows as CSV, in all columns except the time."""
    return hashlib.sha256(_as_csv(_without(table, HOST_TIME))).hexdigest()


def _as_csv(table: pa.Table) -> bytes:
    buffer = io.BytesIO()
    csv.write_csv(table, buffer)
    return buffer.getvalue()


def _without(table: pa.Table, *left_out: str) -> pa.Table:
    names = [name for name in measurement_schema().names if name not in left_out]
    return table.select([name for name in names if name in table.column_names])
