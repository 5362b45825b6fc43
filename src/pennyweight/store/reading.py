"""Reads a results folder with DuckDB, whatever else is in the folder."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.dataset as ds

from pennyweight import cache
from pennyweight.model import UserError
from pennyweight.store.campaign_records import turns
from pennyweight.store.database import connect
from pennyweight.store.folder import SYMBOLS, ResultStore
from pennyweight.store.packs import BUILD, ORIGIN, Pack, forget, pack, packs_of
from pennyweight.store.schema import measurement_schema, symbol_schema
from pennyweight.store.validation import OtherVersionError, read_whole

_VIEWS = """
CREATE VIEW measurements AS
SELECT *, false AS lost FROM done_rows UNION ALL BY NAME SELECT *, true AS lost FROM lost_rows;

CREATE VIEW ordered_rows AS
SELECT d.*, p.turn FROM done_rows AS d LEFT JOIN plans AS p USING (job);

CREATE VIEW newest_builds AS
SELECT {build}, {newest} FROM ordered_rows GROUP BY {build};

CREATE VIEW without_compiler AS
SELECT DISTINCT missing.job FROM ordered_rows AS missing JOIN ordered_rows AS found USING ({code})
WHERE {replaced};

CREATE VIEW latest AS
WITH done AS (
    SELECT *, false AS lost FROM ordered_rows
    SEMI JOIN newest_builds USING ({build}, {surroundings})
    ANTI JOIN without_compiler USING (job)
), never_done AS (
    SELECT *, true AS lost FROM lost_rows ANTI JOIN done USING ({build}, op, ad, m)
)
SELECT * EXCLUDE (turn) FROM (SELECT * FROM done UNION ALL BY NAME SELECT * FROM never_done)
QUALIFY row_number() OVER (PARTITION BY {build}, op, ad, m ORDER BY {newest_first}) = 1;
"""


_PACKED_VIEWS = """
CREATE TABLE job_list AS
SELECT j.*, p.turn FROM (
    SELECT {job_columns}, number FROM packed_jobs
    UNION ALL SELECT DISTINCT {job_columns}, NULL AS number FROM loose_rows
) AS j LEFT JOIN plans AS p USING (job);

CREATE TABLE newest_builds AS
SELECT {build}, {newest} FROM job_list GROUP BY {build};

CREATE TABLE without_compiler AS
SELECT DISTINCT missing.job FROM job_list AS missing JOIN job_list AS found USING ({code})
WHERE {replaced};

CREATE TABLE current_jobs AS
SELECT * FROM job_list SEMI JOIN newest_builds USING ({build}, {surroundings})
ANTI JOIN without_compiler USING (job);

CREATE TABLE shared_jobs AS
SELECT job, number, turn FROM current_jobs
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
SELECT l.*, c.turn, false AS lost FROM loose_rows AS l
JOIN (SELECT DISTINCT job, turn FROM current_jobs) AS c USING (job)
UNION ALL BY NAME
SELECT p.* EXCLUDE (number), s.turn, false AS lost FROM packed_rows AS p
JOIN (SELECT DISTINCT number, turn FROM shared_jobs) AS s USING (number);

CREATE VIEW never_done AS
SELECT *, true AS lost FROM lost_rows ANTI JOIN (
    SELECT {build}, op, ad, m FROM done_rows
    SEMI JOIN current_jobs USING (job)
    SEMI JOIN (SELECT DISTINCT {build} FROM lost_rows) USING ({build})
) USING ({build}, op, ad, m);

CREATE VIEW latest AS
SELECT * FROM alone
UNION ALL BY NAME
SELECT * EXCLUDE (turn) FROM (SELECT * FROM together {lost})
QUALIFY row_number() OVER (PARTITION BY {build}, op, ad, m ORDER BY {newest_first}) = 1;
"""
"""The same views over packs. Rows of a packed job that is the newest and only one of its build are
`latest` unchanged, which applies to nearly all; only the others are compared case by case.
"""

_SURROUNDINGS = (
    "sources_sha256",
    "board_sha256",
    "firmware_sha256",
    "compiler_sha256",
    "simulator_version",
)
"""Columns that distinguish a build's newest jobs from those that it has superseded."""

_TIME = "(coalesce(turn, 0), host_time)"
"""Defines which of a build's jobs is the newest: the one that a campaign planned last, because a
reverted change must show its earlier figures; then the one that ran last. Therefore a clock that
was wrong for a while does not select outdated rows.
"""


def _time_of(table: str) -> str:
    return f"(coalesce({table}.turn, 0), {table}.host_time)"


_REPLACED = f"""
missing.compiler_sha256 = '' AND found.compiler_sha256 <> ''
AND {_time_of("found")} > {_time_of("missing")}
AND (missing.turn IS NULL AND found.turn IS NOT NULL
     OR starts_with(found.compiler, missing.compiler || '-')
     OR starts_with(found.compiler, missing.compiler || '.'))
"""
"""Whether a job that was skipped because its compiler was missing is replaced by a later one. Its
compiler is the user's name, such as ``clang``; after an installation it is ``clang-14.0.6``. Other
names, such as a path, only show that no campaign plans the skipped job any longer.
"""

_NAMES = {
    "code": ", ".join(BUILD),
    "replaced": _REPLACED,
    "build": ", ".join((*BUILD, "compiler")),
    "surroundings": ", ".join(_SURROUNDINGS),
    "job_columns": ", ".join((*BUILD, *ORIGIN)),
    "newest": ", ".join(f"arg_max({n}, {_TIME}) AS {n}" for n in _SURROUNDINGS),
    "newest_first": "turn DESC NULLS LAST, host_time DESC, job",
}


@dataclass(frozen=True)
class Results:
    """An open results folder.

    `connection` is a DuckDB connection with the views ``measurements`` (every row of every job,
    with ``lost`` for jobs without a result), ``latest`` (of each implementation, board, compiler
    and flags only the rows of the sources, board, firmware, compiler and simulator that a campaign
    planned last, or otherwise the newest; one row per case) and ``symbols``. `remarks` has a
    sentence for each file that was skipped, `damaged` the jobs of these files.
    """

    connection: duckdb.DuckDBPyConnection
    remarks: list[str] = field(default_factory=list)
    damaged: frozenset[str] = frozenset()
    _packs: tuple[Pack, ...] = ()
    _files: tuple[Path, ...] = ()
    _held: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    def query(self, sql: str, parameters: Iterable[object] = ()) -> pa.Table:
        """The result of an SQL query as an Arrow table.

        Raises UserError if files are gone or damaged since they were opened.
        """
        try:
            return self.connection.sql(sql, params=list(parameters)).to_arrow_table()
        except (duckdb.BinderException, duckdb.CatalogException, duckdb.ParserException):
            raise
        except (duckdb.Error, pa.ArrowException):
            self._check_files()
            raise

    def _check_files(self) -> None:
        """Raises UserError if a query failed because of a file."""
        damaged = [each for each in self._packs if not each.is_intact()]
        forget(damaged)
        for path in [*(each.rows for each in damaged), *(f for f in self._files if _is_bad(f))]:
            raise UserError(
                f"{path}: was damaged or removed while results were read; run the command again, "
                "which skips or rebuilds it"
            ) from None

    def close(self) -> None:
        """Closes the connection."""
        self.connection.close()
        self._held.close()

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_results(store: ResultStore, with_symbols: bool = True) -> Results:
    """Opens a results folder for queries; a missing or empty folder has empty views.

    Without symbols half of the files need not be opened; that view is then empty.

    Files that are not results of Pennyweight are skipped and listed in `remarks`. Temporary files
    of an interrupted write have another name and are never opened.
    """
    for is_first in (True, False):
        try:
            return _opened(store, with_symbols)
        except duckdb.Error:
            if not is_first:
                raise
            # A pack is damaged although its ends are valid, or another process has just removed it.
            found = packs_of(store.folder, store.job_files())
            forget(each for each in found if not each.is_intact())
    raise AssertionError("the second attempt returns or raises")


def _opened(store: ResultStore, with_symbols: bool) -> Results:
    """Raises duckdb.Error if a pack cannot be read."""
    remarks: list[str] = []
    files = store.job_files()
    packs = pack(store.folder, files)
    packed = frozenset[str]().union(*(each.names for each in packs))
    loose = [f for f in files if f.stem not in packed]
    jobs = _intact_files(loose, measurement_schema(), remarks)
    loose_symbols = [f for f in store.symbol_files() if with_symbols and f.stem not in packed]
    symbols = _intact_files(loose_symbols, symbol_schema(), remarks)
    lost = _intact_files(store.lost_files(), measurement_schema(), remarks)
    left_out = {*loose, *loose_symbols} - {*jobs, *symbols}
    connection = connect()
    held = contextlib.ExitStack()
    try:
        held.enter_context(cache.holding(each.place for each in packs))
        connection.register("lost_rows", _dataset(lost, measurement_schema()))
        connection.register("loose_symbols", _dataset(symbols, symbol_schema()))
        connection.register("plans", _plans(store))
        if packs:
            connection.register("loose_rows", _dataset(jobs, measurement_schema()))
            _open_packs(connection, packs, bool(lost), with_symbols)
        else:
            connection.register("done_rows", _dataset(jobs, measurement_schema()))
            connection.execute("CREATE VIEW symbols AS SELECT * FROM loose_symbols")
            connection.execute(_VIEWS.format(**_NAMES))
    except BaseException:
        connection.close()
        held.close()
        raise
    return Results(
        connection,
        remarks,
        frozenset(path.stem for path in left_out),
        tuple(packs),
        (*jobs, *symbols, *lost),
        held,
    )


def _open_packs(
    connection: duckdb.DuckDBPyConnection, packs: list[Pack], is_any_lost: bool, with_symbols: bool
) -> None:
    """The views over packs and unpacked files. Jobs are numbered through all packs."""

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
    lost = "UNION ALL BY NAME SELECT * FROM never_done" if is_any_lost else ""
    names = {**_NAMES, "lost": lost}
    connection.execute(tables.format(**names))
    [(apart,)] = connection.execute("SELECT count(*) FROM set_apart").fetchall()
    names["apart"] = "ANTI JOIN set_apart USING (number)" if apart else ""
    connection.execute(("CREATE VIEW done_rows" + views).format(**names))


def _plans(store: ResultStore) -> pa.Table:
    """The jobs that campaigns planned in their last run, with the last campaign of each."""
    found = turns(store.campaigns())
    return pa.table(
        {"job": pa.array(found.keys(), pa.string()), "turn": pa.array(found.values(), pa.int32())}
    )


def _intact_files(files: Iterable[Path], wanted: pa.Schema, remarks: list[str]) -> list[Path]:
    """The files that can be read completely as `wanted`; the reasons for the others are added to
    `remarks`.
    """
    good = []
    for path in files:
        problem = None
        try:
            read_whole(path, wanted)
        except (OSError, pa.ArrowException) as error:
            problem = (
                f"it is not a readable Parquet file ({_first_line(error)}); remove it and run again"
            )
        except OtherVersionError as error:
            remarks.append(f"{path} is skipped: it {str(error).removeprefix(f'{path}: ')}.")
            continue
        except UserError as error:
            problem = f"it {str(error).removeprefix(f'{path}: ')}"
        if problem is None:
            good.append(path)
        else:
            remarks.append(f"{path} is not a result of Pennyweight and is skipped: {problem}.")
    return good


def without_results(folder: object, remarks: list[str]) -> UserError:
    """The error of a folder without results that can be read."""
    if not remarks:
        return UserError(
            f"{folder}: no results in this folder; create some with "
            f"`pennyweight run --results {folder}`."
        )
    more = len(remarks) - 1
    others = f" {more} more file{'s are' if more > 1 else ' is'} skipped." if more else ""
    return UserError(f"{folder}: no results that this version can read: {remarks[0]}{others}")


def _is_bad(path: Path) -> bool:
    """Whether a file cannot be read, or no longer."""
    wanted = symbol_schema() if path.parent.name == SYMBOLS else measurement_schema()
    try:
        read_whole(path, wanted)
    except (OSError, pa.ArrowException, UserError):
        return True
    return False


def _dataset(files: list[Path], schema: pa.Schema) -> ds.Dataset:
    """The rows of `files`, read on demand, with exactly the columns of `schema`.

    Uses an explicit list of files rather than a pattern, because a folder's name may contain any
    character.
    """
    if not files:
        return ds.dataset(schema.empty_table())
    return ds.dataset([str(path.absolute()) for path in files], schema=schema, format="parquet")


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0][:120] if str(error).strip() else type(error).__name__
