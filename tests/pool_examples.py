"""Functions for the worker processes of the pool's tests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from example_results import provenance, row_of
from pennyweight.campaign.plan import PlannedJob
from pennyweight.model import JobResult, Status, UserError
from pennyweight.pool import counts


def double(number: int) -> int:
    print("printed by a task")
    return 2 * number


def count_until(file: str) -> int:
    """Counts until the parent has seen a count and created the file; how far."""
    number = 0
    while not Path(file).exists():
        counts.add("calls")
        number += 1
        time.sleep(0.01)
    return number


def fail_as_user(name: str) -> None:
    raise UserError(f"{name}: no such thing")


class OddError(Exception):
    """Cannot be unpickled, because its constructor needs two arguments."""

    def __init__(self, first: int, second: int) -> None:
        super().__init__(f"{first} is not {second}")


def fail_oddly() -> None:
    raise OddError(1, 2)


def give_unpicklable() -> object:
    return lambda: None


def die(number: int) -> None:
    print("last words", file=sys.stderr, flush=True)
    os.kill(os.getpid(), number)


def leave(status: int) -> None:
    os._exit(status)


def sleep_with_child(marker: str) -> None:
    """Starts a child, writes both process ids, and sleeps."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    text = f"{os.getpid()} {child.pid}"
    temporary = Path(marker + ".new")
    temporary.write_text(text)
    temporary.rename(marker)
    time.sleep(60)


def ignore_signals_and_sleep(marker: str) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sleep_with_child(marker)


def measure(job: PlannedJob) -> JobResult:
    """Replaces a real measurement; the job's flags select the outcome."""
    if job.flags == "-Ddie":
        os.kill(os.getpid(), signal.SIGKILL)
    if job.flags == "-Drefuse":
        raise UserError("flag 'refuse' is not allowed in a measurement")
    if job.flags == "-Dfail":
        raise ZeroDivisionError("a fault of Pennyweight")
    if job.flags.startswith("-Dsleep="):
        time.sleep(float(job.flags.removeprefix("-Dsleep=")))
    origin = provenance(job.implementation.id, job.board.id, job.flags)
    rows = [row_of(job, case, cycles=1000 + case.m) for case in job.cases]
    if job.flags == "-Dskip":
        why = "no compiler"
        rows = [replace(row, status=Status.SKIPPED, reason=why, cycles=None) for row in rows]
    return JobResult(replace(origin, job=job.key), rows)
