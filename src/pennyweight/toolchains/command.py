"""Runs a compiler: with a clean environment, a time limit, a memory limit and no leftovers.

What it started ends with this process too, however that ends: :mod:`.watchdog`.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import resource
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pennyweight import cache
from pennyweight.model import UserError, printable
from pennyweight.toolchains.watchdog import ANNOUNCE, watchdog

TIME_LIMIT_S = 120.0
"""Wall time of one compiler run; the slowest file of the packages we know takes seconds."""

_POLL_S = 1.0
_LONGEST_POLL_S = 3.0
"""What may pass at a time: more than that between two looks, and all stood still, as in a container
or under a batch system that was paused.
"""

_MOST_LIMITS = 4
"""So many times its time may pass for a compiler that waits for a processor."""

_SHORT_S = 10.0
"""A limit below which nobody asks whether it did: what is left of a longer one."""

MEMORY_LIMIT = 4 << 30
"""Bytes of address space of one compiler process."""

FILE_LIMIT = 256 << 20
"""Bytes of the largest file that a compiler may write."""

OUTPUT_LIMIT = 1 << 20
"""Bytes of messages that are kept: the first error is what is told."""

_LAST_WORDS_S = 1.0
_LONGEST_SHOWN = 200


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

_NOT_STARTED = re.compile(
    r"^[^\s:]+: (?:"
    r"(?:fatal )?error: (?:cannot execute .{1,4200}: )?(?:v?fork|pipe2?|dup2?|posix_spawn): "
    r"|error while loading shared libraries: .{1,4200}: (?:Error \d|Too many open|failed to map|"
    r"cannot allocate))",
    re.MULTILINE,
)
"""What a driver says where the system gives it no further process, as where a container or a user
may have only so many, and what the loader says of a program without memory or files.
"""

_SHORT_OF = {
    resource.RLIMIT_AS: (MEMORY_LIMIT, "memory", "ulimit -v", ("out of memory", "ory exhausted")),
    resource.RLIMIT_FSIZE: (FILE_LIMIT, "file size", "ulimit -f", ("File size limit exceeded",)),
}
"""What compilers may have at most, and what they say where they have less."""

_NO_MORE = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)

_ENDING = (signal.SIGHUP, signal.SIGINT, signal.SIGKILL, signal.SIGTERM)

_LITTLE = 16 << 20
"""Bytes free on a disk below which a failure is the disk's: not all programs say so."""

_DISK_FULL = "No space left on device"
_WRITING = re.compile(r"(?:writ|clos)\w{1,9} ")


class DisturbedError(UserError):
    """A compiler that this machine kept from its work: nothing that the source did."""


@dataclass(frozen=True, slots=True)
class Completed:
    """How a compiler run ended. `timed_out`: it was killed at the time limit. `seconds` are those
    that counted for that.
    """

    status: int
    output: str
    timed_out: bool = False
    seconds: float = 0.0

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
    cannot change what is built. Raises `DisturbedError` if it was killed, had hardly any time of a
    processor, the system had no process for it or less than the limits, or the disk is full.
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
            stdin=watchdog.pipe(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        if error.errno in _NO_MORE:
            raise _not_started(arguments[0], str(error.strerror)) from None
        return Completed(status=127, output=f"{arguments[0]}: {error.strerror}")
    try:
        said, patience = bytearray(), _TimeLimit(time_limit)
        for _ in range(_MOST_LIMITS):
            if _ended(process, patience, said):
                done = Completed(process.returncode, _text(said), seconds=patience.passed)
                _check_undisturbed(done, arguments[0], environment["TMPDIR"])
                return done
            waited = time_limit >= _SHORT_S and _is_starved(process.pid, time_limit)
            if not waited:
                break
            patience.limit += time_limit
        _kill(process)
        _ended(process, _TimeLimit(_LAST_WORDS_S), said)
        if waited:
            raise starved(arguments[0])
        return Completed(process.wait(), _text(said), timed_out=True, seconds=patience.passed)
    except BaseException:
        _kill(process)
        process.wait()
        raise
    finally:
        watchdog.ended(process.pid)
        if process.stdout is not None:
            process.stdout.close()


def starved(program: str | Path) -> DisturbedError:
    """What to raise for a compiler that others kept from the processor."""
    return DisturbedError(
        f"{Path(program).name} had hardly any time of a processor: run less at once, such as by "
        "--jobs; the next run tries it again"
    )


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
    disk_is_full = any(_tells_full_disk(line) for line in done.output.splitlines())
    if disk_is_full or _free(folder) < _LITTLE:
        # Without the folder's own name, which chance gives: all jobs have the same reason.
        raise DisturbedError(
            f"{name} could not write: {cache.full_disk(Path(folder))}; the next run tries it again"
        )
    if -done.status in _ENDING or _KILLED.search(done.output):
        raise DisturbedError(
            f"{name} was killed, by hand or because memory ran out; the next run tries it again"
        )
    unstarted = _NOT_STARTED.search(done.output)
    if unstarted is not None:
        line = done.output[unstarted.start() :].partition("\n")[0]
        raise _not_started(program, printable(line[:_LONGEST_SHOWN]))
    for limit, (wanted, what, how, words) in _SHORT_OF.items():
        most = resource.getrlimit(limit)[1]
        is_lower = most != resource.RLIM_INFINITY and most < wanted
        if is_lower and any(word in done.output for word in words):
            raise DisturbedError(
                f"{name} ran into the limit of {what} here ({how}), which is below the "
                f"{wanted >> 20} MB that a compiler may have: lift it; the next run tries it again"
            )


def _not_started(program: str | Path, why: str) -> DisturbedError:
    return DisturbedError(
        f"{Path(program).name} could not be started ({why}): run less at once, such as by --jobs, "
        "or allow more processes and open files; the next run tries it again"
    )


def _free(folder: str) -> int:
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return _LITTLE


def _tells_full_disk(line: str) -> bool:
    before, found, after = line.partition(_DISK_FULL)
    return bool(found) and (not after.strip() or _WRITING.search(before) is not None)


class _TimeLimit:
    """Seconds that may pass, without those in which this process stood still with all others."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.passed = 0.0
        self._last = time.monotonic()

    def next_wait(self) -> float:
        """How long to wait until the next look; 0 if no time is left."""
        now = time.monotonic()
        self.passed += min(now - self._last, _LONGEST_POLL_S)
        self._last = now
        return max(0.0, min(_POLL_S, self.limit - self.passed))


def _ended(process: subprocess.Popen[bytes], patience: _TimeLimit, said: bytearray) -> bool:
    """Adds what a process prints, as much as is of use, until it ends, or too much time passes."""
    assert process.stdout is not None
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while (seconds := patience.next_wait()) > 0:
            if selector.select(seconds):
                chunk = os.read(process.stdout.fileno(), 1 << 16)
                if not chunk:
                    break
                said += chunk[: OUTPUT_LIMIT - len(said)]
    while (seconds := patience.next_wait()) > 0:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
            return True
    return False


def _is_starved(group: int, seconds: float) -> bool:
    """Do processes of a group want to run, and could for less than half of these seconds? One that
    waits for something else, such as a pipe that somebody's source names, does not.
    """
    wants, ticks = False, 0
    for each in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            # After the name, which may be anything (proc(5)): state, parent, group; times from 14.
            fields = each.read_bytes().rpartition(b")")[2].split()
            if int(fields[2]) == group:
                wants = wants or fields[0] in (b"R", b"D", b"T")
                ticks += sum(map(int, fields[11:15]))
    return wants and ticks / os.sysconf("SC_CLK_TCK") < seconds / 2


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


def _text(output: bytes | bytearray) -> str:
    return output.decode("utf-8", errors="replace")
