"""The programs of a job on its board, simulated or real."""

from __future__ import annotations

from pennyweight.build import Build
from pennyweight.devices.errors import DeviceError
from pennyweight.job import Job
from pennyweight.model import Status
from pennyweight.target import Target
from pennyweight.target.interface import Loader
from pennyweight.target.simulated import simulate
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
            job, program = self._job, self.built.programs[name]
            self._booted[name] = Target(job.board, program, job.budget, self._load())
            self._booted[name].repeats = job.repeats
            self._booted[name].warm = job.warm
            self._allow(self._booted[name])
        return self._booted[name]

    def _load(self) -> Loader:
        """Raises `DeviceError` if the real board is missing or was replaced."""
        job = self._job
        if not job.on:
            return simulate
        from pennyweight.devices.connect import SUPPLY, shared

        connection = shared(job.on, job.board)
        if connection.identity != job.device.partition(SUPPLY)[0]:
            raise DeviceError(
                f"{job.on}: the part was replaced: it is {connection.identity}, not {job.device}; "
                "connect the original part and run the command again"
            )
        return connection.device.load

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
