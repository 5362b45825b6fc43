"""Reading all that a result's file has of ours, so that damage shows, and no more."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from pennyweight.model import UserError
from pennyweight.store import archive
from pennyweight.store.schema import what_is_wrong

_LOOK_CLOSER = 4 << 30
"""Bytes that all texts could take, were each of a column's rows all that is in it."""


def read_whole(path: Path, wanted: pa.Schema) -> pa.Table:
    """A file's rows, to the last byte, those of its columns that are `wanted`.

    Raises OSError, ArrowException for one that is damaged, UserError for one that has not these
    columns, or would take more memory than any result.
    """
    if path.stat().st_size > archive.LARGEST_FILE:
        raise UserError(f"{path}: is too large for a result")
    file = pq.ParquetFile(path, page_checksum_verification=True)
    schema = file.schema_arrow
    problem = what_is_wrong(schema, wanted)
    if problem is not None:
        raise UserError(f"{path}: has other columns than a result: {problem}")
    there = schema.names
    known = [name for name in wanted.names if name in there]
    if _may_be_large(file.metadata, known):
        return archive.read_table(path.read_bytes(), str(path))
    return file.read(columns=known, use_threads=False)


def _may_be_large(known: pq.FileMetaData, names: Collection[str]) -> bool:
    """Could these columns of a file be much more than the file? A look at its footer tells."""
    if known.num_rows > archive.MOST_ROWS:
        return True
    columns = archive.chunks(known, names)
    texts = (each for each in columns if each.physical_type == "BYTE_ARRAY")
    possible: int = sum(each.num_values * each.total_uncompressed_size for each in texts)
    return possible > _LOOK_CLOSER
