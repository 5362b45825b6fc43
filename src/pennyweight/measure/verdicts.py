"""Verdicts of verification, kept in the user's cache under what they depend on."""

from __future__ import annotations

import contextlib
import hashlib
import json
from dataclasses import asdict

from pennyweight import _simulator, cache, engine
from pennyweight.job import Job
from pennyweight.measure.naming import Names
from pennyweight.measure.targets import Targets
from pennyweight.model import Status
from pennyweight.verify import Verdict, verify

_SLOWEST = 16
"""A call is assumed to be at most this many times slower in another board's memories of the same
sizes.
"""


def verdict_of(job: Job, names: Names, targets: Targets) -> Verdict:
    """The result of verification, now or from the cache. It does not depend on the cases, and
    depends on the board's timing only if a slower one could run out of cycles.

    The verdict on a bundled implementation holds for its images, whatever sources they were built
    from. Failures, which may name a line, and third-party folders, which may contain answers,
    depend on the sources. An engine that was asked for by name verifies the images again.
    """
    of_sources = names.verdict
    known_as = [of_sources]
    if job.implementation.bundled:
        known_as.append(names.proof(targets.built))
    for name in known_as:
        for key in (_alone(name, names.board), name):
            cached = _cached(key)
            if cached is not None and (name == of_sources or cached.status is Status.OK):
                return cached
    verdict = verify(job, targets.get("full"), targets.parts)
    name = known_as[-1] if verdict.status is Status.OK else of_sources
    key = name if targets.longest * _SLOWEST < job.budget else _alone(name, names.board)
    cache.write("verdicts", _by_engine(key), json.dumps(asdict(verdict)).encode())
    return verdict


def _by_engine(key: str) -> str:
    """The name of a verdict that an engine that was asked for by name has verified."""
    name = engine.demanded()
    if name is None:
        return key
    return hashlib.sha256(f"{key} {name} {_simulator.translator_version}".encode()).hexdigest()


def _alone(name: str, board: str) -> str:
    """The name of a verdict that holds for this board only."""
    return hashlib.sha256(f"{name} {board}".encode()).hexdigest()


def _cached(key: str) -> Verdict | None:
    """A verdict from the cache, if it can be read."""
    cached = cache.read("verdicts", _by_engine(key))
    if cached is not None:
        with contextlib.suppress(ValueError, KeyError, TypeError):
            fields = json.loads(cached)
            return Verdict(**(fields | {"status": Status(fields["status"])}))
    return None
