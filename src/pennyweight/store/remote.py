"""A results folder at an address: an object store or a network's file system, through fsspec.

The folder on this machine is a copy, in the user's cache, of what lies there. Files are only ever
added, so copying is all there is to it: what is new there comes here before anything is read, and
what is added here goes there under its final name at once, which object stores do whole or not at
all. Whoever else writes to the address is seen at the next look.
"""

from __future__ import annotations

import hashlib
from pathlib import Path, PurePosixPath
from typing import Any

from pennyweight import cache
from pennyweight.model import UserError
from pennyweight.store.atomic import make_folder, write_whole
from pennyweight.store.folder import CAMPAIGNS, JOBS, LOST, SYMBOLS, ResultStore

_KINDS = (SYMBOLS, LOST, CAMPAIGNS, JOBS, "disputed")
"""Jobs after their symbols: who looks in between finds no job without them."""

_REPLACED = (CAMPAIGNS, LOST)
"""Of these a file of the same name may have other content: they are copied each time."""


def is_address(text: str) -> bool:
    """Whether a results folder is named by an address such as ``s3://bucket/results``."""
    return "://" in text


class RemoteStore(ResultStore):
    """The results at an address, with a copy on this machine."""

    def __init__(self, address: str) -> None:
        """Raises UserError if nothing there can be reached."""
        self.address = address.rstrip("/")
        self._files_there, self._root = _connect(self.address)
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
                there = self._names(kind)
                folder = self.folder / kind
                make_folder(folder)
                here = {p.name for p in folder.iterdir() if not p.name.startswith(".")}
                for name in sorted(here - there):
                    (folder / name).unlink(missing_ok=True)
                for name in sorted(there if kind in _REPLACED else there - here):
                    content = self._files_there.cat_file(f"{self._root}/{kind}/{name}")
                    write_whole(folder / name, content)
        except Exception as error:
            raise self._trouble("read", error) from error

    def done(self) -> frozenset[str]:
        """The keys of the jobs that have a result there, those of others too."""
        try:
            self._files_there.invalidate_cache()
            there = self._names(JOBS)
        except Exception as error:
            raise self._trouble("read", error) from error
        return frozenset(name.removesuffix(".parquet") for name in there)

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
            self._files_there.pipe_file(place, content)
        except Exception as error:
            raise self._trouble("written", error) from error
        super().put_file(target, content)

    def delete_file(self, path: Path) -> None:
        """Deletes a file there, then here."""
        relative = path.relative_to(self.folder).as_posix()
        try:
            if self._files_there.exists(f"{self._root}/{relative}"):
                self._files_there.rm_file(f"{self._root}/{relative}")
        except Exception as error:
            raise self._trouble("changed", error) from error
        super().delete_file(path)

    def _names(self, kind: str) -> set[str]:
        try:
            found = self._files_there.ls(f"{self._root}/{kind}", detail=False)
        except FileNotFoundError:
            return set()
        names = {PurePosixPath(each).name for each in found}
        return {name for name in names if name.endswith((".parquet", ".json"))}

    def _trouble(self, what: str, error: Exception) -> UserError:
        if isinstance(error, UserError):
            return error
        line = (str(error).strip().splitlines() or [type(error).__name__])[0][:160]
        return UserError(
            f"{self.address}: cannot be {what} ({line}); finished jobs that are there are kept"
        )


def _connect(address: str) -> tuple[Any, str]:
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
