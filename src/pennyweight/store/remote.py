"""A results folder at an address: an object store or a network's file system, through fsspec.

The folder on this machine is a copy, in the user's cache, of what lies there. Files are only ever
added, so copying is all there is to it: what is new there comes here before anything is read, and
what is added here goes there whole or not at all: object stores do so by themselves, on others a
file gets its name once it is written. Whoever else writes to the address is seen at the next look.
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
"""Jobs after their symbols: who looks in between finds no job without them."""

_OBJECT_STORES = frozenset(
    ("s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "oss", "oci", "memory")
)
"""File systems on which a file is there as a whole or not at all; on others it is renamed."""

_REPLACED = (CAMPAIGNS, LOST)
"""Of these a file of the same name may have other content: they are copied each time."""


def is_address(text: str) -> bool:
    """Whether a results folder is named by an address such as ``s3://bucket/results``."""
    return "://" in text


class RemoteStore(ResultStore):
    """The results at an address, with a copy on this machine."""

    has_locks = False

    def __init__(self, address: str) -> None:
        """Raises UserError if nothing there can be reached."""
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
        """Makes the copy what lies at the address now. Raises UserError if that fails."""
        try:
            self._files_there.invalidate_cache()
            for kind in _KINDS:
                folder = self.folder / kind
                make_folder(folder)
                # First what is here: another process of this machine puts its results there before.
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
        """Copies here what others have added there since."""
        self.pull()

    def done(self) -> frozenset[str]:
        """The keys of the jobs that have a result there, those of others too."""
        try:
            self._files_there.invalidate_cache()
            there = self._sizes(JOBS)
        except Exception as error:
            raise self._trouble("read", error) from error
        return frozenset(name.removesuffix(".parquet") for name in there)

    def has(self, job: str) -> bool:
        """Also a result that another machine has added since; it is copied here."""
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
        """Tries a write at the address, so that a campaign fails before it starts."""
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
        """What is killed in the middle leaves a name that nothing reads, not half a result."""
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
        """The files of a kind that are there, with their bytes as far as they are told."""
        try:
            found = self._files_there.ls(f"{self._root}/{kind}", detail=True)
        except FileNotFoundError:
            return {}
        sizes = {PurePosixPath(each["name"]).name: each.get("size") for each in found}
        return {name: sizes[name] for name in sizes if name.endswith((".parquet", ".json"))}

    def _content(self, kind: str, place: str, size: int | None) -> bytes:
        """A file that is there. Raises UserError for one that is no result: it would fill memory
        and disk.
        """
        if size is not None and size > archive.largest(kind):
            raise UserError(
                f"{self.address}: {place.removeprefix(self._root)} there is too large for a result "
                f"({size:,} bytes); remove it"
            )
        content: bytes = self._files_there.cat_file(place)
        return content

    def _trouble(self, what: str, error: Exception) -> UserError:
        if isinstance(error, UserError):
            return error
        line = (str(error).strip().splitlines() or [type(error).__name__])[0][:160]
        return UserError(
            f"{self.address}: cannot be {what} ({line}); finished jobs that are there are kept"
        )


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
            f"{address}: is no address of a results folder ({error}); use a folder or one of "
            f"{known} and others that fsspec knows"
        ) from None
    return files, str(path).rstrip("/")


def folder_of(address: str) -> Path | None:
    """The folder that an address such as ``file:///srv/results`` means; `None` for all others."""
    from fsspec.implementations.local import LocalFileSystem

    files, path = connect(address)
    return Path(path) if isinstance(files, LocalFileSystem) else None
