"""Reading all of a result's file, so that damage shows, and no more than a result can be."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from pennyweight.model import UserError
from pennyweight.store import archive

_LOOK_CLOSER = 4 << 30
"""Bytes that a column of texts could take, were each of its rows all that is in it."""


def read_whole(path: Path) -> pa.Table:
    """A file's rows, to the last byte.

    Raises OSError, ArrowException for one that is damaged, UserError for one that would take more
    memory than any result.
    """
    if path.stat().st_size > archive.LARGEST_FILE:
        raise UserError(f"{path}: is too large for a result")
    file = pq.ParquetFile(path, page_checksum_verification=True)
    if _may_be_large(file.metadata):
        return archive.read_table(path.read_bytes(), str(path))
    return file.read(use_threads=False)


def _may_be_large(known: pq.FileMetaData) -> bool:
    """Could what is in a file be much more than the file? A look at its footer tells."""
    if known.num_rows > archive.MOST_ROWS:
        return True
    groups = (known.row_group(i) for i in range(known.num_row_groups))
    columns = (group.column(i) for group in groups for i in range(group.num_columns))
    texts = (each for each in columns if each.physical_type == "BYTE_ARRAY")
    return any(each.num_values * each.total_uncompressed_size > _LOOK_CLOSER for each in texts)
