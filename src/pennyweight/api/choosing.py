"""Advice for one's own traffic: measures what is missing, then ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pennyweight import cache
from pennyweight.analysis.advice import Aim, Choice, Exclusion, Limits, advise
from pennyweight.analysis.facts import algorithm_facts, board_facts
from pennyweight.api.measuring import measure_jobs
from pennyweight.campaign.engine import Tally, run_campaign
from pennyweight.campaign.progress import Progress
from pennyweight.catalogue import Board, Catalogue, Implementation
from pennyweight.model import Kind, Operation, UserError
from pennyweight.store import ResultStore
from pennyweight.store.reading import open_results

STORE = "choose"
"""The folder in the user's cache that keeps what was measured."""


@dataclass(frozen=True, slots=True)
class Traffic:
    """What one sends: an AEAD's message, or what is hashed or authenticated. Lengths in bytes."""

    kind: Kind
    ad: int
    message: int
    operations: tuple[Operation, ...] | None = None


def choose(
    implementations: Sequence[Implementation],
    catalogue: Catalogue,
    board: Board,
    traffic: Traffic,
    flags: Sequence[str],
    limits: Limits,
    *,
    aim: Aim = "cycles",
    battery_mah: float | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> tuple[list[Choice], list[Exclusion]]:
    """The ranking of `implementations` on `board` for `traffic`, and who is not in it and why.

    Measurements are kept in the user's cache: the same question again is quick. Raises UserError
    if none of the implementations is of the kind that is asked for.
    """
    wanted = [each for each in implementations if each.kind is traffic.kind and not each.problem]
    if not wanted:
        raise UserError(f"--kind {traffic.kind}: none of the implementations is of that kind")
    lengths = [(traffic.ad, traffic.message)]
    planned = measure_jobs(wanted, [board], flags, lengths, traffic.operations, verify="quick")
    store = ResultStore(cache.folder() / STORE)
    run_campaign(planned, store, Tally(), jobs, progress)
    keys = [job.key for job in planned]
    with open_results(store) as results:
        rows = results.query(
            "SELECT * FROM measurements WHERE job IN (SELECT unnest(?)) "
            "ORDER BY algorithm, implementation, flags, op",
            [keys],
        )
    return advise(
        rows.to_pylist(),
        {name: algorithm_facts(each) for name, each in catalogue.algorithms.items()},
        {(each.algorithm, each.name): each.manifest.constant_time for each in wanted},
        board_facts(board),
        limits,
        aim,
        battery_mah,
    )
