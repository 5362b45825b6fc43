"""From a study, or from what a user asked for, to jobs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from pennyweight.campaign.study import Study
from pennyweight.catalogue import Board, Catalogue, Implementation, parse_flags
from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.measure import DEFAULT_BUDGET, job_key
from pennyweight.model import Case, UserError

Level = Literal["full", "quick", "none"]


@dataclass(frozen=True, slots=True)
class Job:
    """One implementation on one board with one set of flags, and what to measure.

    `key` is the content hash that names it; `budget` is in cycles for each call.
    """

    key: str
    implementation: Implementation
    board: Board
    flags: str
    cases: tuple[Case, ...]
    verify: Level = "full"
    budget: int = DEFAULT_BUDGET

    @property
    def title(self) -> str:
        """The job in words, for progress and messages."""
        return f"{self.implementation.id} on {self.board.id} {self.flags}"


def make_job(
    implementation: Implementation,
    board: Board,
    flags: str,
    cases: Sequence[Case],
    verify: Level = "full",
    budget: int = DEFAULT_BUDGET,
) -> Job:
    """A job with its key. Raises UserError for flags that no measurement may use."""
    key = job_key(implementation, board, flags, cases, verify, budget=budget)
    return Job(key, implementation, board, flags, tuple(cases), verify, budget)


def plan_study(study: Study, catalogue: Catalogue) -> list[Job]:
    """The jobs of a study, board by board: every bundled implementation with every set of flags.

    Raises UserError for a board, algorithm or flag that is not known.
    """
    boards = [catalogue.board(name) for name in study.boards]
    for flags in study.flags:
        parse_flags(flags)
    chosen = _matching(study, catalogue)
    return [
        make_job(implementation, board, flags, cases, study.verify)
        for board in boards
        for implementation in chosen
        if (cases := study.cases(implementation.kind))
        for flags in study.flags
    ]


def _matching(study: Study, catalogue: Catalogue) -> list[Implementation]:
    """The implementations of the algorithms that the study names."""
    names = {each.algorithm for each in catalogue.implementations}
    for pattern in study.algorithms:
        if not _hits(pattern, names):
            raise UserError(
                f"study '{study.id}': no bundled algorithm matches '{pattern}':"
                f"{did_you_mean(pattern, names)} `pennyweight algorithms` lists them"
            )
    wanted = {name for pattern in study.algorithms for name in _hits(pattern, names)}
    return [each for each in catalogue.implementations if each.algorithm in wanted]


def _hits(pattern: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if fnmatchcase(name, pattern.casefold())]
