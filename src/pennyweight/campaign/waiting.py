"""The jobs of a campaign that nobody has done yet, where another campaign may be at them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from enum import Enum

from pennyweight.campaign.plan import Job
from pennyweight.progress import Progress

_LOOK_SECONDS = 0.3
_PATIENCE_SECONDS = 900.0
"""How long nothing may come of what another campaign is at: it may have been stopped for good, and
doing a job twice costs no more than time.
"""


class Whose(Enum):
    """Whose job it is when its turn has come."""

    OURS = "ours"
    OTHERS = "another campaign is at it"
    DONE = "another campaign has done it"


class Waiting:
    """Jobs whose turn has not come; `whose` tells of one whether it is ours now."""

    def __init__(
        self, jobs: Iterable[Job], whose: Callable[[Job], Whose], progress: Progress
    ) -> None:
        self.jobs = list(jobs)
        self._whose = whose
        self._progress = progress
        self._last_change = time.monotonic()

    def ours(self) -> Iterator[Job]:
        """Those that are ours, each asked for when it is wanted; the others stay."""
        waiting, self.jobs = self.jobs, []
        is_patient = time.monotonic() - self._last_change < _PATIENCE_SECONDS
        for job in waiting:
            whose = self._whose(job)
            if whose is Whose.OTHERS and is_patient:
                self.jobs.append(job)
                continue
            self._last_change = time.monotonic()
            if whose is Whose.DONE:
                self._progress.step()
            else:
                yield job

    def moved(self) -> None:
        """Tells that a job of ours has ended: only since then can we have waited for others."""
        self._last_change = time.monotonic()

    def rest(self) -> None:
        """Gives the other campaign a moment, if it is at anything that we want."""
        if self.jobs:
            self._progress.working_on(f"another campaign is at the last {len(self.jobs)}")
            time.sleep(_LOOK_SECONDS)
