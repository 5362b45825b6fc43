"""Builds, measurements and verification for a search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pennyweight.build.flag_check import check_flags
from pennyweight.campaign.engine import Finished, run_jobs
from pennyweight.campaign.plan import planned
from pennyweight.job import Job, Level
from pennyweight.model import Status, UserError
from pennyweight.progress import Progress
from pennyweight.toolchains import for_job
from pennyweight.tuning.defaults import redundant_flags
from pennyweight.tuning.objective import Aim, cost
from pennyweight.tuning.search import Score
from pennyweight.tuning.space import Candidate, Choice, choices_for, flags_of


class _Steps:
    """Reports the steps of many batches as those of one run."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def start(self, total: int) -> None:
        """The whole run has been started."""

    def working_on(self, title: str) -> None:
        """A step has started."""
        self._progress.working_on(title)

    def step(self) -> None:
        """A step has ended."""
        self._progress.step()


class Builds:
    """The builds of one implementation for one board with one compiler.

    `job` is what they have in common; its flags are replaced.
    """

    def __init__(self, job: Job, aim: Aim, workers: int | None, progress: Progress) -> None:
        self._job = job
        self._aim: Aim = aim
        self._workers = workers
        self._steps = _Steps(progress)
        self.compiler = ""
        """The version line of the compiler, once something was built."""
        self.problem = ""
        """The reason of the last failure."""

    def choices(self) -> list[Choice]:
        """The choices that this compiler supports for this board. Raises `UserError`."""
        toolchain, board = for_job(self._job), self._job.board
        check_flags(toolchain, board, ())

        def is_supported(flags: Sequence[str]) -> bool:
            try:
                check_flags(toolchain, board, tuple(flags))
            except UserError:
                return False
            return True

        return choices_for(toolchain.family.name, is_supported)

    def redundant(self, level: str) -> frozenset[str]:
        """The flags that build the same as a level alone."""
        return redundant_flags(for_job(self._job), self._job.board.file.compiler.flags, level)

    def scores(self, candidates: Sequence[Candidate]) -> dict[Candidate, Score]:
        """Measures candidates without verification; those that fail are skipped."""
        jobs = {planned(self._with(each, "none")): each for each in candidates}
        found: dict[Candidate, Score] = {}
        for finished in run_jobs(jobs, self._workers, self._steps):
            candidate = jobs[finished.job]
            value = self._cost(finished)
            if value is not None:
                # Of equal builds, that with the fewest flags.
                found[candidate] = (*value, float(sum(map(bool, candidate))))
        return found

    def passes(self, candidate: Candidate, level: Level) -> bool:
        """Does a build give the right answers at this level of verification?"""
        job = planned(self._with(candidate, level))
        [finished] = run_jobs([job], 1)
        return self._cost(finished) is not None

    def _with(self, candidate: Candidate, level: Level) -> Job:
        return replace(self._job, flags=flags_of(candidate), verify=level)

    def _cost(self, finished: Finished) -> tuple[float, float] | None:
        """Raises `UserError` for errors that other flags would not fix."""
        if isinstance(finished.problem, UserError):
            raise finished.problem
        failed = [row for row in finished.result.measurements if row.status != Status.OK]
        if failed:
            self.problem = f"{failed[0].status}: {failed[0].reason}"
            return None
        self.compiler = finished.result.provenance.compiler_version
        return cost(finished.result.measurements, self._aim)
