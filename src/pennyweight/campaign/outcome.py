"""The results of a campaign's jobs, from now and before."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from pennyweight import cache
from pennyweight.model import Status, printable
from pennyweight.store import ResultStore

_ROOM = "outcomes"
_FORMAT = 3
"""Version of the cached content."""

LIMITS = (Status.DOES_NOT_FIT, Status.STACK_OVERFLOW)
"""Statuses that are findings about a board's memory, not failures."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Jobs of one or more implementations that failed, or were skipped, for the same reason."""

    status: str
    reason: str
    builds: tuple[str, ...]

    def sentence(self) -> str:
        """Implementation, board and reason."""
        who = self.builds[0]
        if len(self.builds) > 1:
            who += f" and {len(self.builds) - 1} more"
        return printable(f"{who}: {self.status}" + (f"; {self.reason}" if self.reason else ""))


@dataclass(slots=True)
class Outcomes:
    """The failures among some jobs, and the number of cases that exceed a board's memory.

    `jobs` are the keys of those that failed; `skipped` of those that failed nowhere but have cases
    that could not be tried, for example without a compiler; `damaged` of those with unreadable
    files, which must run again.
    """

    failures: list[Failure] = field(default_factory=list)
    jobs: frozenset[str] = frozenset()
    skipped: frozenset[str] = frozenset()
    over_limit: int = 0
    damaged: frozenset[str] = frozenset()

    @property
    def failed_jobs(self) -> int:
        """Number of failed jobs."""
        return len(self.jobs)

    @property
    def is_complete(self) -> bool:
        """No job failed or was skipped."""
        return not (self.jobs or self.skipped)

    def sentence(self) -> str:
        """The outcome in a few words."""
        jobs = {0: "no job failed", 1: "1 job failed"}
        text = jobs.get(self.failed_jobs, f"{self.failed_jobs} jobs failed")
        if self.skipped:
            text += f", {len(self.skipped)} skipped"
        if self.over_limit:
            text += f"; {self.over_limit} cases need more memory than their board has"
        return text


def outcomes_of(store: ResultStore, jobs: Iterable[str]) -> Outcomes:
    """The outcomes of these jobs, if they are in the store.

    The result is cached, because a campaign with nothing to do would otherwise spend its time
    reading all its files.
    """
    wanted = sorted(jobs)
    asked = json.dumps([_FORMAT, store.fingerprint(), wanted])
    key = hashlib.sha256(asked.encode()).hexdigest()
    found = _recall(key)
    if found is None:
        found = _find(store, wanted)
        cache.write(_ROOM, key, json.dumps(found).encode())
    return _summed_up(*found)


_Found = tuple[list[dict[str, Any]], list[str]]


def _recall(key: str) -> _Found | None:
    kept = cache.read(_ROOM, key)
    with suppress(ValueError, TypeError):
        if kept is not None:
            rows, damaged = json.loads(kept)
            return list(rows), list(damaged)
    return None


def _find(store: ResultStore, jobs: list[str]) -> _Found:
    """Cases without a measurement, by job, status and reason; and the jobs with damaged files."""
    from pennyweight.store.reading import open_results

    with open_results(store) as results:
        rows: list[dict[str, Any]] = results.query(
            """
            SELECT job, status, reason, lost, count(*) AS cases,
                   concat(algorithm, '/', implementation, ' on ', board, ' ', flags) AS build
            FROM measurements WHERE status != 'ok' AND list_contains(?, job)
            GROUP BY ALL ORDER BY build, status, reason
            """,
            [jobs],
        ).to_pylist()
        return rows, sorted(results.damaged.intersection(jobs))


def _summed_up(rows: list[dict[str, Any]], damaged: list[str]) -> Outcomes:
    limits = [status.value for status in LIMITS]
    failing = [row for row in rows if row["status"] not in limits]
    failed = {row["job"] for row in failing if row["lost"] or row["status"] != Status.SKIPPED}
    grouped: dict[tuple[str, str], list[str]] = {}
    for row in failing:
        grouped.setdefault((row["status"], row["reason"]), []).append(row["build"])
    return Outcomes(
        failures=[
            Failure(status, reason, tuple(dict.fromkeys(builds)))
            for (status, reason), builds in grouped.items()
        ],
        jobs=frozenset(failed),
        skipped=frozenset(row["job"] for row in failing) - failed,
        over_limit=sum(row["cases"] for row in rows if row["status"] in limits),
        damaged=frozenset(damaged),
    )
