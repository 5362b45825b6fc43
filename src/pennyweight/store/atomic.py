"""Writes files atomically."""

from __future__ import annotations

import errno
import os
import re
import secrets
import time
from contextlib import suppress
from pathlib import Path

from pennyweight.model import UserError

TEMPORARY_SUFFIX = ".tmp"
"""Suffix of files that are still being written. Such files are never read."""

_HALF_WRITTEN = re.compile(rf"\..+\.[0-9a-f]{{12}}{re.escape(TEMPORARY_SUFFIX)}")

_SECONDS = 1.0
"""Seconds of results that a power failure may lose; the next run measures them again."""

_NO_FLUSH = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS, errno.EBADF)

_REMEDIES = {
    errno.ENOSPC: "the disk is full: free some space and run again, finished jobs are kept",
    errno.EDQUOT: "your disk quota is used up: free some space and run again",
    errno.EFBIG: "the limit on file sizes (ulimit -f) was reached: raise it and run again, "
    "finished jobs are kept",
    errno.EROFS: "the file system is read-only: choose another folder with --results",
    errno.EACCES: "permission denied: make the folder writable or choose another one",
    errno.EPERM: "permission denied: make the folder writable or choose another one",
    errno.ENOENT: "the folder is gone: run the same command again to create it",
    errno.ENOTDIR: "a part of that path is a file: choose another folder",
    errno.EEXIST: "a file of that name exists: choose another folder",
}


def explain(error: OSError) -> str:
    """What to do about a failed write, in words."""
    return _REMEDIES.get(error.errno or 0, error.strerror or str(error))


def is_half_written(name: str) -> bool:
    """Whether a name is that of a file that `write_whole` is, or was, writing."""
    return _HALF_WRITTEN.fullmatch(name) is not None


def make_folder(folder: Path) -> None:
    """Creates a folder and its parents. Raises UserError with the reason."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{folder}: cannot create this folder; {explain(error)}.") from error


class Flushes:
    """Folders to flush together, at most once in `_SECONDS`, because flushing takes half the time
    of storing a result.
    """

    def __init__(self) -> None:
        self._folders: set[Path] = set()
        self._last = time.monotonic()

    def note(self, folder: Path) -> None:
        """Notes that a file was renamed in `folder`. Raises `UserError` as `flush` does."""
        self._folders.add(folder)
        if time.monotonic() - self._last >= _SECONDS:
            self.flush()

    def flush(self) -> None:
        """Raises `UserError` if a folder cannot be flushed."""
        self._last = time.monotonic()
        while self._folders:
            folder = self._folders.pop()
            try:
                _flush_folder(folder)
            except OSError as error:
                raise UserError(f"{folder}: cannot be written; {explain(error)}.") from error


def write_whole(target: Path, content: bytes, later: Flushes | None = None) -> None:
    """Writes `content` to `target` so that a reader sees all of it or nothing.

    The bytes are written to a temporary name in the same folder, flushed to the disk and renamed.
    The folder is flushed too, now or `later`, so that a visible name survives a power failure.
    """
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(6)}{TEMPORARY_SUFFIX}")
    try:
        try:
            with temporary.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(target)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
        if later is None:
            _flush_folder(target.parent)
    except OSError as error:
        raise UserError(f"{target}: cannot write this file; {explain(error)}.") from error
    if later is not None:
        later.note(target.parent)


def _flush_folder(folder: Path) -> None:
    """Makes a rename durable where the system can. Windows cannot open folders, and some network
    and shared folders cannot be flushed.
    """
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NO_FLUSH:
            raise
    finally:
        os.close(descriptor)
