"""Functions run in worker processes that may die without taking anything with them.

Not :mod:`multiprocessing`: its pools are lost when a worker is killed, its workers outlive a
killed parent, and it imports the caller's main module again, which a notebook or an unguarded
script does not survive. Here a worker is ``python -m pennyweight.pool.worker``: it takes
tasks on its standard input, answers on its standard output, and ends when its input does, which
is when the parent is gone.
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

from pennyweight.pool.pipe import receive, send

_GRACE_SECONDS = 0.7
"""How long stopped workers may tidy up before they are killed."""


@dataclass(frozen=True, slots=True)
class Task:
    """A call ``function(*arguments)`` in a worker; all of it must be picklable."""

    key: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a task ended: with a `value`, with an `error`, or with its worker's death.

    `died` says in words how the worker ended; there is neither value nor error then. `trace` is
    the error's traceback in the worker.
    """

    task: Task
    value: Any = None
    error: Exception | None = None
    trace: str = ""
    died: str = ""


def available_cores() -> int:
    """How many processes may run at once on this machine."""
    try:
        return max(1, len(os.sched_getaffinity(0)))
    except AttributeError:
        return os.cpu_count() or 1


def run_tasks(
    tasks: Iterable[Task],
    workers: int,
    started: Callable[[Task], None] = lambda task: None,
) -> Iterator[Outcome]:
    """Runs tasks on `workers` processes and yields their outcomes as they come.

    A worker that dies gives its task an outcome that says so, and another takes its place.
    `started` is told when a task is handed out, and `tasks` asked for one only then. However the
    iteration ends, within two seconds no worker and none of its children is left.
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
                outcome = worker.collect()
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
    """One worker process, and what it is working on."""

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
        """Hands out a task. If the worker is dead, `collect` will tell."""
        self.task = task
        with suppress(BrokenPipeError):
            send(self._requests, (task.function, task.arguments))

    def collect(self) -> Outcome:
        """The outcome of the task that was handed out."""
        assert self.task is not None
        task, self.task = self.task, None
        try:
            value, error, trace = receive(self.answers)
        except EOFError:
            return Outcome(task, died=self._how_it_ended())
        except Exception as problem:  # a value that pickles but does not unpickle
            return Outcome(task, error=problem)
        return Outcome(task, value, error, trace)

    def _how_it_ended(self) -> str:
        os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
        self.signal_group(signal.SIGKILL)  # what it had started, while its number is still taken
        code = self._process.wait()
        last_words = self._last_words()
        if code >= 0:
            how = f"it ended with exit status {code}"
        elif -code == signal.SIGKILL:
            how = "it was killed (SIGKILL: by hand, or because memory ran out)"
        else:
            how = f"it was ended by signal {_signal_name(-code)}"
        return f"{how}; its last words: {last_words}" if last_words else how

    def _last_words(self) -> str:
        self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, self._errors.tell() - 2000))
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1][:200] if lines else ""

    def signal_group(self, number: signal.Signals) -> None:
        """Signals the worker and whatever it started."""
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
        """Gives back the pipes. An idle worker ends by itself then."""
        for stream in (self._requests, self.answers, self._errors):
            with suppress(OSError):
                stream.close()


def _search_path() -> list[str]:
    """Where a worker looks for modules: where this process does, but for the current folder unless
    it was asked for. That may be a package's, whose files are not to be run.
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
    """Ends all workers: the idle ones by closing their input, the busy ones by signals."""
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
