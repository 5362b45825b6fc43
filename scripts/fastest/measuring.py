"""Cycles of all candidates of an algorithm on a board, and the fastest of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from pennyweight.campaign.engine import run_jobs
from pennyweight.campaign.plan import planned
from pennyweight.catalogue import Board, Catalogue, Implementation
from pennyweight.catalogue.offers import is_offered
from pennyweight.job import Job
from pennyweight.model import Case, Measurement, Status, UserError
from pennyweight.progress import Progress
from pennyweight.studies import Study, find_study, study_names
from pennyweight.studies.fastest import CASES, FLAGS

Cycles = Mapping[str, tuple[int | None, ...]]
"""For each implementation's name its cycles at each case; None where it does not fit."""


@dataclass(frozen=True, slots=True)
class Contest:
    """Candidates for one algorithm, with one set of flags, on one board."""

    algorithm: str
    flags: str
    board: Board
    candidates: tuple[Implementation, ...]


def contests(
    candidates: Iterable[Implementation], boards: Iterable[Board], flags: Iterable[str]
) -> list[Contest]:
    """One for each algorithm of the candidates, board and flags, between those that are offered on
    the board.
    """
    by_algorithm: dict[str, list[Implementation]] = {}
    for each in candidates:
        by_algorithm.setdefault(each.algorithm, []).append(each)
    return [
        Contest(algorithm, level, board, tuple(each for each in own if is_offered(each, board)))
        for board in boards
        for algorithm, own in sorted(by_algorithm.items())
        for level in flags
    ]


def asked_by_studies(
    known: Catalogue, candidates: Iterable[Implementation], boards: Iterable[Board]
) -> list[Contest]:
    """The contests of which a bundled study takes the result."""
    every = {
        (each.algorithm, each.flags, each.board.id): each
        for each in contests(candidates, boards, FLAGS)
    }
    wanted: set[tuple[str, str, str]] = set()
    for study in bundled_studies():
        if not any(selection.fastest for selection in study.implementations):
            continue
        texts = (*study.boards, *study.optional_boards)
        names = (*study.algorithms, *study.optional_algorithms)
        wanted.update(
            key
            for key in every
            if any(fnmatchcase(key[0], text) for text in names)
            and any(fnmatchcase(key[2], text) for text in texts)
        )
    return [contest for key, contest in every.items() if key in wanted]


def bundled_studies() -> list[Study]:
    """The bundled studies and the subsets that `--quick` measures."""
    studies = [find_study(name) for name in study_names()]
    return studies + [each.quick_subset() for each in studies if each.quick is not None]


def cases_of(implementation: Implementation) -> tuple[Case, ...]:
    """The cases that decide; shorter ones for a mode that takes short messages only."""
    longest = implementation.longest
    cases = CASES[implementation.kind]
    if not longest:
        return cases
    return tuple(dict.fromkeys(Case(case.op, 0, min(case.m, longest)) for case in cases))


def measured(
    asked: Iterable[Contest], workers: int | None = None, progress: Progress | None = None
) -> Iterator[tuple[Contest, Cycles]]:
    """Each contest with its cycles, as soon as all of its candidates are measured.

    Raises `UserError` for a build or a worker that fails: the choice would be a wrong one.
    """
    waiting: dict[str, list[tuple[Contest, str]]] = {}
    found: dict[int, dict[str, tuple[int | None, ...]]] = {}
    jobs = []
    for contest in asked:
        found[id(contest)] = {}
        for each in contest.candidates:
            job = planned(Job(each, contest.board, contest.flags, cases_of(each), "none"))
            jobs.append(job)
            waiting.setdefault(job.key, []).append((contest, each.name))
    for finished in run_jobs(jobs, workers, progress):
        if finished.problem is not None:
            raise UserError(f"{finished.job.title}: {finished.problem}")
        cycles = tuple(_cycles(finished.job.title, row) for row in finished.result.measurements)
        for contest, name in waiting[finished.job.key]:
            own = found[id(contest)]
            own[name] = cycles
            if len(own) == len(contest.candidates):
                yield contest, own


def _cycles(title: str, row: Measurement) -> int | None:
    if row.status == Status.OK:
        return row.cycles
    if row.status in (Status.DOES_NOT_FIT, Status.STACK_OVERFLOW):
        return None
    raise UserError(f"{title}: {row.status}: {row.reason}; fix it, then run `make fastest` again")
