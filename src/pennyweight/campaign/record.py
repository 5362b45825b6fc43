"""The record of a campaign's plan, stored with its results so that they can be read without its
files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from pennyweight import toolchains
from pennyweight.analysis.facts import algorithm_facts, board_facts, implementation_facts
from pennyweight.campaign.plan import Plan, PlannedJob
from pennyweight.catalogue.flags import spelled
from pennyweight.measure.naming import sources_of
from pennyweight.model import Kind
from pennyweight.store.campaign_records import STARTED, next_start
from pennyweight.studies import QUICK_SUFFIX, Study


def _compilers(jobs: Iterable[PlannedJob]) -> list[dict[str, str]]:
    """The exact compilers of each board: version line, configuration, digest of the binaries."""
    found = []
    for job in {(job.board.id, job.compiler): job for job in jobs}.values():
        board = job.board
        try:
            identity = toolchains.for_job(job).identity
        except toolchains.MissingToolchainError:
            continue
        found.append({"board": board.id, **asdict(identity)})
    return found


def _flags(study: Study, planned: Iterable[PlannedJob]) -> list[str]:
    """The study's flags, and those of rows with a source of random words."""
    random = (job.label(True) for job in planned if sources_of(job.implementation).uses_random)
    return list(dict.fromkeys([*(spelled(each) for each in study.flags), *random]))


def _real_boards(jobs: Iterable[PlannedJob]) -> list[dict[str, Any]]:
    """The jobs on each real board, and where it was connected: no study's file has them."""
    found: dict[str, dict[str, Any]] = {}
    for job in jobs:
        if job.on:
            entry = {"board": job.board.id, "on": job.on, "jobs": []}
            found.setdefault(job.board.id, entry)["jobs"].append(job.key)
    return list(found.values())


def campaign_record(
    study: Study, plan: Plan, others: Iterable[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """The study's texts and cases, and the facts of its boards and algorithms.

    Its time of start is later than those of the `others` in its folder.
    """
    planned = plan.jobs
    boards = {job.board.id: board_facts(job.board) for job in planned}
    algorithms = {
        job.implementation.algorithm: algorithm_facts(job.implementation.known)
        for job in planned
        if job.implementation.known is not None
    }
    implementations = {job.implementation.id: job.implementation for job in planned}
    return {
        "id": study.id,
        "title": study.title,
        "short_title": study.short_title,
        "quick": study.id.endswith(QUICK_SUFFIX),
        "about": study.about,
        "reference": study.reference,
        "shows": list(study.shows),
        "published": list(study.published),
        "flags": _flags(study, planned),
        "verify": study.verify,
        STARTED: next_start(others),
        "jobs": [job.key for job in planned],
        "real": _real_boards(planned),
        "baselines": list(study.baselines),
        "compilers": _compilers(planned),
        "absent": [{"board": board, "reason": why} for board, why in plan.absent.items()],
        "unknown": list(plan.unknown),
        "unreachable": [
            {"library": library, "reason": why} for library, why in plan.unreachable.items()
        ],
        "boards": [asdict(facts) for facts in boards.values()],
        "algorithms": [asdict(facts) for facts in algorithms.values()],
        "implementations": [
            asdict(implementation_facts(each)) for each in implementations.values()
        ],
        "scenarios": [
            {
                "name": scenario.name,
                "title": scenario.title,
                "kind": Kind(scenario.kind).value,
                "cases": [[case.op.value, case.ad, case.m] for case in scenario.cases()],
            }
            for scenario in study.scenarios
        ],
    }
