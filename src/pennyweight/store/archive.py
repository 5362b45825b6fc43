"""Packs a results folder into one file for sharing: results, provenance and report.

The archive is a ZIP file with the folder's own files (Parquet is already compressed), the report,
and `manifest.json`: the digests of each job's rows and of each other file, and the versions used.
Names are sorted and times fixed, so equal content gives equal bytes.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pennyweight.model import UserError
from pennyweight.store import validation
from pennyweight.store.atomic import explain, make_folder
from pennyweight.store.digest import content_digest
from pennyweight.store.folder import CAMPAIGNS, JOBS, SYMBOLS, ResultStore
from pennyweight.store.machine import this_machine
from pennyweight.version import __version__

FORMAT = 1
"""Increased when the content of an archive changes."""

MANIFEST = "manifest.json"
REPORT = "report"
LARGEST_RECORD = 32 << 20
"""Maximum bytes of a campaign's plan, which needs tens of times as much memory: half a million
jobs.
"""

_OF_AN_ENTRY = 1 << 10
"""More bytes than a manifest takes for each file of its archive."""

_KINDS = (CAMPAIGNS, SYMBOLS, JOBS)

_DAMAGE = (
    zipfile.BadZipFile,
    EOFError,
    zlib.error,
    lzma.LZMAError,
    NotImplementedError,
    RuntimeError,
)
"""What `zipfile` raises for a broken archive and for an unsupported compression or encryption."""

_EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Exported:
    """Contents of an archive in numbers."""

    jobs: int
    rows: int
    pages: int
    bytes: int


def export(store: ResultStore, target: Path, report: Path | None = None) -> Exported:
    """Writes the archive atomically; `report` is the folder of a report.

    Raises UserError if there are no results, one cannot be read, or the file cannot be written.
    """
    files = store.job_files()
    if not files:
        raise UserError(f"{store.folder}: there are no results to export in this folder.")
    make_folder(target.parent)
    rows, digests = 0, {}
    others: dict[str, str] = {}
    pages = sorted(p for p in report.rglob("*") if p.is_file()) if report else []
    try:
        with tempfile.NamedTemporaryFile(dir=target.parent, suffix=".tmp", delete=False) as file:
            temporary = Path(file.name)
            try:
                with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
                    for path in (*files, *store.symbol_files(), *store.campaign_files()):
                        content = path.read_bytes()
                        if path.parent.name == JOBS:
                            table = validation.read_table(content, str(path))
                            digests[path.stem] = content_digest(table)
                            rows += table.num_rows
                        else:
                            others[f"{path.parent.name}/{path.name}"] = _sha256(content)
                        _put(archive, f"{path.parent.name}/{path.name}", content)
                    for page in pages:
                        assert report is not None
                        name = f"{REPORT}/{page.relative_to(report).as_posix()}"
                        content = page.read_bytes()
                        others[name] = _sha256(content)
                        _put(archive, name, content)
                    _put(archive, MANIFEST, _manifest(digests, others))
                temporary.replace(target)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
    except OSError as error:
        raise UserError(f"{target}: cannot write this archive; {explain(error)}.") from error
    return Exported(len(files), rows, len(pages), target.stat().st_size)


def _put(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, _EPOCH)
    compress = not name.endswith((".parquet", ".png"))
    entry.compress_type = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
    archive.writestr(entry, content)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _manifest(digests: dict[str, str], others: dict[str, str]) -> bytes:
    record = {
        "format": FORMAT,
        "pennyweight": __version__,
        "machine": this_machine(),
        "jobs": digests,
        "files": others,
    }
    return (json.dumps(record, indent=1, sort_keys=True) + "\n").encode()


@dataclass(frozen=True, slots=True)
class Shared:
    """A file of imported results: its kind, its job or campaign, and its content."""

    kind: str
    name: str
    content: bytes


def read_shared(path: Path) -> Iterator[Shared]:
    """Reads the jobs, symbols and campaigns of an archive or results folder.

    Campaigns come first, then each job just after its symbols. An interrupted import therefore has
    no job without symbols, and at most one job is in memory. Raises UserError for any other file,
    for a file that is too large, and for one that contradicts the manifest.
    """
    if path.is_dir():
        yield from _of_folder(ResultStore(path))
        return
    try:
        with zipfile.ZipFile(path) as archive:
            yield from _of_archive(path, archive)
    except _DAMAGE as error:
        raise UserError(
            f"{path}: is not an archive of `pennyweight export` ({error}); give such an archive "
            "or a results folder"
        ) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise UserError(f"{path}: cannot read this archive; {reason}.") from None


def _of_folder(store: ResultStore) -> Iterator[Shared]:
    if not store.job_files():
        raise UserError(f"{store.folder}: there are no results in this folder.")
    files = (*store.campaign_files(), *store.symbol_files(), *store.job_files())
    for path in sorted(files, key=lambda path: _turn(path.parent.name, path.stem)):
        if path.stat().st_size > largest(path.parent.name):
            raise UserError(f"{path}: is too large for a result")
        yield Shared(path.parent.name, path.stem, path.read_bytes())


def _turn(kind: str, name: str) -> tuple[bool, str, bool]:
    """Position of a file in the order of `read_shared`."""
    return kind != CAMPAIGNS, name, kind == JOBS


def largest(kind: str) -> int:
    """Maximum size in bytes of a file of this kind."""
    return LARGEST_RECORD if kind == CAMPAIGNS else validation.LARGEST_FILE


def _of_archive(path: Path, archive: zipfile.ZipFile) -> Iterator[Shared]:
    digests, others = _digests(path, archive)
    found = []
    for entry in archive.infolist():
        if entry.is_dir():
            continue
        kind, _, name = entry.filename.partition("/")
        stem, _, suffix = name.rpartition(".")
        is_result = kind in _KINDS and stem and "/" not in name and suffix in ("json", "parquet")
        is_whole = entry.filename in others or kind == REPORT or (is_result and kind != JOBS)
        if (is_result or is_whole) and entry.file_size > largest(kind):
            raise UserError(f"{path}: its file '{entry.filename}' is too large for a result")
        if is_result:
            found.append((kind, stem, entry))
        if is_whole and others.get(entry.filename) != _sha256(archive.read(entry)):
            raise _changed(path, entry.filename)
    there = {entry.filename for entry in archive.infolist()}
    wanted = {*others, *(f"{JOBS}/{job}.parquet" for job in digests)}
    for name in sorted(wanted - there):
        raise UserError(f"{path}: '{name}' is in its manifest but missing; request a new archive")
    for kind, stem, entry in sorted(found, key=lambda each: _turn(each[0], each[1])):
        content = archive.read(entry)
        if kind == JOBS:
            digest = content_digest(validation.read_table(content, f"{path}: {entry.filename}"))
            if digests.get(stem) != digest:
                raise _changed(path, entry.filename)
        yield Shared(kind, stem, content)


def _changed(path: Path, name: str) -> UserError:
    return UserError(
        f"{path}: '{name}' differs from its manifest: it was changed after the export; request "
        "a new archive"
    )


def _digests(path: Path, archive: zipfile.ZipFile) -> tuple[dict[str, Any], dict[str, Any]]:
    """The digests of jobs' rows and other files. Raises UserError."""
    try:
        largest = _OF_AN_ENTRY * (len(archive.infolist()) + 1000)
        if archive.getinfo(MANIFEST).file_size > largest:
            raise UserError(f"{path}: its '{MANIFEST}' is too large for a list of results")
        manifest = json.loads(archive.read(MANIFEST))
        found, form = manifest["jobs"], manifest["format"]
        others = manifest.get("files", {})
        if not isinstance(found, dict) or not isinstance(others, dict):
            raise ValueError
    except (KeyError, ValueError, TypeError, RecursionError):
        raise UserError(f"{path}: is not an archive of `pennyweight export`") from None
    if form != FORMAT:
        raise UserError(
            f"{path}: has format {form}, this Pennyweight reads {FORMAT}; use the version that "
            "wrote it"
        )
    if "files" not in manifest:
        raise UserError(
            f"{path}: was exported by an older Pennyweight, which did not store digests of all "
            "tables; export it again, or import the results folder itself"
        )
    return found, others
