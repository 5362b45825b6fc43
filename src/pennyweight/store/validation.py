"""Reads result files completely, to detect damage, and within limits, because they may be
untrusted.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pennyweight.model import MOST_CASES, UserError, printable
from pennyweight.store.schema import measurement_schema, other_version, symbol_schema, what_is_wrong

LARGEST_FILE = 256 << 20
"""Maximum size of an unpacked result file in bytes; a job's rows are some kilobytes."""

MOST_ROWS = MOST_CASES
"""Maximum rows of one job."""

_KNOWN = pa.unify_schemas([measurement_schema(), symbol_schema()])

_LONGEST_VERSION = 40
"""Characters of a version that are printed."""

_LOOK_CLOSER = 4 << 30
"""Total bytes of texts above which the texts themselves are checked."""


class OtherVersionError(UserError):
    """A result file that another version of Pennyweight wrote, with too few columns for this
    one.
    """


def read_whole(path: Path, wanted: pa.Schema) -> pa.Table:
    """Reads a file's rows completely, in the columns that are `wanted`.

    Raises OSError or ArrowException for a damaged file, OtherVersionError for one that lacks
    columns of this version, and UserError for one without a result's columns or one that would take
    more memory than any result.
    """
    if path.stat().st_size > LARGEST_FILE:
        raise UserError(f"{path}: is too large for a result")
    file = pq.ParquetFile(path, page_checksum_verification=True)
    schema = file.schema_arrow
    other = other_version(schema, wanted, _version(file.metadata))
    if other is not None:
        raise OtherVersionError(f"{path}: {other}")
    problem = what_is_wrong(schema, wanted)
    if problem is not None:
        raise UserError(f"{path}: has different columns from a result: {problem}")
    there = schema.names
    known = [name for name in wanted.names if name in there]
    if _may_be_large(file.metadata, known):
        return read_table(path.read_bytes(), str(path))
    return file.read(columns=known, use_threads=False)


def _version(known: pq.FileMetaData) -> str | None:
    """The version of Pennyweight that wrote a file, by its footer; None if it has none."""
    for column in chunks(known, ("pennyweight_version",)):
        statistics = column.statistics
        if statistics is not None and isinstance(statistics.max, str):
            return printable(statistics.max)[:_LONGEST_VERSION]
    return None


def written_by(content: bytes) -> str | None:
    """The version of Pennyweight that wrote a file with this content; None if it has none."""
    return _version(pq.read_metadata(io.BytesIO(content)))


def _may_be_large(known: pq.FileMetaData, names: Collection[str]) -> bool:
    """Whether these columns may need much more memory than the file; reads its footer only."""
    if known.num_rows > MOST_ROWS:
        return True
    columns = chunks(known, names)
    texts = (each for each in columns if each.physical_type == "BYTE_ARRAY")
    possible: int = sum(each.num_values * each.total_uncompressed_size for each in texts)
    return possible > _LOOK_CLOSER


def read_table(content: bytes, where: str) -> pa.Table:
    """The rows of a job's file, in the columns that this version has.

    Raises UserError for any other file, and for one that would take more memory than any result:
    some kilobytes of Parquet can encode any number of equal rows, and a row any number of equal
    values.
    """
    try:
        schema = pq.read_schema(io.BytesIO(content))
        known = [each for each in _KNOWN if each.name in schema.names]
        problem = what_is_wrong(schema, pa.schema(known))
        if problem is not None:
            raise UserError(f"{where}: has different columns from a result: {problem}")
        names = [each.name for each in known]
        texts = [column.name for column in schema if column.type == pa.string()]
        # Texts as dictionary indices, so that their total length is known before they are expanded.
        file = pq.ParquetFile(io.BytesIO(content), read_dictionary=texts)
        groups = [file.metadata.row_group(i) for i in range(file.metadata.num_row_groups)]
        if sum(group.num_rows for group in groups) > MOST_ROWS:
            raise UserError(f"{where}: has more than {MOST_ROWS:,} rows, too many for a job")
        unpacked = sum(each.total_uncompressed_size for each in chunks(file.metadata, names))
        if unpacked > LARGEST_FILE:
            raise UserError(f"{where}: is too large for a result")
        table = file.read(columns=names)
        if sum(map(_bytes_of_texts, table.columns)) > LARGEST_FILE:
            raise UserError(f"{where}: is too large for a result")
        wanted = [schema.field(name) for name in table.column_names]
        return table.cast(pa.schema(wanted, metadata=schema.metadata))
    except (OSError, pa.ArrowException) as error:
        line = (str(error).splitlines() or [type(error).__name__])[0][:120]
        raise UserError(f"{where}: is not a readable Parquet file ({line})") from None


def chunks(known: pq.FileMetaData, names: Collection[str]) -> Iterator[pq.ColumnChunkMetaData]:
    """The metadata of these columns in a file's footer, for each group of rows."""
    for group in (known.row_group(i) for i in range(known.num_row_groups)):
        for column in (group.column(i) for i in range(group.num_columns)):
            if column.path_in_schema in names:
                yield column


def _bytes_of_texts(column: pa.ChunkedArray) -> int:
    """The total bytes of a column's texts, if it is dictionary-encoded; 0 for other columns."""
    if not pa.types.is_dictionary(column.type):
        return 0
    sizes = [pc.sum(pc.take(pc.binary_length(c.dictionary), c.indices)) for c in column.chunks]
    return sum(size.as_py() or 0 for size in sizes)
