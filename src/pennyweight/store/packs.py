"""Packs many jobs' rows into few files, for queries over millions of rows.

A results folder has one file per job, which is safe to write and share but slow to read if there
are thousands. Therefore the rows of many jobs are also stored in packs in the user's cache, sorted
so that a query reads only what it needs. A pack is only a copy. It is tied to its source files by
their names, sizes and modification times, and is rebuilt if one of them changes or if the pack is
missing or damaged.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from pennyweight import cache
from pennyweight.model import Provenance, UserError
from pennyweight.store.database import connect
from pennyweight.store.folder import SYMBOLS, is_cut
from pennyweight.store.schema import HOST_TIME, measurement_schema, symbol_schema
from pennyweight.store.validation import read_whole

WORTH_IT = 300
"""Number of unpacked files from which a new pack is made."""

MOST_PACKS = 8
"""Number of packs from which all are merged into one."""

NUMBER = "number"
"""Column of a pack: the number of the job that a row belongs to; short, for joins."""

_FORMAT = 6
"""Part of the packs' names. Increase it when the columns of jobs or rows change: packs of earlier
versions have other columns and are not read.
"""

_ROOM = "packs"
_ROWS, _JOBS, _NAMES = "rows.parquet", "jobs.parquet", "jobs.json"
_SYMBOLS = "symbols.parquet"
_BATCH = 200_000
_ORDER = ("board", "algorithm", "implementation", "flags", "op", "ad", "m")
BUILD = ("algorithm", "implementation", "board", "flags")
ORIGIN = tuple(dict.fromkeys((*Provenance.__slots__, HOST_TIME)))


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack: its rows, one row for each of its jobs (build, origin, number), and their names.

    `symbols` has the bytes by function of these jobs.
    """

    place: Path
    names: frozenset[str]

    @property
    def rows(self) -> Path:
        """The rows of all its jobs, in order."""
        return self.place / _ROWS

    @property
    def jobs(self) -> Path:
        """A row for each job."""
        return self.place / _JOBS

    @property
    def symbols(self) -> Path:
        """The bytes by function."""
        return self.place / _SYMBOLS

    def is_whole(self) -> bool:
        """Whether each of its files has a valid end."""
        files = (self.rows, self.jobs, self.symbols)
        return all(file.is_file() and not is_cut(file) for file in files)

    def is_intact(self) -> bool:
        """Whether all of it can be read. This takes time."""
        try:
            for file in (self.rows, self.jobs, self.symbols):
                for _ in pq.ParquetFile(file, page_checksum_verification=True).iter_batches():
                    pass
        except (OSError, pa.ArrowException):
            return False
        return True


def packs_of(folder: Path, files: Iterable[Path]) -> list[Pack]:
    """The packs of a results folder whose source files are all in `files` and unchanged."""
    found = []
    shelf = _shelf(folder)
    there: dict[str, list[int]] | None = None
    for place in sorted(shelf.iterdir()) if shelf.is_dir() else ():
        with contextlib.suppress(OSError, ValueError, AttributeError):
            made_of = json.loads((place / _NAMES).read_text(encoding="utf-8"))
            if there is None:
                there = {path.stem: _seen(path) for path in files}
            pack = Pack(place, frozenset(made_of))
            if all(there.get(name) == seen for name, seen in made_of.items()) and pack.is_whole():
                cache.touch(place)
                found.append(pack)
    return found


def _seen(path: Path) -> list[int]:
    """A file's size and modification time, to detect changes; -1 for a missing file."""
    try:
        stat = path.stat()
    except OSError:
        return [-1, 0]
    return [stat.st_size, stat.st_mtime_ns]


def pack(folder: Path, files: Sequence[Path], worth_it: int = WORTH_IT) -> list[Pack]:
    """The packs of a folder. If enough of `files` (all its jobs) are unpacked, one more pack is
    made.

    If the cache cannot be written, there are no packs, and queries are slower.
    """
    if any(letter in str(cache.folder()) for letter in "*?["):
        return []  # DuckDB would treat such a path as a pattern
    packs = packs_of(folder, files)
    packed = frozenset[str]().union(*(each.names for each in packs))
    loose = [path for path in files if path.stem not in packed]
    if len(loose) < worth_it:
        return packs
    if len(packs) >= MOST_PACKS:
        loose, packs = list(files), []
    with contextlib.suppress(OSError):
        made = _make(folder, loose)
        if made is not None:
            packs.append(made)
        _clear(folder, packs)
    return packs


def forget(packs: Iterable[Pack]) -> None:
    """Removes packs that cannot be read; they are rebuilt when needed."""
    for each in packs:
        shutil.rmtree(each.place, ignore_errors=True)


def _shelf(folder: Path) -> Path:
    name = hashlib.sha256(f"{_FORMAT} {folder.resolve()}".encode("utf-8", "surrogateescape"))
    return cache.folder() / _ROOM / name.hexdigest()[:32]


def _make(folder: Path, files: Sequence[Path]) -> Pack | None:
    """Makes one pack of the readable files. Raises OSError if it cannot be written."""
    made_of = json.dumps(sorted((path.stem, _seen(path)) for path in files))
    key = hashlib.sha256(made_of.encode("utf-8", "surrogateescape")).hexdigest()[:32]
    place = _shelf(folder) / key
    with cache.being_made(place) as new:
        taken = _gather(files, new / "unsorted.parquet")
        if not taken:
            return None
        _sort(new)
        (new / "unsorted.parquet").unlink()
        _gather_symbols([folder / SYMBOLS / f"{name}.parquet" for name in taken], new / _SYMBOLS)
        (new / _NAMES).write_text(json.dumps(taken), encoding="utf-8")
        for file in new.iterdir():
            _flush(file)
        shutil.rmtree(place, ignore_errors=True)
        new.replace(place)
    return Pack(place, frozenset(taken))


def _flush(file: Path) -> None:
    """Flushes a file; otherwise a power failure may leave its name without its content."""
    with file.open("rb") as opened:
        os.fsync(opened.fileno())


def _gather(files: Sequence[Path], target: Path) -> dict[str, list[int]]:
    """Writes the rows of all intact files to one file. Returns the names of their jobs, and the
    files' sizes and times before they were read.
    """
    wanted = measurement_schema()
    schema = wanted.append(pa.field(NUMBER, pa.int32()))
    taken: dict[str, list[int]] = {}
    with _Gatherer(target, schema) as gatherer:
        for path in files:
            seen = _seen(path)
            table = _read(path, wanted)
            if table is not None:
                number = pa.array([len(taken)] * table.num_rows, pa.int32())
                gatherer.add(table.append_column(schema.field(NUMBER), number))
                taken[path.stem] = seen
    return taken


def _gather_symbols(files: Iterable[Path], target: Path) -> None:
    wanted = symbol_schema()
    with _Gatherer(target, wanted) as gatherer:
        for path in files:
            table = _read(path, wanted)
            if table is not None:
                gatherer.add(table)


class _Gatherer:
    """Writes tables to one file, many small ones at a time."""

    def __init__(self, target: Path, schema: pa.Schema) -> None:
        self._writer = pq.ParquetWriter(target, schema, compression="zstd")
        self._batch: list[pa.Table] = []
        self._size = 0

    def add(self, table: pa.Table) -> None:
        self._batch.append(table)
        self._size += table.num_rows
        if self._size >= _BATCH:
            self._flush()

    def _flush(self) -> None:
        if self._batch:
            self._writer.write_table(pa.concat_tables(self._batch))
        self._batch, self._size = [], 0

    def __enter__(self) -> _Gatherer:
        return self

    def __exit__(self, *_: object) -> None:
        self._flush()
        self._writer.close()


def _read(path: Path, schema: pa.Schema) -> pa.Table | None:
    """Exactly the columns of `schema`, with null in missing optional ones; None if invalid."""
    try:
        table = read_whole(path, schema)
    except (OSError, pa.ArrowException, UserError):
        return None
    columns = [
        table.column(field.name)
        if field.name in table.column_names
        else pa.nulls(table.num_rows, field.type)
        for field in schema
    ]
    return pa.table(columns, schema=schema)


def _sort(folder: Path) -> None:
    """Sorts the gathered rows, on disk if memory is short, and lists their jobs."""
    with connect() as database:
        database.execute("SET memory_limit = '500MB'")
        database.execute("SET temp_directory = ?", [str(folder / "spill")])
        source = database.from_parquet(str(folder / "unsorted.parquet"))
        database.register("gathered", source)
        database.execute(
            f"COPY (SELECT * FROM gathered ORDER BY {', '.join(_ORDER)}, {HOST_TIME}) TO "
            f"'{_quoted(folder / _ROWS)}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 60000)"
        )
        columns = ", ".join((*BUILD, *ORIGIN))
        database.execute(
            f"COPY (SELECT DISTINCT {columns}, {NUMBER} FROM gathered ORDER BY {NUMBER}) TO "
            f"'{_quoted(folder / _JOBS)}' (FORMAT parquet, COMPRESSION zstd)"
        )
    shutil.rmtree(folder / "spill", ignore_errors=True)


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")


def _clear(folder: Path, packs: Iterable[Pack]) -> None:
    """Removes packs that are no longer used."""
    kept = {each.place for each in packs}
    for place in _shelf(folder).iterdir():
        if place not in kept and not cache.is_held(place):
            shutil.rmtree(place, ignore_errors=True)
