"""Jobs that still have to run, some of them perhaps in another campaign in the same folder."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from enum import Enum

from pennyweight.campaign.plan import PlannedJob
from pennyweight.progress import Progress

_POLL_SECONDS = 0.3
_PATIENCE_SECONDS = 900.0
"""How long to wait for a job that another campaign is running, which may have stopped for good.
Doing a job twice only costs time.
"""


class Ownership(Enum):
    """Which campaign runs a job when its turn comes."""

    OWN = "own"
    ELSEWHERE = "another campaign is running it"
    DONE = "another campaign has done it"


class JobQueue:
    """Jobs that have not started; `ownership` states which campaign runs one."""

    def __init__(
        self,
        jobs: Iterable[PlannedJob],
        ownership: Callable[[PlannedJob], Ownership],
        progress: Progress,
    ) -> None:
        self.jobs = list(jobs)
        self._ownership = ownership
        self._progress = progress
        self._last_change = time.monotonic()

    def take_own(self) -> Iterator[PlannedJob]:
        """The jobs to run here, each claimed when it is requested; the others stay."""
        waiting, self.jobs = self.jobs, []
        may_wait = time.monotonic() - self._last_change < _PATIENCE_SECONDS
        for job in waiting:
            ownership = self._ownership(job)
            if ownership is Ownership.ELSEWHERE and may_wait:
                self.jobs.append(job)
                continue
            self._last_change = time.monotonic()
            if ownership is Ownership.DONE:
                self._progress.step()
            else:
                yield job

    def note_progress(self) -> None:
        """A job has ended here: restarts the wait for other campaigns."""
        self._last_change = time.monotonic()

    def pause(self) -> None:
        """Waits a moment for the other campaign, if it is running any of these jobs."""
        if self.jobs:
            self._progress.working_on(f"another campaign is running the last {len(self.jobs)}")
            time.sleep(_POLL_SECONDS)
