"""Advice for one's own traffic: measures what is missing, then ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from pennyweight import cache
from pennyweight.analysis.advice import Aim, Choice, Exclusion, Limits, advise
from pennyweight.analysis.facts import algorithm_facts, board_facts
from pennyweight.api.measuring import measure_jobs, parse_operations
from pennyweight.campaign.engine import Tally, run_campaign
from pennyweight.catalogue import Board, Catalogue, Implementation
from pennyweight.catalogue.implementations import ONE_SHOT
from pennyweight.lengths import LONGEST
from pennyweight.model import Kind, Operation, UserError
from pennyweight.progress import Progress
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


_AIMS: dict[str, Aim] = {"speed": "cycles", "flash": "flash", "ram": "ram", "stack": "stack"}
AIMS = tuple(_AIMS)
"""What can be ranked by."""


def traffic(kind: str, ad: int, message: int, op: str | None) -> Traffic:
    """The traffic that is meant; `op` are operations with commas, the first of the kind unless
    given. Raises UserError.
    """
    if kind not in [each.value for each in Kind]:
        known = ", ".join(each.value for each in Kind)
        raise UserError(f"--kind: '{kind}' is none; known are {known}")
    wanted = Kind(kind)
    for what, length in (("message", message), ("ad", ad)):
        if isinstance(length, bool) or not isinstance(length, int) or not 0 <= length <= LONGEST:
            raise UserError(f"--{what}: {length} is no length; give 0 to {LONGEST} bytes")
    if ad and wanted is not Kind.AEAD:
        raise UserError(f"--ad: kind '{wanted}' has no associated data; leave it out")
    return Traffic(wanted, ad, message, tuple(parse_operations(op)) if op else ONE_SHOT[wanted][:1])


def aim(by: str) -> Aim:
    """What is ranked by. Raises UserError."""
    if by not in _AIMS:
        raise UserError(f"--by: '{by}' is none; known are {', '.join(AIMS)}")
    return _AIMS[by]


def charge(battery: float | None) -> float | None:
    """A battery's charge in mAh. Raises UserError."""
    if battery is None:
        return None
    number = isinstance(battery, int | float) and not isinstance(battery, bool)
    if not number or not 0 < battery < math.inf:
        raise UserError(f"--battery: {battery} is no charge; give milliampere hours, as 225")
    return battery


def limits(
    max_flash: int | None,
    max_ram: int | None,
    max_stack: int | None,
    min_tag: int | None,
    standard: bool,
    constant_time: bool,
) -> Limits:
    """What must be kept, sizes in bytes. Raises UserError."""
    sizes = {
        "--max-flash": max_flash,
        "--max-ram": max_ram,
        "--max-stack": max_stack,
        "--min-tag": min_tag,
    }
    for what, size in sizes.items():
        if size is not None and (isinstance(size, bool) or not isinstance(size, int) or size < 0):
            raise UserError(f"{what}: {size!r} is no size; give a whole number of bytes, as 4096")
    return Limits(max_flash, max_ram, max_stack, min_tag, standard, constant_time)


def rows_of(ranking: Sequence[Choice], excluded: Sequence[Exclusion]) -> list[dict[str, Any]]:
    """Both as rows: the excluded without a rank, and with the reason in `excluded`."""
    columns = ["rank", *(each.name for each in fields(Choice)), "excluded"]
    empty: dict[str, Any] = dict.fromkeys(columns)
    rows = [
        {"rank": rank, **asdict(each), "excluded": ""} for rank, each in enumerate(ranking, start=1)
    ]
    return rows + [
        {**empty, "algorithm": each.algorithm, "excluded": each.reason} for each in excluded
    ]


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
