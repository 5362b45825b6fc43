"""Writing a file whole or not at all."""

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
"""Ends the name of a file that is still being written. Nothing ever reads such a file."""

_HALF_WRITTEN = re.compile(rf"\..+\.[0-9a-f]{{12}}{re.escape(TEMPORARY_SUFFIX)}")

_SECONDS = 1.0
"""Of results that a power cut may take at most; the next run measures them again."""

_NO_FLUSH = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS, errno.EBADF)

_REMEDIES = {
    errno.ENOSPC: "the disk is full: free some space and run again, finished jobs are kept",
    errno.EDQUOT: "your disk quota is used up: free some space and run again",
    errno.EFBIG: "files may not grow that large here (ulimit -f): lift that limit and run again, "
    "finished jobs are kept",
    errno.EROFS: "the file system is read-only: choose another folder with --results",
    errno.EACCES: "permission denied: make the folder writable or choose another one",
    errno.EPERM: "permission denied: make the folder writable or choose another one",
    errno.ENOENT: "the folder is gone: run again, the same command makes it anew",
    errno.ENOTDIR: "a part of that path is a file: choose another folder",
    errno.EEXIST: "a file of that name is in the way: choose another folder",
}


def explain(error: OSError) -> str:
    """What to do about a failed write, in words."""
    return _REMEDIES.get(error.errno or 0, error.strerror or str(error))


def is_half_written(name: str) -> bool:
    """Is it a name of a file that is, or was, being written by `write_whole`?"""
    return _HALF_WRITTEN.fullmatch(name) is not None


def make_folder(folder: Path) -> None:
    """Creates a folder and its parents; UserError says why it cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{folder}: cannot create this folder; {explain(error)}.") from error


class Flushes:
    """Folders to be flushed together, at most once in `_SECONDS`: half the time that a result
    takes to be stored goes there.
    """

    def __init__(self) -> None:
        self._folders: set[Path] = set()
        self._last = time.monotonic()

    def note(self, folder: Path) -> None:
        """A file has got its name in `folder`. Raises `UserError` as `flush` does."""
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

    The bytes go to a temporary name in the same folder, are flushed to the disk, and take their
    name in one step; the folder is flushed too, now or `later`, so that a name once seen survives
    a power cut.
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
    """Makes a rename durable, where the system can: Windows cannot open folders, and some network
    and shared folders know no flush of them.
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
