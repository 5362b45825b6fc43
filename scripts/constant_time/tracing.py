"""Tracks the secrets of one operation of one implementation on one board."""

from __future__ import annotations

from dataclasses import dataclass

from scripts.constant_time.allowed_leaks import may_show

from pennyweight.job import Job
from pennyweight.measure.call_analysis import follow_case
from pennyweight.model import Status
from pennyweight.target import Failure

SHOWN = 6
"""Maximum number of places to print for one call."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The unexpected places of a call, or its failure, as lines to print."""

    lines: tuple[str, ...] = ()
    fits: bool = True


def trace(job: Job) -> Answer:
    """Tracks key and message through the job's first case; omits expected places."""
    op = job.cases[0].op
    title = f"{job.implementation.id} on {job.board.id}, {job.flags}, {op.value}"
    found = follow_case(job)
    if isinstance(found, Failure):
        if found.status is Status.DOES_NOT_FIT:
            return Answer(fits=False)
        return Answer((f"{title}: {found.status.value}: {found.reason}",))
    telling = [
        f"{leak.kind} in {leak.location}"
        for leak in found
        if not may_show(leak, op, job.board.core)
    ]
    if not telling:
        return Answer()
    places = list(dict.fromkeys(telling))
    more = [f"and {len(places) - SHOWN} more places"] if len(places) > SHOWN else []
    count = f"{len(telling)} instruction{'s' * (len(telling) > 1)}"
    return Answer((f"{title}: {count}", *places[:SHOWN], *more))
