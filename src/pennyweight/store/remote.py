"""A results folder at an address: an object store or a network file system, through fsspec.

The local folder, in the user's cache, is a copy of the remote one. Files are only ever added, so
synchronising means copying: new remote files are downloaded before anything is read, and added
files are uploaded atomically. Object stores guarantee that; on other file systems a file is renamed
after it is written. Files that other machines add are seen at the next update.
"""

from __future__ import annotations

import hashlib
import secrets
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any

from pennyweight import cache
from pennyweight.model import UserError
from pennyweight.store import archive
from pennyweight.store.atomic import TEMPORARY_SUFFIX, make_folder, write_whole
from pennyweight.store.folder import CAMPAIGNS, DISPUTED, JOBS, LOST, SYMBOLS, ResultStore

_KINDS = (SYMBOLS, LOST, CAMPAIGNS, JOBS, DISPUTED)
"""Jobs after their symbols, so that a reader never sees a job without them."""

_OBJECT_STORES = frozenset(
    ("s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "oss", "oci", "memory")
)
"""File systems that write files atomically; on others, files are renamed."""

_REPLACED = (CAMPAIGNS, LOST)
"""Kinds whose files can change under the same name; they are copied each time."""


class RemoteStore(ResultStore):
    """The results at an address, with a copy on this machine."""

    has_locks = False

    def __init__(self, address: str) -> None:
        """Raises UserError if the address cannot be reached."""
        self.address = address.rstrip("/")
        self._files_there, self._root = connect(self.address)
        known = self._files_there.protocol
        names = {known} if isinstance(known, str) else set(known)
        self._writes_whole = bool(names & _OBJECT_STORES)
        name = hashlib.sha256(self.address.encode()).hexdigest()[:32]
        super().__init__(cache.folder() / "stores" / name)
        self.pull()

    def __repr__(self) -> str:
        return f"RemoteStore({self.address!r})"

    def pull(self) -> None:
        """Updates the copy from the address. Raises UserError if that fails."""
        try:
            self._files_there.invalidate_cache()
            for kind in _KINDS:
                folder = self.folder / kind
                make_folder(folder)
                # Local files first: another process of this machine stores its results there first.
                here = {p.name for p in folder.iterdir() if not p.name.startswith(".")}
                there = self._sizes(kind)
                for name in sorted(here - there.keys()):
                    (folder / name).unlink(missing_ok=True)
                for name in sorted(there if kind in _REPLACED else there.keys() - here):
                    place = f"{self._root}/{kind}/{name}"
                    write_whole(folder / name, self._content(kind, place, there[name]))
        except Exception as error:
            raise self._trouble("read", error) from error

    def refresh(self) -> None:
        """Downloads what other machines have added since."""
        self.pull()

    def done(self) -> frozenset[str]:
        """The keys of the jobs that have a result there, including those of other machines."""
        try:
            self._files_there.invalidate_cache()
            there = self._sizes(JOBS)
        except Exception as error:
            raise self._trouble("read", error) from error
        return frozenset(name.removesuffix(".parquet") for name in there)

    def has(self, job: str) -> bool:
        """Includes results that another machine has added since, which are downloaded."""
        if super().has(job):
            return True
        found: dict[str, bytes] = {}
        for kind in (JOBS, SYMBOLS):
            try:
                place = f"{self._root}/{self._file(kind, job).relative_to(self.folder).as_posix()}"
                size = self._files_there.info(place).get("size")
                found[kind] = self._content(kind, place, size)
            except FileNotFoundError:
                if kind == JOBS:
                    return False
            except Exception as error:
                raise self._trouble("read", error) from error
        for kind in (SYMBOLS, JOBS):
            if kind in found:
                write_whole(self._file(kind, job), found[kind])
        return super().has(job)

    def prepare(self) -> None:
        """Tests a write at the address, so that a campaign fails before it starts."""
        super().prepare()
        marker = self.folder / ".pennyweight"
        self.put_file(marker, marker.read_bytes())

    def put_file(self, target: Path, content: bytes) -> None:
        """Writes a file there, then here."""
        place = f"{self._root}/{target.relative_to(self.folder).as_posix()}"
        try:
            self._files_there.makedirs(str(PurePosixPath(place).parent), exist_ok=True)
            if self._writes_whole:
                self._files_there.pipe_file(place, content)
            else:
                self._write_and_rename(place, content)
        except Exception as error:
            raise self._trouble("written", error) from error
        super().put_file(target, content)

    def _write_and_rename(self, place: str, content: bytes) -> None:
        """An interrupted write leaves a temporary name that is never read, not an incomplete
        result.
        """
        folder, _, name = place.rpartition("/")
        new = f"{folder}/.{name}.{secrets.token_hex(6)}{TEMPORARY_SUFFIX}"
        try:
            self._files_there.pipe_file(new, content)
            self._files_there.mv(new, place)
        except BaseException:
            with suppress(Exception):
                self._files_there.rm_file(new)
            raise

    def delete_file(self, path: Path) -> None:
        """Deletes a file there, then here."""
        relative = path.relative_to(self.folder).as_posix()
        try:
            if self._files_there.exists(f"{self._root}/{relative}"):
                self._files_there.rm_file(f"{self._root}/{relative}")
        except Exception as error:
            raise self._trouble("changed", error) from error
        super().delete_file(path)

    def _sizes(self, kind: str) -> dict[str, int | None]:
        """The remote files of a kind, with their sizes if the file system reports them."""
        try:
            found = self._files_there.ls(f"{self._root}/{kind}", detail=True)
        except FileNotFoundError:
            return {}
        sizes = {PurePosixPath(each["name"]).name: each.get("size") for each in found}
        return {name: sizes[name] for name in sizes if name.endswith((".parquet", ".json"))}

    def _content(self, kind: str, place: str, size: int | None) -> bytes:
        """Downloads a file. Raises UserError for one that is too large for a result, because it
        would fill memory and disk.
        """
        if size is not None and size > archive.largest(kind):
            raise UserError(
                f"{self.address}: its file {place.removeprefix(self._root)} is too large "
                f"({size:,} bytes); remove it"
            )
        content: bytes = self._files_there.cat_file(place)
        return content

    def _trouble(self, what: str, error: Exception) -> UserError:
        if isinstance(error, UserError):
            return error
        line = (str(error).strip().splitlines() or [type(error).__name__])[0][:160]
        return UserError(f"{self.address}: cannot be {what} ({line}); finished jobs there are kept")


def connect(address: str) -> tuple[Any, str]:
    """The file system of an address, and the path in it. Raises UserError."""
    import fsspec

    try:
        files, path = fsspec.core.url_to_fs(address)
    except ImportError as error:
        raise UserError(
            f"{address}: {error}, with pip, into the environment of Pennyweight"
        ) from None
    except Exception as error:
        known = ", ".join(("s3", "gs", "abfs", "sftp", "file"))
        raise UserError(
            f"{address}: is not an address of a results folder ({error}); use a folder or one of "
            f"{known} and others that fsspec knows"
        ) from None
    return files, str(path).rstrip("/")


def folder_of(address: str) -> Path | None:
    """The folder that an address such as ``file:///srv/results`` means; `None` for all others."""
    from fsspec.implementations.local import LocalFileSystem

    files, path = connect(address)
    return Path(path) if isinstance(files, LocalFileSystem) else None
