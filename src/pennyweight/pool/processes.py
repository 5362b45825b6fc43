"""Runs functions in worker processes, and survives the death of a worker.

:mod:`multiprocessing` is not used for three reasons: its pools are lost when a worker is killed,
its workers outlive a killed parent, and it imports the caller's main module again, which fails in
notebooks and unguarded scripts. Here a worker is ``python -m pennyweight.pool.worker``. It reads
tasks from its standard input, writes answers to its standard output, and ends when its input is
closed, which also happens when the parent dies.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pennyweight.pool.counts import Count
from pennyweight.pool.pipe import receive, send

_GRACE_SECONDS = 0.7
"""Seconds that stopped workers get for cleaning up before they are killed."""


@dataclass(frozen=True, slots=True)
class Task:
    """A call ``function(*arguments)`` in a worker; function and arguments must be picklable."""

    key: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a task ended: with a `value`, with an `error`, or with its worker's death.

    `died` describes how the worker ended; there is neither value nor error then. `trace` is the
    error's traceback in the worker.
    """

    task: Task
    value: Any = None
    error: Exception | None = None
    trace: str = ""
    died: str = ""


def available_cores() -> int:
    """Number of processes that can run at once on this machine."""
    try:
        return max(1, len(os.sched_getaffinity(0)))
    except AttributeError:
        return os.cpu_count() or 1


def run_tasks(
    tasks: Iterable[Task],
    workers: int,
    started: Callable[[Task], None] = lambda task: None,
    counted: Callable[[Task, Count], None] = lambda task, count: None,
) -> Iterator[Outcome]:
    """Runs tasks on `workers` processes and yields their outcomes as they arrive.

    If a worker dies, the outcome of its task reports it, and a new worker is started. `started` is
    called when a task is handed out, and the next task is taken from `tasks` only then; `counted`
    when a task sends a count. However the iteration ends, all workers and their children are gone
    within two seconds.
    """
    waiting = iter(tasks)
    team: list[_Worker] = []

    def employ(worker: _Worker | None) -> bool:
        """Gives the worker, or a new one, the next task; false if there is none."""
        task = next(waiting, None)
        if task is None:
            return False
        if worker is None:
            worker = _Worker()
            team.append(worker)
        worker.give(task)
        started(task)
        return True

    try:
        while len(team) < max(1, workers) and employ(None):
            pass
        while busy := [worker for worker in team if worker.task is not None]:
            for worker in _ready(busy):
                outcome = worker.collect(counted)
                if outcome is None:
                    continue
                if outcome.died:
                    team.remove(worker)
                    worker.close()
                employ(None if outcome.died else worker)
                yield outcome
    finally:
        _dismiss(team)


def _ready(workers: list[_Worker]) -> list[_Worker]:
    """Waits until at least one worker has answered or ended."""
    with selectors.DefaultSelector() as selector:
        for worker in workers:
            selector.register(worker.answers, selectors.EVENT_READ, worker)
        return [key.data for key, _ in selector.select()]


class _Worker:
    """One worker process and its current task."""

    def __init__(self) -> None:
        self.task: Task | None = None
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the worker
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "pennyweight.pool.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(_search_path())},
            start_new_session=True,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._requests = self._process.stdin
        self.answers = self._process.stdout

    def give(self, task: Task) -> None:
        """Hands out a task. If the worker is dead, `collect` reports it."""
        self.task = task
        with suppress(BrokenPipeError):
            send(self._requests, (task.function, task.arguments))

    def collect(self, counted: Callable[[Task, Count], None]) -> Outcome | None:
        """The outcome of the current task; `None` if it has only sent a count."""
        assert self.task is not None
        task, self.task = self.task, None
        try:
            answer = receive(self.answers)
            if isinstance(answer, Count):
                self.task = task
                counted(task, answer)
                return None
            value, error, trace = answer
        except EOFError:
            return Outcome(task, died=self._how_it_ended())
        except Exception as problem:  # a value that can be pickled but not unpickled
            return Outcome(task, error=problem)
        return Outcome(task, value, error, trace)

    def _how_it_ended(self) -> str:
        os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
        self.signal_group(signal.SIGKILL)  # its children, while its process group still exists
        code = self._process.wait()
        last_words = self._last_words()
        if code >= 0:
            how = f"it ended with exit status {code}"
        elif -code == signal.SIGKILL:
            how = "it was killed (SIGKILL: by hand, or because memory ran out)"
        else:
            how = f"it was ended by signal {_signal_name(-code)}"
        return f"{how}; its last output: {last_words}" if last_words else how

    def _last_words(self) -> str:
        self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, self._errors.tell() - 2000))
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1][:200] if lines else ""

    def signal_group(self, number: signal.Signals) -> None:
        """Sends a signal to the worker and its children."""
        if self._process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, number)

    def wait(self, seconds: float) -> bool:
        """Whether the worker has ended within this time."""
        try:
            self._process.wait(max(0.0, seconds))
        except subprocess.TimeoutExpired:
            return False
        return True

    def close(self) -> None:
        """Closes the pipes. An idle worker then ends."""
        for stream in (self._requests, self.answers, self._errors):
            with suppress(OSError):
                stream.close()


def _search_path() -> list[str]:
    """The module search path of a worker: that of this process, without the current folder unless
    it was requested. The current folder may be that of a package, whose files must not be run.
    """
    named = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    asked = {Path(each).resolve() for each in named if each}
    here = Path.cwd()
    return [each for each in sys.path if each and (Path(each).resolve() != here or here in asked)]


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def _dismiss(team: list[_Worker]) -> None:
    """Ends all workers: idle ones by closing their input, busy ones by signals."""
    for worker in team:
        if worker.task is None:
            worker.close()
        else:
            worker.signal_group(signal.SIGTERM)
    deadline = time.monotonic() + _GRACE_SECONDS
    for worker in team:
        if not worker.wait(deadline - time.monotonic()):
            worker.signal_group(signal.SIGKILL)
            worker.wait(5.0)
        worker.close()
