"""How much of NIST's tree runs here: of what a board's CSV lists, what builds, verifies, measures.
:mod:`pennyweight.accuracy.felics_coverage` asks the same of FELICS-AE.

The figures themselves are not looked at, only that there are some.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from pennyweight.accuracy.boards import NistBoard
from pennyweight.accuracy.nist import Clone, Row
from pennyweight.campaign.engine import Finished, run_jobs
from pennyweight.campaign.plan import Job, make_job
from pennyweight.campaign.progress import Progress
from pennyweight.catalogue import Board, Catalogue
from pennyweight.catalogue.implementations import at_path
from pennyweight.measure import one_look
from pennyweight.model import Case, Kind, Operation, Status, UserError
from pennyweight.toolchains import missing

BUDGET = 4_000_000_000
"""Cycles for one call: the slowest package takes a tenth of it."""

ABSENT = "not in the clone"
"""The status of a pair whose package the CSV lists and the clone does not have."""

PAIRS = ((0, 0), (0, 16), (16, 0), (16, 16), (0, 128), (128, 128))
_HASHED = (0, 8, 16, 64, 128, 512)
"""Six lengths of each kind."""


_FAULTS = (
    Status.WRONG_ANSWER,
    Status.REJECTED_VALID,
    Status.ACCEPTED_FORGERY,
    Status.WROTE_OUTSIDE,
    Status.READ_OUTSIDE,
    Status.CRASHED,
    Status.STACK_OVERFLOW,
)
"""What a package itself does wrong."""


@dataclass(frozen=True, slots=True)
class Pair:
    """An (implementation, flags) pair that a board has a figure of, and how it ended here.

    `status` is one of :class:`pennyweight.model.Status`, or `ABSENT`.
    """

    kind: str
    variant: str
    implementation: str
    board: str
    flags: str
    status: str
    reason: str
    verified: str = ""


@dataclass(frozen=True, slots=True)
class Coverage:
    """All pairs of one board that were tried, in the order of its figures."""

    title: str
    """Whose figures."""
    board: str
    pairs: tuple[Pair, ...]

    @property
    def present(self) -> list[Pair]:
        """Those whose package the clone has."""
        return [pair for pair in self.pairs if pair.status != ABSENT]

    @property
    def fine(self) -> list[Pair]:
        """Those that build, verify and measure."""
        return [pair for pair in self.pairs if pair.status == Status.OK]

    @property
    def faulty(self) -> list[Pair]:
        """Those that are built and then shown to be wrong on the part: the board's times were taken
        without looking at the answers.
        """
        return [pair for pair in self.pairs if pair.status in _FAULTS]

    @property
    def share(self) -> float:
        """Of those whose package is there and sound, the part that runs; 1 of none."""
        sound = len(self.present) - len(self.faulty)
        return len(self.fine) / sound if sound else 1.0


def cases(row: Row) -> tuple[Case, ...]:
    """Of the six lengths those that the board has a figure of; else the shortest it has."""
    if row.kind is Kind.HASH:
        wanted = [Case(Operation.HASH, 0, m) for m in _HASHED]
    else:
        wanted = [Case(op, ad, m) for op in (Operation.ENC, Operation.DEC) for ad, m in PAIRS]
    found = tuple(case for case in wanted if case in row.figures)
    return found or tuple(sorted(row.figures, key=lambda case: case.ad + case.m)[:1])


def cover(
    clone: Clone,
    nist: NistBoard,
    catalogue: Catalogue,
    only: Sequence[str],
    levels: Sequence[str],
    every: int,
    workers: int | None,
    progress: Progress,
) -> Coverage:
    """Tries a board's pairs; `only` are shell patterns for variants, `levels` flags such as -O2,
    all for none of either; of `every` pairs one is tried.

    Raises `UserError`: a missing or broken file, a missing compiler, nothing to try.
    """
    board = catalogue.board(nist.board)
    absent = missing(board)
    if absent:
        raise UserError(absent)
    rows = [
        row
        for row in clone.rows(nist.id)
        if row.figures
        and (not levels or row.level in levels)
        and (not only or any(fnmatchcase(row.variant, pattern) for pattern in only))
    ][::every]
    if not rows:
        raise UserError(f"--only: no row of {nist.id} is left; ask for less")
    planned: list[Job | Pair] = []
    with one_look():
        planned = [_plan(row, clone, nist, board, catalogue) for row in rows]
    jobs = [each for each in planned if isinstance(each, Job)]
    ended = {each.job.key: each for each in run_jobs(jobs, workers, progress)}
    pairs = [
        _judged(row, nist, ended[each.key]) if isinstance(each, Job) else each
        for row, each in zip(rows, planned, strict=True)
    ]
    return Coverage(nist.title, nist.board, tuple(pairs))


def _plan(
    row: Row, clone: Clone, nist: NistBoard, board: Board, catalogue: Catalogue
) -> Job | Pair:
    folder = clone.package(row)
    if folder is None:
        return _pair(row, nist, ABSENT, "the clone has no package of this name")
    try:
        [implementation] = at_path(folder, catalogue.algorithms)
    except UserError as error:
        reason = str(error).replace(f"{clone.root.resolve()}/", "")
        return _pair(row, nist, Status.SKIPPED, reason)
    return make_job(implementation, board, _flags(row, nist), cases(row), "quick", BUDGET)


def _judged(row: Row, nist: NistBoard, finished: Finished) -> Pair:
    return _pair(row, nist, *judged(finished))


def judged(finished: Finished) -> tuple[str, str, str]:
    """How a job ended: status, reason, what was verified. The first case that was not measured
    decides.
    """
    verified = finished.result.provenance.verified
    for found in finished.result.measurements:
        if found.status != Status.OK:
            reason = found.reason
            if found.cycles is None and found is not finished.result.measurements[0]:
                reason = f"{found.op} {found.ad}:{found.m}: {reason}"
            return str(found.status), reason, verified
    return str(Status.OK), "", verified


def _pair(row: Row, nist: NistBoard, status: str, reason: str, verified: str = "") -> Pair:
    return Pair(
        kind=row.kind,
        variant=row.variant,
        implementation=row.implementation,
        board=nist.board,
        flags=_flags(row, nist),
        status=str(status),
        reason=reason,
        verified=verified,
    )


def _flags(row: Row, nist: NistBoard) -> str:
    return f"{row.level} {nist.flags}".strip()
