"""The columns of the store: the fields of Measurement and Provenance, and the origin of a job.

The Arrow types follow from the dataclasses of :mod:`pennyweight.model`, so a new field there
becomes a column here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from datetime import datetime
from functools import cache
from typing import Any, get_type_hints

import pyarrow as pa

from pennyweight.model import JobResult, Measurement, Provenance, SymbolSize
from pennyweight.version import __version__

HOST_TIME = "host_time"
"""Column: when the job ended, in UTC."""

NOTES = "notes"
"""Column: remarks about the job, one per line."""

_ARROW_TYPES: Mapping[Any, pa.DataType] = {
    str: pa.string(),
    str | None: pa.string(),
    int: pa.int64(),
    int | None: pa.int64(),
    float: pa.float64(),
    float | None: pa.float64(),
    bool: pa.bool_(),
}


_NULLABLE = (str | None, int | None, float | None)


def _columns(record: type) -> list[tuple[str, pa.DataType, bool]]:
    """Name, Arrow type and nullability of each field of a dataclass."""
    hints = get_type_hints(record)
    return [
        (f.name, _ARROW_TYPES[hints[f.name]], hints[f.name] in _NULLABLE) for f in fields(record)
    ]


def _arrow_schema(columns: Iterable[tuple[str, pa.DataType, bool]]) -> pa.Schema:
    return pa.schema([pa.field(name, kind, nullable) for name, kind, nullable in columns])


@cache
def measurement_schema() -> pa.Schema:
    """Columns of ``jobs/<job>.parquet``."""
    extra = [(HOST_TIME, pa.timestamp("us", tz="UTC"), False), (NOTES, pa.string(), False)]
    return _arrow_schema([*_columns(Measurement), *_columns(Provenance), *extra])


@cache
def symbol_schema() -> pa.Schema:
    """Columns of ``symbols/<job>.parquet``."""
    return _arrow_schema([("job", pa.string(), False), *_columns(SymbolSize)])


def measurement_table(result: JobResult, host_time: datetime) -> pa.Table:
    """The rows of one job in the store's format."""
    origin = asdict(result.provenance)
    extra = {HOST_TIME: host_time, NOTES: "\n".join(result.notes)}
    rows = [{**m.as_dict(), **origin, **extra} for m in result.measurements]
    return pa.Table.from_pylist(rows, schema=measurement_schema())


def symbol_table(result: JobResult) -> pa.Table:
    """The symbols of one job in the store's format."""
    rows = [{"job": result.provenance.job, **asdict(s)} for s in result.symbols]
    return pa.Table.from_pylist(rows, schema=symbol_schema())


def other_version(found: pa.Schema, wanted: pa.Schema, version: str | None) -> str | None:
    """The end of a sentence about a file with schema `found` if another version of Pennyweight
    wrote it: which column it lacks, and the remedy; None for any other file.

    `version` is the version that wrote it, if it is known. Such a file has at least half of the
    columns that are `wanted`, and lacks some that must not be missing.
    """
    missing = [each.name for each in wanted if each.name not in found.names]
    there = pa.schema([each for each in wanted if each.name not in missing])
    needed = [name for name in missing if not wanted.field(name).nullable]
    if not needed or 2 * len(missing) > len(wanted) or what_is_wrong(found, there) is not None:
        return None
    names = ", ".join(f"'{name}'" for name in needed)
    lacks = f"column{'s' if len(needed) > 1 else ''} {names}"
    is_named = version is not None and version != __version__
    return (
        f"is from another version of Pennyweight{f', {version}' if is_named else ''}: it lacks the "
        f"{lacks} of this version, {__version__}; measure again, or read it with "
        f"{f'Pennyweight {version}' if is_named else 'the version that wrote it'}"
    )


def what_is_wrong(found: pa.Schema, wanted: pa.Schema) -> str | None:
    """Why a file with schema `found` cannot be read as `wanted`; None if it can.

    Additional columns and missing optional columns are allowed: they come from other versions.
    """
    for column in wanted:
        kinds = [found.field(i).type for i in found.get_all_field_indices(column.name)]
        if len(kinds) > 1:
            return f"it has {len(kinds)} columns '{column.name}'"
        if not kinds and not column.nullable:
            return f"it has no column '{column.name}'"
        if kinds and kinds[0] != column.type:
            return f"its column '{column.name}' is {kinds[0]}, not {column.type}"
    return None
