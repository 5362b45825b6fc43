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
from pennyweight.store.packs import BUILD, ORIGIN, Pack, pack
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


_PACKED_VIEWS = """
CREATE TABLE job_list AS
SELECT {job_columns}, number FROM packed_jobs
UNION ALL SELECT DISTINCT {job_columns}, NULL AS number FROM loose_rows;

CREATE TABLE newest_builds AS
SELECT {build}, {newest} FROM job_list GROUP BY {build};

CREATE TABLE current_jobs AS
SELECT * FROM job_list SEMI JOIN newest_builds USING ({build}, {surroundings});

CREATE TABLE shared_jobs AS
SELECT job, number FROM current_jobs
SEMI JOIN (SELECT {build} FROM current_jobs GROUP BY {build} HAVING count(*) > 1) USING ({build});

CREATE TABLE set_apart AS
SELECT number FROM job_list WHERE number IS NOT NULL
AND (job NOT IN (SELECT job FROM current_jobs) OR job IN (SELECT job FROM shared_jobs));

CREATE VIEW done_rows AS
SELECT * EXCLUDE (number) FROM packed_rows UNION ALL BY NAME SELECT * FROM loose_rows;

CREATE VIEW measurements AS
SELECT *, false AS lost FROM done_rows UNION ALL BY NAME SELECT *, true AS lost FROM lost_rows;

CREATE VIEW alone AS
SELECT * EXCLUDE (number), false AS lost FROM packed_rows {apart};

CREATE VIEW together AS
SELECT *, false AS lost FROM loose_rows SEMI JOIN current_jobs USING (job)
UNION ALL BY NAME
SELECT p.* EXCLUDE (number), false AS lost FROM packed_rows AS p
SEMI JOIN (SELECT number FROM shared_jobs WHERE number IS NOT NULL) USING (number);

CREATE VIEW never_done AS
SELECT *, true AS lost FROM lost_rows ANTI JOIN (
    SELECT {build}, op, ad, m FROM done_rows
    SEMI JOIN current_jobs USING (job)
    SEMI JOIN (SELECT DISTINCT {build} FROM lost_rows) USING ({build})
) USING ({build}, op, ad, m);

CREATE VIEW latest AS
SELECT * FROM alone
UNION ALL BY NAME
SELECT * FROM (SELECT * FROM together {lost})
QUALIFY row_number() OVER (PARTITION BY {build}, op, ad, m ORDER BY host_time DESC, job) = 1;
"""
"""The same views over packs. Rows of a packed job that is the newest of its build and the only one
are `latest` as they are, which is nearly all; only the others are compared case by case.
"""

_SURROUNDINGS = (
    "sources_sha256",
    "board_sha256",
    "firmware_sha256",
    "compiler_sha256",
    "simulator_version",
)
"""What tells a build's newest jobs from those that it has superseded."""


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
    files = store.job_files()
    packs = pack(store.folder, files)
    packed = frozenset[str]().union(*(each.names for each in packs))
    loose = _sound([f for f in files if f.stem not in packed], measurement_schema(), remarks)
    lost = _sound(store.lost_files(), measurement_schema(), remarks)
    symbol_files = store.symbol_files() if with_symbols else []
    symbols = _sound([f for f in symbol_files if f.stem not in packed], symbol_schema(), remarks)
    connection = connect()
    connection.register("lost_rows", _dataset(lost, measurement_schema()))
    connection.register("loose_symbols", _dataset(symbols, symbol_schema()))
    if packs:
        connection.register("loose_rows", _dataset(loose, measurement_schema()))
        _open_packs(connection, packs, bool(lost), with_symbols)
    else:
        connection.register("done_rows", _dataset(loose, measurement_schema()))
        connection.execute("CREATE VIEW symbols AS SELECT * FROM loose_symbols")
        connection.execute(_VIEWS)
    return Results(connection, remarks)


def _open_packs(
    connection: duckdb.DuckDBPyConnection, packs: list[Pack], is_any_lost: bool, with_symbols: bool
) -> None:
    """The views over packs and what is in none. A pack's jobs are numbered after the others'."""

    def united(files: Iterable[Path]) -> str:
        return " UNION ALL BY NAME ".join(
            f"SELECT * EXCLUDE (number), {i} * 4294967296 + number AS number "
            f"FROM read_parquet('{str(file).replace(chr(39), chr(39) * 2)}')"
            for i, file in enumerate(files)
        )

    connection.execute(f"CREATE VIEW packed_rows AS {united(each.rows for each in packs)}")
    connection.execute(f"CREATE TABLE packed_jobs AS {united(each.jobs for each in packs)}")
    symbols = ["SELECT * FROM loose_symbols"]
    if with_symbols:
        symbols += [
            f"SELECT * FROM read_parquet('{str(each.symbols).replace(chr(39), chr(39) * 2)}')"
            for each in packs
        ]
    connection.execute(f"CREATE VIEW symbols AS {' UNION ALL BY NAME '.join(symbols)}")
    tables, views = _PACKED_VIEWS.split("CREATE VIEW done_rows", 1)
    names = {
        "build": ", ".join(BUILD),
        "surroundings": ", ".join(_SURROUNDINGS),
        "job_columns": ", ".join((*BUILD, *ORIGIN)),
        "newest": ", ".join(f"arg_max({n}, host_time) AS {n}" for n in _SURROUNDINGS),
        "lost": "UNION ALL BY NAME SELECT * FROM never_done" if is_any_lost else "",
    }
    connection.execute(tables.format(**names))
    [(apart,)] = connection.execute("SELECT count(*) FROM set_apart").fetchall()
    names["apart"] = "ANTI JOIN set_apart USING (number)" if apart else ""
    connection.execute(("CREATE VIEW done_rows" + views).format(**names))


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
