"""The jobs that a campaign is running, as seen by other campaigns in the same folder.

A claim is a lock of the operating system on one byte of one file; the job's name determines the
byte. A killed process leaves no claim behind, and no clean-up is needed. If the file system has no
such locks, or several machines do not share them, all claims are granted. Two campaigns may then do
the same job, which only costs time.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType

FILE = ".claims"
_TAKEN = (errno.EACCES, errno.EAGAIN)


class Claims:
    """The claims of this process in one folder. A context manager that releases all at its end."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._handle = -1

    def __enter__(self) -> Claims:
        with suppress(OSError):
            self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def take(self, job: str) -> bool:
        """Claims a job; false if another process has it."""
        if self._handle < 0:
            return True
        try:
            fcntl.lockf(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _place(job))
        except OSError as error:
            return error.errno not in _TAKEN
        return True

    def release(self, job: str) -> None:
        """Releases a claim."""
        if self._handle >= 0:
            with suppress(OSError):
                fcntl.lockf(self._handle, fcntl.LOCK_UN, 1, _place(job))


def _place(job: str) -> int:
    """The byte for a job; two jobs with the same byte only wait for each other."""
    return int.from_bytes(hashlib.sha256(job.encode()).digest()[:8]) >> 2
