"""Runs a compiler with a clean environment, a time limit and a memory limit, and cleans up.

Its children end with this process, however that ends: :mod:`.watchdog`.
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
"""Maximum wall time of one compiler run; the slowest file of known packages takes seconds."""

ANSWER_LIMIT_S = 20.0
"""Maximum wall time for a compiler's answer about itself, such as its version."""

_POLL_S = 1.0
_LONGEST_POLL_S = 3.0
"""Maximum time between two checks; if more passes, the whole machine was paused, as in a container
or under a batch system, and the time does not count.
"""

_MOST_LIMITS = 4
"""Factor by which the time limit is extended for a compiler that waits for a processor."""

_SHORT_S = 10.0
"""Remaining seconds below which the limit is not extended."""

MEMORY_LIMIT = 4 << 30
"""Maximum bytes of address space of one compiler process."""

FILE_LIMIT = 256 << 20
"""Maximum bytes of a file that a compiler writes."""

OUTPUT_LIMIT = 1 << 20
"""Maximum bytes of messages to keep, because only the first error is reported."""

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
"""Messages of a driver about a program that was killed: out of memory, by a batch system, or by a
bus error if the disk of a mapped file is full. The second form is that of GCC up to 8.
"""

_NOT_STARTED = re.compile(
    r"^[^\s:]+: (?:"
    r"(?:fatal )?error: (?:cannot execute .{1,4200}: )?(?:v?fork|pipe2?|dup2?|posix_spawn): "
    r"|error while loading shared libraries: .{1,4200}: (?:Error \d|Too many open|failed to map|"
    r"cannot allocate))",
    re.MULTILINE,
)
"""Messages of a driver if the system cannot create a process, for example because of a limit on
processes, and of the loader if memory or files are exhausted.
"""

_SHORT_OF = {
    resource.RLIMIT_AS: (MEMORY_LIMIT, "memory", "ulimit -v", ("out of memory", "ory exhausted")),
    resource.RLIMIT_FSIZE: (FILE_LIMIT, "file size", "ulimit -f", ("File size limit exceeded",)),
}
"""Minimum limits for compilers, and the messages if they are lower."""

_NO_MORE = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)

_ENDING = (signal.SIGHUP, signal.SIGINT, signal.SIGKILL, signal.SIGTERM)

_LITTLE = 16 << 20
"""Free bytes of a disk below which a failure is attributed to it, because not all programs report
it.
"""

_DISK_FULL = "No space left on device"
_WRITING = re.compile(r"(?:writ|clos)\w{1,9} ")


class DisturbedError(UserError):
    """The machine, not the source, kept a compiler from working."""


@dataclass(frozen=True, slots=True)
class Completed:
    """How a compiler run ended. `timed_out`: it was killed at the time limit. `seconds` are those
    that counted towards it.
    """

    status: int
    output: str
    timed_out: bool = False
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether it succeeded."""
        return self.status == 0 and not self.timed_out


def run(
    arguments: Sequence[str | Path],
    *,
    cwd: Path,
    temporary: Path | None = None,
    time_limit: float = TIME_LIMIT_S,
) -> Completed:
    """Runs a command to its end or its limits; returns standard output and error together.

    Only PATH is inherited, so that a variable such as CPATH cannot change the build. Raises
    `DisturbedError` if the command was killed, got too little CPU time, could not be started, has
    limits below the required ones, or if the disk is full.
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
    """The error for a compiler that got too little CPU time."""
    return DisturbedError(
        f"{Path(program).name} got too little CPU time: run fewer processes, for example with "
        "--jobs 1; the next run repeats it"
    )


def search_path() -> str:
    """Folders in which programs are searched, without those that depend on the current folder,
    which may be a package's. A compiler searches its assembler there too.
    """
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(each for each in folders if Path(each).is_absolute()) or os.defpath


def which(program: str) -> str | None:
    """The path of a program on :func:`search_path`."""
    return shutil.which(program, path=search_path())


def _check_undisturbed(done: Completed, program: str | Path, folder: str) -> None:
    """Raises `DisturbedError` for a failure that another run would not repeat."""
    if done.ok:
        return
    name = Path(program).name
    disk_is_full = any(_reports_full_disk(line) for line in done.output.splitlines())
    if disk_is_full or _free(folder) < _LITTLE:
        # Without the folder's random name, so that all jobs have the same reason.
        raise DisturbedError(
            f"{name} could not write: {cache.full_disk(Path(folder))}; the next run repeats it"
        )
    if -done.status in _ENDING or _KILLED.search(done.output):
        raise DisturbedError(
            f"{name} was killed, by hand or because memory ran out; the next run repeats it"
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
                f"{name} reached this machine's limit of {what} ({how}), which is below the "
                f"{wanted >> 20} MB that a compiler may use: raise it; the next run repeats it"
            )


def _not_started(program: str | Path, why: str) -> DisturbedError:
    return DisturbedError(
        f"{Path(program).name} could not be started ({why}): run fewer processes, for example with "
        "--jobs 1, or allow more processes and open files; the next run repeats it"
    )


def _free(folder: str) -> int:
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return _LITTLE


def _reports_full_disk(line: str) -> bool:
    before, found, after = line.partition(_DISK_FULL)
    return bool(found) and (not after.strip() or _WRITING.search(before) is not None)


class _TimeLimit:
    """Remaining seconds, without periods in which this process was paused."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.passed = 0.0
        self._last = time.monotonic()

    def next_wait(self) -> float:
        """How long to wait until the next check; 0 if no time is left."""
        now = time.monotonic()
        self.passed += min(now - self._last, _LONGEST_POLL_S)
        self._last = now
        return max(0.0, min(_POLL_S, self.limit - self.passed))


def _ended(process: subprocess.Popen[bytes], patience: _TimeLimit, said: bytearray) -> bool:
    """Collects the output of a process, up to a limit, until it ends or its time is over."""
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
    """Whether processes of a group are runnable, but ran less than half of these seconds. A process
    that waits for something else, such as a pipe named by a source, is not runnable.
    """
    wants, ticks = False, 0
    for each in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            # After the name, which may contain anything (proc(5)): state, parent, group; times from
            # 14.
            fields = each.read_bytes().rpartition(b")")[2].split()
            if int(fields[2]) == group:
                wants = wants or fields[0] in (b"R", b"D", b"T")
                ticks += sum(map(int, fields[11:15]))
    return wants and ticks / os.sysconf("SC_CLK_TCK") < seconds / 2


def _limited(arguments: Sequence[str | Path]) -> list[str]:
    """Wraps the command in a shell that sets limits first. Set from this process, they could come
    too late for the compiler's children.
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
