"""Runs a compiler: with a clean environment, a time limit, a memory limit and no leftovers."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

TIME_LIMIT_S = 120.0
"""Wall time of one compiler run; the slowest file of the packages we know takes seconds."""

MEMORY_LIMIT = 4 << 30
"""Bytes of address space of one compiler process."""

FILE_LIMIT = 256 << 20
"""Bytes of the largest file that a compiler may write."""

OUTPUT_LIMIT = 1 << 20
"""Bytes of messages that are kept: the first error is what is told."""

_LAST_WORDS_S = 1.0


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
            _limited(arguments),
            cwd=cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        return Completed(status=127, output=f"{arguments[0]}: {error.strerror}")
    try:
        deadline = time.monotonic() + time_limit
        output = _read(process, deadline)
        if output is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                left = max(0.0, deadline - time.monotonic())
                return Completed(process.wait(left), _text(output))
        _kill(process)
        output = _read(process, time.monotonic() + _LAST_WORDS_S) or b""
        return Completed(process.wait(), _text(output), timed_out=True)
    except BaseException:
        _kill(process)
        process.wait()
        raise
    finally:
        if process.stdout is not None:
            process.stdout.close()


def _read(process: subprocess.Popen[bytes], deadline: float) -> bytes | None:
    """What a process prints until it closes its output, as much as is of use; `None` too late."""
    assert process.stdout is not None
    said = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while selector.select(max(0.0, deadline - time.monotonic())):
            chunk = os.read(process.stdout.fileno(), 1 << 16)
            if not chunk:
                return bytes(said)
            said += chunk[: OUTPUT_LIMIT - len(said)]
            if time.monotonic() > deadline:
                break
    return None


def _limited(arguments: Sequence[str | Path]) -> list[str]:
    """The command behind a shell that sets limits first: set from here, they could come too late
    for what the compiler starts.
    """
    limits = (
        f"ulimit -v {MEMORY_LIMIT >> 10}; ulimit -f {FILE_LIMIT >> 9}; ulimit -c 0; "
        "unset PWD OLDPWD SHLVL; "
        'exec 2>&1; exec "$@"'
    )
    return ["/bin/sh", "-c", f"exec 2>/dev/null; {limits}", "sh", *map(str, arguments)]


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _text(output: bytes) -> str:
    return output.decode("utf-8", errors="replace")
