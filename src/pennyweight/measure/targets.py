"""The programs of a job on its simulated board."""

from __future__ import annotations

from pennyweight.build import Build
from pennyweight.job import Job
from pennyweight.model import Status
from pennyweight.target import Target
from pennyweight.verify import Verdict


class Targets:
    """The programs of a build on a board, each booted on first use."""

    def __init__(self, job: Job, built: Build) -> None:
        self.built = built
        self._job = job
        self._booted: dict[str, Target] = {}
        self._verdict = Verdict(Status.OK)

    def get(self, name: str) -> Target:
        """Raises `UserError` and `RefusedImageError`."""
        if name not in self._booted:
            program = self.built.programs[name]
            self._booted[name] = Target(self._job.board, program, self._job.budget)
            self._allow(self._booted[name])
        return self._booted[name]

    def allow(self, verdict: Verdict) -> None:
        """The deviations that verification has to allow, in these programs and later ones."""
        self._verdict = verdict
        for target in self._booted.values():
            self._allow(target)

    def _allow(self, target: Target) -> None:
        target.allows_stray_reads = self._verdict.reads_outside
        target.allow_odd_words(self._verdict.odd_words)

    @property
    def longest(self) -> int:
        """The cycles of the longest call so far."""
        return max(target.longest for target in self._booted.values())

    @property
    def parts(self) -> Target | None:
        """The incremental program, if it exists and fits."""
        return self.get("parts") if "parts" in self.built.programs else None
