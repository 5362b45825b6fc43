"""One results folder: its content, and adding to it."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pennyweight.model import JobResult, UserError
from pennyweight.store.atomic import Flushes, explain, make_folder, write_whole
from pennyweight.store.campaign_records import what_is_wrong_with

JOBS = "jobs"
SYMBOLS = "symbols"
LOST = "lost"
CAMPAIGNS = "campaigns"
DISPUTED = "disputed"
FOLDERS = (JOBS, SYMBOLS, LOST, CAMPAIGNS, DISPUTED)

_SUFFIX = ".parquet"
_MAGIC = b"PAR1"
_SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,150}")


class ResultStore:
    """The results under one folder.

    Nothing is created before the first write, so the folder need not exist. Any number of processes
    may write to one folder: each job is its own file, and two that finish the same job leave one
    complete file (:mod:`.claims` avoids that).
    """

    has_locks = True
    """Whether all processes that write here see each other's claims, if the file system supports
    it.
    """

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        self._later: Flushes | None = None

    def __repr__(self) -> str:
        return f"ResultStore({str(self.folder)!r})"

    def refresh(self) -> None:
        """Updates the view of remote files; a local folder needs no update."""

    def done(self) -> frozenset[str]:
        """The keys of the jobs that have a result here."""
        return frozenset(name.removesuffix(_SUFFIX) for name in self._listing(JOBS))

    def done_of(self, jobs: Iterable[str]) -> frozenset[str]:
        """Those of the jobs that have an intact result here. A failing disk or an interrupted copy
        leaves damaged ones, which must run again.
        """
        done = self.done().intersection(jobs)
        return frozenset(job for job in done if not is_cut(self._file(JOBS, job)))

    def has(self, job: str) -> bool:
        """Whether this job has an intact result here."""
        path = self._file(JOBS, job)
        return path.is_file() and not is_cut(path)

    def job_files(self) -> list[Path]:
        """Every job's file, in order of name."""
        return self._files(JOBS)

    def symbol_files(self) -> list[Path]:
        """Every job's symbol table, in order of name."""
        return self._files(SYMBOLS)

    def lost_files(self, also_done: bool = False) -> list[Path]:
        """The files of jobs that were lost and, unless `also_done`, have not been done since."""
        lost = self._files(LOST)
        done = self.done() if lost and not also_done else frozenset()
        return [path for path in lost if path.stem not in done]

    def fingerprint(self) -> str:
        """A digest that changes when a result file comes, goes or is replaced.

        Files are compared by name, size and time, because files are never changed in place.
        """
        total = hashlib.sha256()
        for path in (*self.job_files(), *self.symbol_files(), *self.lost_files()):
            seen = path.stat()
            line = f"{path.parent.name}/{path.name} {seen.st_size} {seen.st_mtime_ns}\n"
            total.update(line.encode())
        return total.hexdigest()

    def prepare(self) -> None:
        """Creates the folder and tests a write, so that a campaign fails before it starts.

        Raises UserError if the folder cannot be made or written.
        """
        for name in (JOBS, SYMBOLS, LOST, CAMPAIGNS):
            make_folder(self.folder / name)
        marker = self.folder / ".pennyweight"
        write_whole(marker, b"Results of Pennyweight; one file per job, only ever added.\n")

    def add(self, result: JobResult, host_time: datetime | None = None) -> None:
        """Stores the result of a job. `host_time` is now unless given.

        The symbols are written first: the job counts as done when its rows exist.
        """
        from pennyweight.store.schema import measurement_table, symbol_table

        if not result.measurements:
            raise ValueError("a job result without measurements would be lost without a trace")
        job = result.provenance.job
        if result.symbols:
            self._write(SYMBOLS, job, symbol_table(result))
        self._write(JOBS, job, measurement_table(result, host_time or datetime.now(UTC)))

    def add_lost(self, result: JobResult, host_time: datetime | None = None) -> None:
        """Records why a job has no result. The next run tries the job again."""
        from pennyweight.store.schema import measurement_table

        table = measurement_table(result, host_time or datetime.now(UTC))
        self._write(LOST, result.provenance.job, table)

    def add_campaign(self, name: str, record: dict[str, Any]) -> None:
        """Stores a campaign's plan under its name."""
        make_folder(self.folder / CAMPAIGNS)
        text = json.dumps(record, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
        target = self.folder / CAMPAIGNS / f"{_safe(name)}.json"
        self.put_file(target, text.encode("utf-8"))

    def campaigns(self) -> list[dict[str, Any]]:
        """The plans of campaigns, in the order of their names.

        Records that cannot be read, or have an invalid field, are omitted.
        """
        return self.campaigns_and_remarks()[0]

    def campaigns_and_remarks(self) -> tuple[list[dict[str, Any]], list[str]]:
        """The plans of campaigns, and a sentence for each record that is omitted."""
        records, remarks = [], []
        for path in self.campaign_files():
            try:
                record = json.loads(path.read_text(encoding="utf-8"))
                problem = what_is_wrong_with(record, path.stem)
            except OSError as error:
                problem = explain(error)
            except (ValueError, RecursionError):
                problem = "it is not JSON"
            if problem is None:
                records.append(record)
            else:
                remarks.append(
                    f"{path} is not a campaign of Pennyweight and is skipped, with the pages of "
                    f"its study: {problem}; run the study again."
                )
        return records, remarks

    def campaign_files(self) -> list[Path]:
        """Every campaign's record, in order of name."""
        folder = self.folder / CAMPAIGNS
        found = sorted(folder.glob("*.json")) if folder.is_dir() else []
        return [path for path in found if path.is_file() and path.name.isprintable()]

    def read_job(self, job: str) -> Any:
        """A job's rows as an Arrow table. Raises UserError if they cannot be read."""
        from pennyweight.store.validation import read_table

        path = self._file(JOBS, job)
        return read_table(path.read_bytes(), str(path))

    def read_symbols(self, job: str) -> Any:
        """A job's bytes by function as an Arrow table; None if no readable table exists."""
        from pennyweight.store.validation import read_table

        path = self._file(SYMBOLS, job)
        with contextlib.suppress(OSError, UserError):
            return read_table(path.read_bytes(), str(path))
        return None

    def add_file(self, kind: str, name: str, content: bytes) -> None:
        """Adds a Parquet file that another store has written."""
        target = self._file(kind, name)
        make_folder(target.parent)
        self.put_file(target, content)

    def put_file(self, target: Path, content: bytes) -> None:
        """Writes a file of this store atomically."""
        write_whole(target, content, self._later)

    @contextlib.contextmanager
    def adding_many(self) -> Iterator[None]:
        """A context in which the names of files reach the disk within a second or so instead of
        immediately; their contents do immediately. At its end all names have. Raises UserError if
        that fails.
        """
        self._later = Flushes()
        try:
            yield
        except BaseException:
            with contextlib.suppress(UserError):  # the first error is the one to report
                self._settle()
            raise
        self._settle()

    def _settle(self) -> None:
        later, self._later = self._later, None
        if later is not None:
            later.flush()

    def delete_file(self, path: Path) -> None:
        """Deletes a file of this store. Raises UserError if that fails; a missing file is not an
        error.
        """
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise UserError(f"{path}: cannot delete this file; {explain(error)}.") from error

    def _files(self, kind: str) -> list[Path]:
        folder = self.folder / kind
        return [folder / name for name in self._listing(kind)]

    def _listing(self, kind: str) -> list[str]:
        """Returns names rather than paths, so that ten thousand files are listed and sorted
        quickly.

        Pipes and devices, from which a read may not return, do not count as results.
        """
        folder = self.folder / kind
        if not folder.exists():
            return []
        try:
            with os.scandir(folder) as entries:
                return sorted(entry.name for entry in entries if _is_result(entry))
        except OSError as error:
            reason = error.strerror or str(error)
            raise UserError(
                f"{folder}: cannot list the results; {reason}; give another --results folder."
            ) from error

    def _file(self, kind: str, job: str) -> Path:
        return self.folder / kind / f"{_safe(job)}{_SUFFIX}"

    def _write(self, kind: str, job: str, table: Any) -> None:
        import pyarrow.parquet as pq

        from pennyweight.store import machine

        noted = {machine.KEY: json.dumps(machine.this_machine()).encode()}
        buffer = io.BytesIO()
        pq.write_table(
            table.replace_schema_metadata(noted),
            buffer,
            compression="zstd",
            write_page_checksum=True,
        )
        self.add_file(kind, job, buffer.getvalue())


def is_cut(path: Path) -> bool:
    """Whether a file lacks the beginning or end of a Parquet file."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return False  # removed meanwhile, or reported where it is read
    try:
        size = os.fstat(handle).st_size
        ends = os.pread(handle, len(_MAGIC), 0), os.pread(handle, len(_MAGIC), size - len(_MAGIC))
        return ends != (_MAGIC, _MAGIC)
    except OSError:
        return True
    finally:
        os.close(handle)


def _is_result(entry: os.DirEntry[str]) -> bool:
    name = entry.name
    if not name.endswith(_SUFFIX) or name.startswith(".") or not name.isprintable():
        return False
    try:
        return entry.is_file()
    except OSError:
        return False  # circular links


def _safe(name: str) -> str:
    """The name itself, if it is a valid file name."""
    if not _SAFE_NAME.fullmatch(name):
        raise UserError(f"'{name}' cannot name a result; use letters, digits, '.', '_' and '-'.")
    return name
