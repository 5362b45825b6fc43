"""The database that queries run in."""

from __future__ import annotations

import duckdb


def connect() -> duckdb.DuckDBPyConnection:
    """An in-memory DuckDB without output, with times in UTC."""
    connection = duckdb.connect(":memory:")
    connection.execute("SET TimeZone = 'UTC'; SET enable_progress_bar = false")
    return connection
