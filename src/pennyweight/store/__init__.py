"""The results: one Parquet file per job, written atomically, queried with DuckDB.

A results folder looks like this::

    results/
      jobs/<job>.parquet      one row per case: measurement, provenance, host time
      symbols/<job>.parquet   bytes by function and object of the job's program
      lost/<job>.parquet      why a job has no result (a worker died, a full disk); tried again
      campaigns/<id>.json     what a campaign planned, for reports
      disputed/<job>.<digest>.parquet   imported rows that differ from the stored ones

Files are only ever added. They are written under a temporary name and then renamed.
"""

from __future__ import annotations

from pathlib import Path

from pennyweight.store.folder import ResultStore

__all__ = ["ResultStore", "open_store"]


def open_store(results: Path | str) -> ResultStore:
    """The results in a folder, or at an address that fsspec supports (``s3://bucket/results``).

    Raises UserError if an address cannot be reached.
    """
    if isinstance(results, str) and "://" in results:
        from pennyweight.store.remote import RemoteStore, folder_of

        folder = folder_of(results)
        return RemoteStore(results) if folder is None else ResultStore(folder)
    return ResultStore(results)
