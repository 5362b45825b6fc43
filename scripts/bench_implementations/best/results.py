"""Measures the cycles and the size of implementations, at three lengths and in both directions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.bench_implementations.measurements import (
    Exclusion,
    Place,
    exclusion,
    rows_of_jobs,
)

from pennyweight.campaign.plan import planned
from pennyweight.catalogue import Implementation
from pennyweight.job import Job
from pennyweight.model import Case, Kind, Operation, Status
from pennyweight.snapshot import snapshot_scope

LENGTHS = (16, 128, 1024)
"""Lengths of the messages in bytes; there is no associated data."""

OPERATIONS: Mapping[Kind, tuple[Operation, ...]] = {
    Kind.AEAD: (Operation.ENC, Operation.DEC),
    Kind.HASH: (Operation.HASH,),
    Kind.AUTH: (Operation.AUTH,),
}


@dataclass(frozen=True, slots=True)
class Result:
    """One implementation on one board with one set of flags."""

    implementation: Implementation
    board: str
    flags: str
    cycles: Mapping[Case, int]
    """By case; those whose buffers do not fit are missing."""
    flash: int
    ram: int
    stack: int
    """The most that a measured call uses."""

    @property
    def algorithm(self) -> str:
        """The algorithm's name."""
        return self.implementation.algorithm

    @property
    def name(self) -> str:
        """The implementation's name."""
        return self.implementation.name

    @property
    def size(self) -> int:
        """Bytes of flash, static RAM and stack."""
        return self.flash + self.ram + self.stack


@dataclass(frozen=True, slots=True)
class Side:
    """The results of our implementations, or of the rivals, and what is excluded."""

    results: list[Result]
    excluded: list[Exclusion]

    def at(self, algorithm: str, board: str) -> list[Result]:
        """The results for one algorithm on one board."""
        return [each for each in self.results if (each.algorithm, each.board) == (algorithm, board)]


def cases_of(implementation: Implementation, lengths: Sequence[int]) -> list[Case]:
    """Calls without associated data; shorter ones for a mode that takes short messages only."""
    longest = implementation.longest
    sizes = dict.fromkeys(min(length, longest) if longest else length for length in lengths)
    return [Case(op, 0, size) for op in OPERATIONS[implementation.kind] for size in sizes]


def measure(
    side: str,
    places: Iterable[Place],
    flags: Sequence[str],
    lengths: Sequence[int],
    folder: Path,
    workers: int | None,
) -> Side:
    """Verifies and measures implementations on boards; reuses the results in `folder`."""
    with snapshot_scope():
        jobs = [
            planned(Job(each, board, some, cases_of(each, lengths), "quick"))
            for each, board in places
            for some in flags
        ]
    found = Side([], [])
    for job, rows in rows_of_jobs(side, jobs, folder, workers):
        good = [row for row in rows if row["status"] == Status.OK]
        tight = (Status.DOES_NOT_FIT, Status.STACK_OVERFLOW)
        bad = next((row for row in rows if row["status"] not in (Status.OK, *tight)), None)
        if bad is not None or not good:
            row = bad or next(iter(rows), {"status": Status.SKIPPED, "reason": "no result"})
            found.excluded.append(exclusion(job, row["status"], row["reason"]))
            continue
        found.results.append(
            Result(
                job.implementation,
                job.board.id,
                job.flags,
                {Case(Operation(row["op"]), row["ad"], row["m"]): row["cycles"] for row in good},
                *(max(row[name] for row in good) for name in ("flash", "ram", "stack")),
            )
        )
    return found
