"""Jobs that are still to be run, some of them perhaps by another campaign in the same folder."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from enum import Enum

from pennyweight.campaign.plan import PlannedJob
from pennyweight.progress import Progress

_POLL_SECONDS = 0.3
_PATIENCE_SECONDS = 900.0
"""How long nothing may come of what another campaign is at: it may have been stopped for good, and
doing a job twice costs no more than time.
"""


class Ownership(Enum):
    """Which campaign runs a job when its turn has come."""

    OURS = "ours"
    ELSEWHERE = "another campaign is at it"
    DONE = "another campaign has done it"


class PendingJobs:
    """Jobs whose turn has not come; `ownership` says which campaign runs one."""

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

    def take_ours(self) -> Iterator[PlannedJob]:
        """The jobs to run here, each claimed when it is asked for; the others stay."""
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
        """A job has ended here: the wait for other campaigns starts anew."""
        self._last_change = time.monotonic()

    def pause(self) -> None:
        """Waits a moment for the other campaign, if it is running any of these jobs."""
        if self.jobs:
            self._progress.working_on(f"another campaign is at the last {len(self.jobs)}")
            time.sleep(_POLL_SECONDS)
