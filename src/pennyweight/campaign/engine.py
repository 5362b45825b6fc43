"""Runs jobs on all cores and stores their results."""

from __future__ import annotations

import errno
import random
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pennyweight import cache
from pennyweight import toolchains as compilers
from pennyweight.campaign.job_queue import JobQueue, Ownership
from pennyweight.campaign.plan import PlannedJob
from pennyweight.devices.errors import DeviceError
from pennyweight.measure import run_job
from pennyweight.model import JobResult, Measurement, Provenance, Status, UserError, printable
from pennyweight.pool import Outcome, Task, available_cores, run_tasks
from pennyweight.pool.counts import Count
from pennyweight.progress import Progress, Silent
from pennyweight.store import ResultStore
from pennyweight.store.claims import Claims
from pennyweight.version import __version__

if TYPE_CHECKING:
    from pennyweight.campaign.cluster import Cluster


_FULL = (errno.ENOSPC, errno.EDQUOT)


@dataclass(frozen=True, slots=True)
class Finished:
    """A job that has ended.

    `problem` is None if it was done, whatever the outcome. Otherwise its worker failed, or the
    request was invalid (a UserError); `result` then has a row with the reason for each case, and
    the next run tries the job again. `trace` is the traceback of an unexpected error.
    """

    job: PlannedJob
    result: JobResult
    problem: Exception | None = None
    trace: str = ""


@dataclass(slots=True)
class Tally:
    """The outcome of a campaign's jobs; `jobs` are their keys."""

    jobs: list[str] = field(default_factory=list)
    already_done: int = 0
    finished: int = 0
    lost: int = 0

    @property
    def planned(self) -> int:
        """Number of jobs of the campaign."""
        return len(self.jobs)

    def left(self, store: ResultStore) -> int:
        """Jobs that still have no result, also right after an interruption."""
        return len(set(self.jobs) - store.done_of(self.jobs))


def run_jobs(
    jobs: Iterable[PlannedJob],
    workers: int | None = None,
    progress: Progress | None = None,
    cluster: Cluster | None = None,
    ownership: Callable[[PlannedJob], Ownership] = lambda job: Ownership.OWN,
) -> Iterator[Finished]:
    """Runs jobs on `workers` processes (by default all cores), or on a cluster's machines.

    Yields them as they end. `ownership` is checked when a job's turn comes. A job that another
    campaign is running is checked again after all others, until that campaign has done it or is
    gone.
    """
    progress = progress or Silent()
    by_key = {job.key: job for job in jobs}
    progress.start(len(by_key))

    def started(task: Task) -> None:
        progress.working_on(by_key[task.key].title)

    def counted(task: Task, count: Count) -> None:
        progress.working_on(f"{count.number:,} {count.what}, {by_key[task.key].title}")

    waiting = JobQueue(by_key.values(), ownership, progress)
    with cache.in_use():
        while waiting.jobs:
            if cluster is None:
                tasks = (Task(job.key, run_job, (job,)) for job in waiting.take_own())
                processes = _processes(by_key.values(), workers)
                outcomes = run_tasks(tasks, processes, started, counted)
            else:
                outcomes = _elsewhere(waiting.take_own(), cluster, started)
            for outcome in outcomes:
                waiting.note_progress()
                yield _finished(by_key[outcome.task.key], outcome)
                progress.step()
            waiting.pause()


def _processes(jobs: Iterable[PlannedJob], workers: int | None) -> int:
    """One for a real board: it does one job after the other."""
    return 1 if any(job.on for job in jobs) else workers or available_cores()


def _elsewhere(
    jobs: Iterable[PlannedJob], cluster: Cluster, started: Callable[[Task], None]
) -> Iterator[Outcome]:
    """Sends jobs that can be built to the cluster; the others end here, which takes no time."""
    from pennyweight.campaign.shipping import measure_shipped, ship

    here: list[Task] = []

    def shipped() -> Iterator[Task]:
        for job in jobs:
            travelling = ship(job)
            if travelling is None:
                here.append(Task(job.key, run_job, (job,)))
            else:
                yield Task(job.key, measure_shipped, (travelling,))

    yield from cluster.run(shipped(), started)
    yield from run_tasks(here, 1, started)


def run_campaign(
    jobs: Iterable[PlannedJob],
    store: ResultStore,
    tally: Tally,
    workers: int | None = None,
    progress: Progress | None = None,
    cluster: Cluster | None = None,
    damaged: frozenset[str] = frozenset(),
) -> None:
    """Runs the jobs without a result in `store`, here or on a cluster; stores each as it ends.

    Those of `damaged` are done again. `tally` is kept up to date, so that it is valid after an
    interruption too. Raises UserError if the results cannot be written; finished jobs are kept.
    """
    store.prepare()
    wanted = {job.key: job for job in jobs}
    done = store.done_of(wanted) - damaged
    to_do = [job for key, job in wanted.items() if key not in done]
    if not store.has_locks:
        # In random order, so that campaigns on several machines rarely run the same job: each skips
        # finished ones.
        random.SystemRandom().shuffle(to_do)
    tally.jobs = list(wanted)
    tally.already_done = len(wanted) - len(to_do)

    def ownership(job: PlannedJob) -> Ownership:
        if not claims.take(job.key):
            return Ownership.ELSEWHERE
        if job.key in damaged or not store.has(job.key):
            return Ownership.OWN
        claims.release(job.key)
        return Ownership.DONE

    with Claims(store.folder) as claims, store.adding_many():
        for finished in run_jobs(to_do, workers, progress, cluster, ownership):
            if finished.problem is not None:
                store.add_lost(finished.result)
                tally.lost += 1
            else:
                store.add(finished.result)
                tally.finished += 1
            claims.release(finished.job.key)
            if isinstance(finished.problem, DeviceError):
                # The other jobs would wait for the same board.
                raise finished.problem


def _finished(job: PlannedJob, outcome: Outcome) -> Finished:
    problem = outcome.error
    if outcome.died:
        reason = f"the process that measured it died: {outcome.died}; the next run repeats it"
        problem = RuntimeError(reason)
    elif isinstance(problem, UserError):
        reason = str(problem)
    elif isinstance(problem, OSError) and problem.errno in _FULL:
        reason = _no_room(problem)
        problem = UserError(reason)
    elif problem is not None:
        name = type(problem).__name__
        reason = f"Pennyweight itself failed on this job ({name}: {problem}): please report this"
    else:
        return Finished(job, outcome.value)
    return Finished(job, _lost(job, reason), problem, outcome.trace)


def _no_room(error: OSError) -> str:
    """Which disk is full, and what to do.

    The system does not name the file of a failed write, so the fuller disk is reported.
    """
    places = (cache.folder(), Path(tempfile.gettempdir()))
    fuller = min(places, key=lambda folder: shutil.disk_usage(folder).free)
    named = Path(str(error.filename)) if error.filename else fuller
    return f"{cache.full_disk(named)}; the next run repeats the job"


def _lost(job: PlannedJob, reason: str) -> JobResult:
    """Rows that state why there is no result; little of the origin is known."""
    origin = Provenance(
        job=job.key,
        sources_sha256="",
        board_sha256=job.board.sha256,
        firmware_sha256="",
        compiler=compilers.name_for_job(job),
        compiler_version="",
        compiler_sha256="",
        simulator_version="",
        pennyweight_version=__version__,
        verified="not verified",
    )
    rows = [
        Measurement(
            algorithm=job.implementation.algorithm,
            implementation=job.implementation.name,
            board=job.board.id,
            flags=job.flags,
            op=case.op.value,
            ad=case.ad,
            m=case.m,
            status=Status.SKIPPED.value,
            reason=printable(reason),
        )
        for case in job.cases
    ]
    return JobResult(origin, rows)
