"""Measures implementations, and reports which do not run and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.bench_implementations import c_copies

from pennyweight import api
from pennyweight.campaign.engine import Tally, run_campaign
from pennyweight.campaign.plan import PlannedJob, planned
from pennyweight.catalogue import Board, Implementation
from pennyweight.job import Job
from pennyweight.model import Case, Kind, Operation, Status
from pennyweight.snapshot import snapshot_scope
from pennyweight.store import ResultStore
from pennyweight.store.reading import open_results

SHORT, LONG = 16, 128
"""Lengths of the messages in bytes."""

QUERY = """
SELECT job, op, ad, m, cycles, flash, ram, stack, status, reason, lost FROM measurements
WHERE job IN (SELECT unnest(?))
"""

NO_CALL = "a hash, which has neither decryption nor associated data"
NO_C = "assembly, and no C in its place"
_LACKING = "no source defines"
"""Error message for a program without a requested function."""

Key = tuple[str, str, str]
"""Algorithm, board, flags."""
Place = tuple[Implementation, Board]


@dataclass(frozen=True, slots=True)
class Call:
    """The measured call of AEADs. For hashes, it is always `PLAIN`."""

    operation: Operation = Operation.ENC
    ad: int = 0
    """Bytes of associated data."""

    def cases(self, kind: Kind) -> list[Case]:
        """The calls of one implementation, a short and a long one."""
        operation = Operation.HASH if kind is Kind.HASH else self.operation
        return [Case(operation, self.ad, length) for length in (SHORT, LONG)]

    def has(self, kind: Kind) -> bool:
        """Whether algorithms of a kind have such a call."""
        return kind is not Kind.HASH or self == PLAIN

    def __str__(self) -> str:
        word = "decrypt" if self.operation is Operation.DEC else "encrypt"
        with_data = f"with {self.ad} byte{'s' * (self.ad != 1)} of" if self.ad else "without"
        return f"to {word} {with_data} associated data"


PLAIN = Call()


@dataclass(frozen=True, slots=True)
class Figures:
    """Results of one implementation at one key: cycles of two lengths, and bytes of flash."""

    name: str
    is_constant_time: bool
    short: int
    long: int
    flash: int


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Why an implementation is excluded, and with which boards and flags if not all."""

    id: str
    reason: str
    board: str = ""
    flags: str = ""
    is_failure: bool = False
    """Whether it is wrong, and not only too large for the part."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The results by key, and the exclusions."""

    found: dict[Key, list[Figures]]
    excluded: list[Exclusion]


def measure(
    side: str,
    places: Iterable[Place],
    flags: Sequence[str],
    call: Call,
    folder: Path,
    workers: int | None,
) -> Measured:
    """Measures implementations on boards with each set of flags; reuses the results in `folder`."""
    with snapshot_scope():
        jobs = list(_jobs(places, flags, call))
    measured = Measured(defaultdict(list), [])
    for job, rows in rows_of_jobs(side, jobs, folder, workers):
        _add(measured, job, rows)
    return measured


def rows_of_jobs(
    side: str, jobs: Iterable[PlannedJob], folder: Path, workers: int | None
) -> list[tuple[PlannedJob, list[dict[str, Any]]]]:
    """The rows of each job, with the columns of `QUERY`; measures those without results in
    `folder`. Of jobs with equal sources and name, only the last is returned.
    """
    asked = {(job.key, job.implementation.name): job for job in jobs}
    store = ResultStore(folder / side)
    with api.progress(f"Measuring {side}") as bar:
        run_campaign(asked.values(), store, Tally(), workers, progress=bar)
    with open_results(store, with_symbols=False) as results:
        rows = results.query(QUERY, [[key for key, _ in asked]]).to_pylist()
    of_job: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row["lost"], reverse=True):
        # Jobs that were lost may have been done later.
        if not row["lost"]:
            of_job[row["job"]] = [each for each in of_job[row["job"]] if not each["lost"]]
        of_job[row["job"]].append(row)
    return [(job, of_job[job.key]) for job in asked.values()]


def _jobs(places: Iterable[Place], flags: Sequence[str], call: Call) -> Iterable[PlannedJob]:
    for each, board in places:
        for some in flags:
            yield planned(Job(each, board, some, call.cases(each.kind), "quick"))


def _add(measured: Measured, job: PlannedJob, rows: list[dict[str, Any]]) -> None:
    each = job.implementation
    bad = next((row for row in rows if row["status"] != Status.OK), None)
    if bad is not None or not rows:
        status, reason = (bad["status"], bad["reason"]) if bad else (Status.SKIPPED, "no result")
        measured.excluded.append(exclusion(job, status, reason))
        return
    cycles = {row["m"]: row["cycles"] for row in rows}
    figures = Figures(
        each.name,
        each.manifest.constant_time is not False,
        cycles[SHORT],
        cycles[LONG],
        max(row["flash"] for row in rows),
    )
    measured.found[each.algorithm, job.board.id, job.flags].append(figures)


def exclusion(job: PlannedJob, status: str, reason: str) -> Exclusion:
    """Why a job has no figures, by the status and reason of its row."""
    name = job.implementation.id
    text = f"{status}: {reason}" if status in (Status.BUILD_FAILED, Status.SKIPPED) else status
    if name.endswith(c_copies.SUFFIX) and _LACKING in reason:
        name, text = name.removesuffix(c_copies.SUFFIX), NO_C
    is_failure = status not in (Status.DOES_NOT_FIT, Status.STACK_OVERFLOW)
    return Exclusion(name, text, job.board.id, job.flags, is_failure)
