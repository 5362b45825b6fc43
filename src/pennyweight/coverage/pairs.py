"""Pairs of implementation and flags that a benchmark has figures of, and their outcome here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pennyweight.campaign.engine import Finished, run_jobs
from pennyweight.campaign.plan import PlannedJob, planned
from pennyweight.catalogue import Board, Catalogue
from pennyweight.catalogue.implementations import at_path
from pennyweight.job import Job
from pennyweight.model import Case, Status, UserError
from pennyweight.progress import Progress
from pennyweight.toolchains import missing

BUDGET = 4_000_000_000
"""Cycles for one call: the slowest package takes a tenth of it."""

ABSENT = "not in the clone"
"""The status of a pair whose package is in the CSV file but not in the clone."""

PAIRS = ((0, 0), (0, 16), (16, 0), (16, 16), (0, 128), (128, 128))
"""Six pairs of lengths: associated data and message, in bytes."""

_FAULTS = (
    Status.WRONG_ANSWER,
    Status.REJECTED_VALID,
    Status.ACCEPTED_FORGERY,
    Status.WROTE_OUTSIDE,
    Status.READ_OUTSIDE,
    Status.CRASHED,
    Status.STACK_OVERFLOW,
)
"""Faults of a package itself."""


@dataclass(frozen=True, slots=True)
class Pair:
    """An (implementation, flags) pair that a board has a figure of, and its outcome here.

    `status` is one of :class:`pennyweight.model.Status`, or `ABSENT`.
    """

    kind: str
    variant: str
    implementation: str
    board: str
    flags: str
    status: str = str(Status.OK)
    reason: str = ""
    verified: str = ""


Planned = tuple[Pair, PlannedJob | None]
"""A pair, and the job that determines its outcome; without a job the outcome is known."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """All pairs of one board that were tried, in the order of its figures."""

    title: str
    """The source of the figures."""
    board: str
    pairs: tuple[Pair, ...]

    @property
    def present(self) -> list[Pair]:
        """Those whose package is in the clone."""
        return [pair for pair in self.pairs if pair.status != ABSENT]

    @property
    def fine(self) -> list[Pair]:
        """Those that build, verify and measure."""
        return [pair for pair in self.pairs if pair.status == Status.OK]

    @property
    def faulty(self) -> list[Pair]:
        """Those that build but give wrong results on the part: the benchmark timed them without
        checking the output.
        """
        return [pair for pair in self.pairs if pair.status in _FAULTS]

    @property
    def share(self) -> float:
        """The fraction that runs, of those whose package exists and is correct; 1 if there are
        none.
        """
        sound = len(self.present) - len(self.faulty)
        return len(self.fine) / sound if sound else 1.0


def board_with_compiler(name: str, catalogue: Catalogue) -> Board:
    """A bundled board. Raises `UserError` if its compiler is missing."""
    board = catalogue.board(name)
    absent = missing(board)
    if absent:
        raise UserError(absent)
    return board


def plan(
    pair: Pair,
    folder: Path | None,
    root: Path,
    board: Board,
    cases: Sequence[Case],
    catalogue: Catalogue,
) -> Planned:
    """A pair whose package is in `folder` of the clone `root`, or missing."""
    if folder is None:
        reason = "the clone has no package of this name"
        return replace(pair, status=ABSENT, reason=reason), None
    try:
        [implementation] = at_path(folder, catalogue.algorithms)
    except UserError as error:
        reason = str(error).replace(f"{root.resolve()}/", "")
        return replace(pair, status=str(Status.SKIPPED), reason=reason), None
    job = Job(implementation, board, pair.flags, cases, verify="quick", budget=BUDGET)
    return pair, planned(job)


def tried(
    title: str,
    pairs: Sequence[Planned],
    board: Board,
    workers: int | None,
    progress: Progress,
) -> Coverage:
    """Runs the jobs, and determines the outcome of each pair."""
    jobs = [job for _, job in pairs if job is not None]
    ended = {each.job.key: each for each in run_jobs(jobs, workers, progress)}
    judged = [_judged(pair, ended[job.key]) if job else pair for pair, job in pairs]
    return Coverage(title, board.id, tuple(judged))


def _judged(pair: Pair, finished: Finished) -> Pair:
    """The first case without a measurement decides."""
    pair = replace(pair, verified=finished.result.provenance.verified)
    for found in finished.result.measurements:
        if found.status != Status.OK:
            reason = found.reason
            if found.cycles is None and found is not finished.result.measurements[0]:
                reason = f"{found.op} {found.ad}:{found.m}: {reason}"
            return replace(pair, status=str(found.status), reason=reason)
    return pair
