"""Runs tasks on a Dask cluster of many machines.

Dask moves a task to another worker if its worker dies, and gives up after it has lost several
workers. Only enough tasks are handed out to keep the workers busy. The others stay here, so that an
interruption leaves nothing behind and memory does not grow with the campaign.
"""

from __future__ import annotations

import logging
import queue
import secrets
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from itertools import count
from typing import Any

from pennyweight.campaign.shipping import OtherFilesError, refused_by
from pennyweight.measure.naming import harness_identity
from pennyweight.model import UserError
from pennyweight.pool import Outcome, Task

_PATIENCE_SECONDS = 60.0
"""Seconds that a campaign continues without any worker."""

_LOOK_SECONDS = 2.0
_AHEAD = 2
"""Tasks handed out for each thread of the workers: one running, one waiting."""

_MOST_TRIES = 3
"""Number of workers that may fail at a task for their own reasons, such as a full disk, before it
is reported.
"""

_MOST_QUESTIONS = 3
"""Number of attempts to query a worker's versions."""

_TALK_OF_A_LOST_SCHEDULER = ("distributed", "distributed.client", "tornado.application", "asyncio")
"""Loggers that would print tracebacks where Pennyweight prints one sentence. The first two have
their own levels in Dask's configuration.
"""


@dataclass(frozen=True, slots=True)
class _Handed:
    """A task on a worker: the workers that have rejected it, and those that it may go to."""

    task: Task
    future: Any
    refused: frozenset[str]
    allowed: frozenset[str]


class Cluster:
    """A connection to a Dask scheduler. A context manager that closes what it has opened."""

    def __init__(self, dask: Any) -> None:
        """`dask` is an address (``tcp://host:8786``), or a cluster object or client of Dask.

        Raises UserError if Dask is not installed, the scheduler does not answer, no worker comes,
        or a worker has another version of Pennyweight.
        """
        try:
            distributed: Any = import_module("distributed")
        except ImportError:
            raise UserError(
                "--dask: Dask is not installed; install it with `pip install --require-hashes -r "
                "requirements/cluster.txt`, or as the extra 'cluster' of the package"
            ) from None
        self._owned = not isinstance(dask, distributed.Client)
        self._lock = threading.Lock()
        self._asked: set[str] = set()
        self._tries: dict[str, int] = {}
        self._same_version: set[str] = set()
        if isinstance(dask, str):
            for name in _TALK_OF_A_LOST_SCHEDULER:
                logging.getLogger(name).setLevel(logging.CRITICAL)
        if isinstance(dask, str) and "://" not in dask:
            raise UserError(f"--dask: '{dask}' is not an address; use tcp://HOST:8786")
        try:
            self._client: Any = dask
            if self._owned:
                self._client = distributed.Client(dask, timeout="20s")
        except (OSError, ValueError, TypeError) as error:
            raise UserError(
                f"--dask: there is no scheduler at {dask} ({_first_line(error)}); start one with "
                "`dask scheduler`"
            ) from None
        try:
            self._check_workers()
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        if self._owned:
            with suppress(Exception):
                self._client.close(timeout=2)

    def run(
        self, tasks: Iterable[Task], started: Callable[[Task], None] = lambda task: None
    ) -> Iterator[Outcome]:
        """As :func:`pennyweight.pool.run_tasks`, on the cluster's workers.

        Raises UserError if the scheduler no longer answers, or there was no worker for a minute.
        """
        waiting = iter(tasks)
        campaign = secrets.token_hex(4)
        numbers = count()
        running: dict[str, _Handed] = {}
        ended: queue.SimpleQueue[str] = queue.SimpleQueue()

        def submit(task: Task, refused: frozenset[str] = frozenset()) -> None:
            """Hands a task to any worker except those that have rejected it."""
            name = f"pennyweight-{campaign}-{next(numbers)}-{task.key}"
            allowed = (self._workers().keys() or self._last) - refused
            future = self._client.submit(
                task.function,
                *task.arguments,
                key=name,
                pure=False,
                retries=0,
                workers=sorted(allowed),
            )
            running[name] = _Handed(task, future, refused, frozenset(allowed))
            future.add_done_callback(lambda future: ended.put(future.key))

        def hand_out() -> None:
            room = max(1, _AHEAD * self._threads())
            while len(running) < room:
                task = next(waiting, None)
                if task is None:
                    return
                submit(task)
                started(task)

        def supervise() -> None:
            """If a task's workers are gone, it may go to any worker."""
            there = self._workers().keys()
            for name, handed in list(running.items()):
                if there and not handed.allowed & there:
                    del running[name]
                    handed.future.cancel()
                    submit(handed.task)

        try:
            hand_out()
            while running:
                handed = running.pop(self._next(ended, supervise), None)
                if handed is None:
                    continue
                self._check_scheduler()  # without it, all tasks count as cancelled
                outcome = _outcome(handed.task, handed.future)
                if outcome.error is not None:
                    # The error may be the task's own, or that of fetching its result without a
                    # scheduler.
                    self._check_scheduler(ask=True)
                handed.future.release()
                worker = refused_by(outcome.error)
                if worker:
                    # A worker that rejects jobs is free at once, and would take all remaining ones
                    # while the others work.
                    refused = handed.refused | {worker}
                    is_other = isinstance(outcome.error, OtherFilesError)
                    others = self._workers().keys() - refused
                    if others and (is_other or len(refused) < _MOST_TRIES):
                        submit(handed.task, refused)
                        continue
                hand_out()
                yield outcome
        except Exception:
            self._check_scheduler()
            raise
        finally:
            with suppress(Exception):
                left = [handed.future for handed in running.values()]
                self._client.cancel(left, force=True)

    def _next(self, ended: queue.SimpleQueue[str], supervise: Callable[[], None]) -> str:
        """The name of a task that has ended; meanwhile, checks the workers of the others.

        Raises UserError if no running task can end.
        """
        alone_since: float | None = None
        while True:
            with suppress(queue.Empty):
                return ended.get(timeout=_LOOK_SECONDS)
            self._check_scheduler()
            supervise()
            if self._threads():
                alone_since = None
            elif alone_since is None:
                alone_since = time.monotonic()
            elif time.monotonic() - alone_since > _PATIENCE_SECONDS:
                raise UserError(
                    f"there has been no worker for {_PATIENCE_SECONDS:.0f} s; finished jobs are "
                    "kept, and the same command continues"
                )

    def _check_scheduler(self, ask: bool = False) -> None:
        """Raises UserError if the scheduler has stopped, which may only show when it is queried."""
        if ask:
            with suppress(Exception):
                self._client.nthreads()
                return
        if ask or self._client.status != "running":
            raise UserError(
                "the scheduler no longer answers; finished jobs are kept, and the same command "
                "continues"
            ) from None

    def _workers(self) -> dict[str, int]:
        """The threads of the workers that have this machine's versions, by address.

        Workers that have joined since the last call are queried now, so that one without
        Pennyweight, or with another version, gets no jobs.
        """
        there: dict[str, int] = {}
        with suppress(Exception):
            there = dict(self._client.nthreads())
        with self._lock:
            self._same_version &= there.keys()
            self._asked &= there.keys()
            self._tries = {each: n for each, n in self._tries.items() if each in there}
            new = there.keys() - self._asked
            self._asked |= new
            found = {each: there[each] for each in self._same_version}
        if new:
            threading.Thread(target=self._ask, args=(sorted(new),), daemon=True).start()
        if found:
            self._last = frozenset(found)
        return found

    def _ask(self, workers: list[str]) -> None:
        """A worker that could not answer, perhaps because it is starting, is queried again
        later.
        """
        try:
            answers = self._client.run(harness_identity, workers=workers, on_error="return")
            here = harness_identity()
        except Exception:
            time.sleep(_LOOK_SECONDS)
            with self._lock:
                self._asked -= set(workers)
            return
        # A TimeoutError is an OSError too.
        silent = {each for each, answer in answers.items() if isinstance(answer, OSError)}
        with self._lock:
            self._same_version |= {each for each, answer in answers.items() if answer == here}
        if not silent:
            return
        time.sleep(_LOOK_SECONDS)
        with self._lock:
            for each in silent:
                self._tries[each] = self._tries.get(each, 0) + 1
                if self._tries[each] < _MOST_QUESTIONS:
                    self._asked.discard(each)

    def _threads(self) -> int:
        return sum(self._workers().values())

    def _check_workers(self) -> None:
        """Raises UserError if there is no worker, or one has different code from this machine."""
        try:
            self._client.wait_for_workers(1, timeout=20)
        except Exception:
            raise UserError(
                "--dask: the scheduler has no worker; start some with `dask worker ADDRESS "
                "--nthreads 1`"
            ) from None
        try:
            found: dict[str, dict[str, str]] = self._client.run(harness_identity)
        except Exception as error:
            raise UserError(
                f"--dask: a worker cannot import Pennyweight ({_first_line(error)}); install "
                "the same version on each"
            ) from None
        here = harness_identity()
        for worker, there in found.items():
            for what, value in here.items():
                if there.get(what) != value:
                    raise UserError(
                        f"--dask: the worker at {worker} has a different version of {what} "
                        "from this machine; install the same version there"
                    )
        self._asked, self._same_version = set(found), set(found)
        self._last = frozenset(found)


def _outcome(task: Task, future: Any) -> Outcome:
    try:
        return Outcome(task, value=future.result())
    except Exception as error:
        if type(error).__name__ == "KilledWorker":
            return Outcome(
                task, died=f"several workers died while running it ({_first_line(error)})"
            )
        return Outcome(task, error=error, trace=traceback.format_exc())


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:160] if lines else type(error).__name__
