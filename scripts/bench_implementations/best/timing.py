"""Decides whether a rival is constant-time, by its manifest or by tracking its secrets.

A manifest with `constant_time = false` decides. Otherwise the check behind `pennyweight
constant-time` tracks key and message on the board, with the measured flags: an address that depends
on a secret is a table lookup (T), a branch that does is a branch (B), and an instruction whose
duration does, a duration (D). Decryption must branch on whether the tag is right, so only addresses
count there. The check does not ask whether the part has a cache: as for bundled implementations, an
address that depends on a secret is never constant-time.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from pennyweight.campaign.plan import PlannedJob, planned
from pennyweight.catalogue import Implementation
from pennyweight.job import Job
from pennyweight.measure.call_analysis import follow_case
from pennyweight.model import Case, Kind, Operation
from pennyweight.pool import available_cores
from pennyweight.target import Failure

STATED = "its manifest states constant_time = false"
_KINDS = (("address", "T"), ("branch", "B"), ("time", "D"))
_LENGTHS = (16, 64)
"""Bytes of associated data and message of the checked calls, as in `make constant-time-all`."""


@dataclass(frozen=True, slots=True)
class Timing:
    """The verdict on one implementation on one board: no letter if it is constant-time."""

    letter: str = ""
    """T, B or D as above; `?` if the check itself failed."""
    rule: str = ""
    """What decided: the manifest, or the first place in the code."""

    @property
    def is_constant(self) -> bool:
        """Whether no secret affects timing."""
        return not self.letter


def checked_cases(implementation: Implementation) -> list[Case]:
    """The calls whose secrets are tracked."""
    ad, length = _LENGTHS
    if implementation.kind is not Kind.AEAD:
        op = Operation.HASH if implementation.kind is Kind.HASH else Operation.AUTH
        return [Case(op, 0, length)]
    if implementation.longest:
        ad, length = 0, min(length, implementation.longest)
    return [Case(op, ad, length) for op in (Operation.ENC, Operation.DEC)]


class TimingChecks:
    """Verdicts, kept in a file so that an interrupted run continues."""

    def __init__(self, path: Path, workers: int | None = None) -> None:
        self._path = path
        self._workers = workers or available_cores()
        self._known: dict[str, Timing] = {}
        if path.is_file():
            for line in path.read_text(encoding="utf-8").splitlines():
                key, letter, rule = json.loads(line)
                self._known[key] = Timing(letter, rule)

    def verdicts(self, jobs: Iterable[Job]) -> list[Timing]:
        """The verdict on each job's implementation on its board with its flags."""
        asked = [_checked(job) for job in jobs]
        missing = {job.key: job for job in asked if job.key not in self._known and not _states(job)}
        for key, timing in self._found(list(missing.values())):
            self._known[key] = timing
        return [Timing("T", STATED) if _states(job) else self._known[job.key] for job in asked]

    def _found(self, jobs: list[PlannedJob]) -> Iterator[tuple[str, Timing]]:
        if not jobs:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with ProcessPoolExecutor(min(self._workers, len(jobs))) as pool:
            for job, timing in zip(jobs, pool.map(check, jobs), strict=True):
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([job.key, timing.letter, timing.rule]) + "\n")
                yield job.key, timing


def _states(job: Job) -> bool:
    return job.implementation.manifest.constant_time is False


def _checked(job: Job) -> PlannedJob:
    return planned(
        replace(
            Job(job.implementation, job.board, job.flags),
            cases=tuple(checked_cases(job.implementation)),
        )
    )


def check(job: Job) -> Timing:
    """Tracks the secrets of each of the job's cases until a place is found."""
    for case in job.cases:
        found = follow_case(Job(job.implementation, job.board, job.flags, [case]))
        if isinstance(found, Failure):
            return Timing("?", f"{case.op.value}: {found.status.value}: {found.reason}")
        for kind, letter in _KINDS:
            if case.op is Operation.DEC and kind != "address":
                continue
            places = [leak for leak in found if leak.kind == kind]
            if places:
                return Timing(letter, f"{case.op.value}: {kind} in {places[0].location}")
    return Timing()
