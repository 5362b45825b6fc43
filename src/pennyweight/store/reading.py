"""Reading a results folder with DuckDB, whatever else lies in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from pennyweight.store.database import connect
from pennyweight.store.folder import ResultStore
from pennyweight.store.schema import measurement_schema, symbol_schema, what_is_wrong

_VIEWS = """
CREATE VIEW measurements AS
SELECT *, false AS lost FROM done_rows UNION ALL BY NAME SELECT *, true AS lost FROM lost_rows;

CREATE VIEW newest_builds AS
SELECT algorithm, implementation, board, flags,
       arg_max(sources_sha256, host_time) AS sources_sha256,
       arg_max(board_sha256, host_time) AS board_sha256,
       arg_max(firmware_sha256, host_time) AS firmware_sha256,
       arg_max(compiler_sha256, host_time) AS compiler_sha256,
       arg_max(simulator_version, host_time) AS simulator_version
FROM done_rows GROUP BY algorithm, implementation, board, flags;

CREATE VIEW latest AS
WITH done AS (
    SELECT *, false AS lost FROM done_rows
    SEMI JOIN newest_builds USING (algorithm, implementation, board, flags, sources_sha256,
                                   board_sha256, firmware_sha256, compiler_sha256,
                                   simulator_version)
), never_done AS (
    SELECT *, true AS lost FROM lost_rows
    ANTI JOIN done USING (algorithm, implementation, board, flags, op, ad, m)
)
SELECT * FROM (SELECT * FROM done UNION ALL BY NAME SELECT * FROM never_done)
QUALIFY row_number() OVER (
    PARTITION BY algorithm, implementation, board, flags, op, ad, m
    ORDER BY host_time DESC, job
) = 1;
"""


@dataclass(frozen=True)
class Results:
    """An open results folder.

    `connection` is a DuckDB connection with the views ``measurements`` (every row of every job,
    with ``lost`` telling the jobs that have no result), ``latest`` (of each implementation, board
    and flags only what belongs to its newest sources, board, firmware, compiler and simulator,
    one row per case) and ``symbols``. `remarks` has a sentence for each file that was left out.
    """

    connection: duckdb.DuckDBPyConnection
    remarks: list[str] = field(default_factory=list)

    def query(self, sql: str, parameters: Iterable[object] = ()) -> pa.Table:
        """The answer to an SQL query as an Arrow table."""
        return self.connection.sql(sql, params=list(parameters)).to_arrow_table()

    def close(self) -> None:
        """Closes the connection."""
        self.connection.close()

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_results(store: ResultStore, with_symbols: bool = True) -> Results:
    """Opens a results folder for queries; an absent or empty folder has empty views.

    Without symbols half of the files need not be looked at; that view is empty then.

    Files that are not results of Pennyweight are left out and told in `remarks`; temporary files
    of a write that was cut off have another name and are never looked at.
    """
    remarks: list[str] = []
    done = _sound(store.job_files(), measurement_schema(), remarks)
    lost = _sound(store.lost_files(), measurement_schema(), remarks)
    symbol_files = store.symbol_files() if with_symbols else []
    symbols = _sound(symbol_files, symbol_schema(), remarks)
    connection = connect()
    connection.register("done_rows", _dataset(done, measurement_schema()))
    connection.register("lost_rows", _dataset(lost, measurement_schema()))
    connection.register("symbols", _dataset(symbols, symbol_schema()))
    connection.execute(_VIEWS)
    return Results(connection, remarks)


def _sound(files: Iterable[Path], wanted: pa.Schema, remarks: list[str]) -> list[Path]:
    """The files that can be read as `wanted`; of the others, why not goes to `remarks`."""
    good = []
    for path in files:
        try:
            problem = what_is_wrong(pq.read_schema(path), wanted)
        except (OSError, pa.ArrowException) as error:
            problem = f"it is no readable Parquet file ({_first_line(error)})"
        if problem is None:
            good.append(path)
        else:
            remarks.append(f"{path} is not a result of Pennyweight and is left out: {problem}.")
    return good


def _dataset(files: list[Path], schema: pa.Schema) -> ds.Dataset:
    """The rows of `files`, read when asked for, with exactly the columns of `schema`.

    An explicit list of files rather than a pattern: a folder's name may hold any character.
    """
    if not files:
        return ds.dataset(schema.empty_table())
    return ds.dataset([str(path.absolute()) for path in files], schema=schema, format="parquet")


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0][:120] if str(error).strip() else type(error).__name__
