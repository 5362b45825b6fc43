"""Runs a compiler: with a clean environment, a time limit, a memory limit and no leftovers.

What it started ends with this process too, however that ends: :mod:`.guardian`.
"""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pennyweight import cache
from pennyweight.model import UserError
from pennyweight.toolchains.guardian import ANNOUNCE, guardian

TIME_LIMIT_S = 120.0
"""Wall time of one compiler run; the slowest file of the packages we know takes seconds."""

MEMORY_LIMIT = 4 << 30
"""Bytes of address space of one compiler process."""

FILE_LIMIT = 256 << 20
"""Bytes of the largest file that a compiler may write."""

OUTPUT_LIMIT = 1 << 20
"""Bytes of messages that are kept: the first error is what is told."""

_LAST_WORDS_S = 1.0


_ENDED_BY = r"(?:Hangup|Interrupt|Killed|Terminated|Bus error)"
_KILLED = re.compile(
    r"^[^\s:]+: (?:"
    rf"fatal error: {_ENDED_BY} signal terminated program \S+"
    rf"|internal compiler error: {_ENDED_BY} \(program \S+\)"
    r"|(?:fatal )?error: \S+ terminated with signal (?:1|2|7|9|15)\b)",
    re.MULTILINE,
)
"""What a driver says of a program that somebody or the system ended: out of memory, at the end of a
batch system's patience, or, where a file that is mapped finds no room on the disk, by a bus error.
The second is how GCC up to 8 says it.
"""

_ENDING = (signal.SIGHUP, signal.SIGINT, signal.SIGKILL, signal.SIGTERM)

_LITTLE = 16 << 20
"""Bytes free on a disk below which a failure is the disk's: not all programs say so."""

_DISK_FULL = "No space left on device"
_WRITING = re.compile(r"(?:writ|clos)\w+ ")


class DisturbedError(UserError):
    """A compiler that this machine kept from its work: nothing that the source did."""


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
    cannot change what is built. Raises `DisturbedError` if it was killed or the disk is full.
    """
    environment = {
        "PATH": search_path(),
        "LC_ALL": "C",
        "SOURCE_DATE_EPOCH": "0",
        "TMPDIR": str(temporary or cwd),
    }
    try:
        process = subprocess.Popen(
            _limited(arguments),
            cwd=cwd,
            env=environment,
            stdin=guardian.pipe(),
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
                done = Completed(process.wait(left), _text(output))
                _check_undisturbed(done, arguments[0], environment["TMPDIR"])
                return done
        _kill(process)
        output = _read(process, time.monotonic() + _LAST_WORDS_S) or b""
        return Completed(process.wait(), _text(output), timed_out=True)
    except BaseException:
        _kill(process)
        process.wait()
        raise
    finally:
        guardian.ended(process.pid)
        if process.stdout is not None:
            process.stdout.close()


def search_path() -> str:
    """Where programs are looked for: no folder that depends on the current one, which may be a
    package's. A compiler looks for its assembler there too.
    """
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(each for each in folders if Path(each).is_absolute()) or os.defpath


def which(program: str) -> str | None:
    """Where a program is, on :func:`search_path`."""
    return shutil.which(program, path=search_path())


def _check_undisturbed(done: Completed, program: str | Path, folder: str) -> None:
    """Raises `DisturbedError` for an end that another run would not see again."""
    if done.ok:
        return
    name = Path(program).name
    told = any(_tells_full_disk(line) for line in done.output.splitlines())
    if told or _free(folder) < _LITTLE:
        # Without the folder's own name, which chance gives: all jobs have the same reason.
        raise DisturbedError(
            f"{name} could not write: {cache.full_disk(Path(folder))}; the next run tries it again"
        )
    if -done.status in _ENDING or _KILLED.search(done.output):
        raise DisturbedError(
            f"{name} was killed, by hand or because memory ran out; the next run tries it again"
        )


def _free(folder: str) -> int:
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return _LITTLE


def _tells_full_disk(line: str) -> bool:
    before, found, after = line.partition(_DISK_FULL)
    return bool(found) and (not after.strip() or _WRITING.search(before) is not None)


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
    script = f"exec 2>/dev/null; {ANNOUNCE}{limits}"
    return ["/bin/sh", "-c", script, "sh", *map(str, arguments)]


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _text(output: bytes) -> str:
    return output.decode("utf-8", errors="replace")
