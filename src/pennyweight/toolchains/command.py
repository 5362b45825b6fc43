"""Runs a compiler: with a clean environment, a time limit, a memory limit and no leftovers."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

TIME_LIMIT_S = 120.0
"""Wall time of one compiler run; the slowest file of the packages we know takes seconds."""

MEMORY_LIMIT = 4 << 30
"""Bytes of address space of one compiler process."""

FILE_LIMIT = 256 << 20
"""Bytes of the largest file that a compiler may write."""


@dataclass(frozen=True, slots=True)
class Completed:
    """How a compiler run ended. `timed_out`: it was killed at the time limit."""

    status: int
    output: str
    timed_out: bool = False

    @property
    def ok(self) -> bool:
        """Did it succeed?"""
        return self.status == 0 and not self.timed_out


def run(
    arguments: Sequence[str | Path],
    *,
    cwd: Path,
    temporary: Path | None = None,
    time_limit: float = TIME_LIMIT_S,
) -> Completed:
    """Runs a command to its end or its limits; standard output and error come back together.

    Nothing of the caller's environment reaches it but PATH, so that a variable such as CPATH
    cannot change what is built.
    """
    environment = {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "LC_ALL": "C",
        "SOURCE_DATE_EPOCH": "0",
        "TMPDIR": str(temporary or cwd),
    }
    try:
        process = subprocess.Popen(
            [str(argument) for argument in arguments],
            cwd=cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        return Completed(status=127, output=f"{arguments[0]}: {error.strerror}")
    _limit(process.pid)
    try:
        output, _ = process.communicate(timeout=time_limit)
        return Completed(process.returncode, _text(output))
    except subprocess.TimeoutExpired:
        _kill(process)
        output, _ = process.communicate()
        return Completed(process.returncode, _text(output), timed_out=True)
    except BaseException:
        _kill(process)
        process.wait()
        raise


def _limit(pid: int) -> None:
    """The compiler's own children inherit the limits, which it starts after these are set."""
    with contextlib.suppress(OSError, AttributeError, ValueError):
        resource.prlimit(pid, resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (FILE_LIMIT, FILE_LIMIT))
        resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _text(output: bytes) -> str:
    return output.decode("utf-8", errors="replace")
