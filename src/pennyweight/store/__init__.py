"""The results: one Parquet file per job, written whole or not at all, queried with DuckDB.

A results folder looks like this::

    results/
      jobs/<job>.parquet      one row per case: measurement, provenance, host time
      symbols/<job>.parquet   bytes by function and object of the job's program
      lost/<job>.parquet      why a job has no result (its worker died); tried again next time
      campaigns/<id>.json     what a campaign planned, for reports

Files are only ever added, under a temporary name that nothing reads, then renamed.
"""

from pennyweight.store.folder import ResultStore

__all__ = ["ResultStore"]
