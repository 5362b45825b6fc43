"""Advice for one's own traffic: measures what is missing, then ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, get_args

from pennyweight import cache
from pennyweight.analysis.advice import (
    RECOMMENDED,
    STATUSES,
    Aim,
    Choice,
    Exclusion,
    Limits,
    advise,
    by_status,
    status_of,
)
from pennyweight.analysis.facts import AlgorithmFacts, algorithm_facts, board_facts
from pennyweight.api.compilers import build_missing
from pennyweight.api.listing import choose_implementations
from pennyweight.api.measuring import cases_for, choose_boards, parse_operations
from pennyweight.api.options import AIMS, some, texts
from pennyweight.api.requests import ChooseRequest
from pennyweight.campaign.engine import Tally, run_campaign
from pennyweight.campaign.plan import PlannedJob, planned
from pennyweight.catalogue import Board, Catalogue, Implementation
from pennyweight.catalogue.implementation import ONE_SHOT
from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.job import Job
from pennyweight.lengths import LONGEST
from pennyweight.model import Kind, Operation, UserError
from pennyweight.progress import Progress
from pennyweight.store import ResultStore
from pennyweight.store.reading import open_results

STORE = "choose"
"""The folder in the user's cache that keeps what was measured."""


EVERY = "all"
"""Stands for every status."""

_AIMS: dict[str, Aim] = dict(zip(AIMS, get_args(Aim), strict=True))


@dataclass(frozen=True, slots=True)
class Question:
    """A request that has been checked: what to measure on which board, and how to rank it."""

    board: Board
    implementations: list[Implementation]
    jobs: list[PlannedJob]
    excluded: list[Exclusion]
    """Algorithms whose status alone excludes them; they are not measured."""
    limits: Limits
    aim: Aim
    battery_mah: float | None

    @property
    def loose(self) -> set[tuple[str, str]]:
        """Algorithm and name of the implementations that do not run in constant time."""
        return {
            (each.algorithm, each.name)
            for each in self.implementations
            if each.manifest.constant_time is False
        }


def question(request: ChooseRequest, catalogue: Catalogue) -> Question:
    """What a request means. Raises UserError, also if none of the implementations is of the kind
    that is asked for.
    """
    battery = _charge(request.battery)
    kind, operations = _traffic(request)
    implementations = choose_implementations(catalogue, texts(request.names, "names"))
    (board,) = choose_boards(catalogue, [str(request.board)])
    flags = some(request.flags, "flags")
    limits, aim = _limits(request), _aim(request.by)
    of_kind = [each for each in implementations if each.kind is kind and not each.problem]
    if not of_kind:
        raise UserError(f"--kind {kind}: none of the implementations is of that kind")
    wanted, excluded = _of_status(of_kind, limits.statuses)
    if not wanted:
        theirs = ", ".join(sorted({_word(each.status) for each in excluded}))
        raise UserError(
            f"--status: none of the algorithms has status {_words(limits.statuses)}; theirs are "
            f"{theirs}"
        )
    build_missing([board])
    lengths = [(request.ad, request.message)]
    jobs = [
        planned(Job(each, board, some_flags, cases_for(each, lengths, operations), "quick"))
        for each in wanted
        for some_flags in flags
    ]
    return Question(board, wanted, jobs, excluded, limits, aim, battery)


def _of_status(
    implementations: Sequence[Implementation], statuses: Sequence[str]
) -> tuple[list[Implementation], list[Exclusion]]:
    """The implementations of algorithms of these statuses, and the other algorithms."""
    kept: list[Implementation] = []
    excluded: dict[str, Exclusion] = {}
    for each in implementations:
        facts = _facts(each)
        if status_of(facts) in statuses:
            kept.append(each)
        else:
            excluded[each.algorithm] = by_status(facts)
    return kept, sorted(excluded.values(), key=lambda each: each.algorithm)


def _facts(implementation: Implementation) -> AlgorithmFacts:
    known = implementation.known
    name = implementation.algorithm
    return algorithm_facts(known) if known is not None else AlgorithmFacts(name, name)


def _statuses(request: ChooseRequest) -> tuple[str, ...]:
    """The statuses to rank, as the catalogue writes them. Raises UserError."""
    if request.standard_only:
        if request.status is not None:
            raise UserError("--standard-only and --status exclude each other; give one of them")
        return ("standard",)
    if request.status is None:
        return STATUSES if texts(request.names, "names") else RECOMMENDED
    words = request.status.split(",") if isinstance(request.status, str) else request.status
    known = {_word(each): each for each in STATUSES}
    found: list[str] = []
    for word in texts(words, "status"):
        name = word.strip().casefold().replace(" ", "-")
        if name != EVERY and name not in known:
            raise UserError(
                f"--status: '{word.strip()}' is not a status;{did_you_mean(name, [*known, EVERY])} "
                f"known are {', '.join(known)} and {EVERY}"
            )
        found += STATUSES if name == EVERY else [known[name]]
    if not found:
        raise UserError("status: at least one is required.")
    return tuple(dict.fromkeys(found))


def _word(status: str) -> str:
    """A status as an option takes it."""
    return status.replace(" ", "-")


def _words(statuses: Sequence[str]) -> str:
    return " or ".join(map(_word, statuses))


def _traffic(request: ChooseRequest) -> tuple[Kind, list[Operation]]:
    """The kind of algorithm, and the operations that count: the first of the kind unless given."""
    if request.kind not in [each.value for each in Kind]:
        known = ", ".join(each.value for each in Kind)
        raise UserError(f"--kind: '{request.kind}' is none; known are {known}")
    kind = Kind(request.kind)
    for what, length in (("message", request.message), ("ad", request.ad)):
        if isinstance(length, bool) or not isinstance(length, int) or not 0 <= length <= LONGEST:
            raise UserError(f"--{what}: {length} is no length; give 0 to {LONGEST} bytes")
    if request.ad and kind is not Kind.AEAD:
        raise UserError(f"--ad: kind '{kind}' has no associated data; leave it out")
    if request.op is None:
        return kind, list(ONE_SHOT[kind][:1])
    return kind, parse_operations(",".join(some(request.op, "op")))


def _aim(by: str) -> Aim:
    if by not in _AIMS:
        raise UserError(f"--by: '{by}' is none; known are {', '.join(AIMS)}")
    return _AIMS[by]


def _charge(battery: float | None) -> float | None:
    if battery is None:
        return None
    number = isinstance(battery, int | float) and not isinstance(battery, bool)
    if not number or not 0 < battery < math.inf:
        raise UserError(f"--battery: {battery} is no charge; give milliampere hours, as 225")
    return battery


def _limits(request: ChooseRequest) -> Limits:
    sizes = {
        "--max-flash": request.max_flash,
        "--max-ram": request.max_ram,
        "--max-stack": request.max_stack,
        "--min-tag": request.min_tag,
    }
    for what, size in sizes.items():
        if size is not None and (isinstance(size, bool) or not isinstance(size, int) or size < 0):
            raise UserError(f"{what}: {size!r} is no size; give a whole number of bytes, as 4096")
    return Limits(
        request.max_flash,
        request.max_ram,
        request.max_stack,
        request.min_tag,
        request.constant_time,
        _statuses(request),
    )


def rows_of(ranking: Sequence[Choice], excluded: Sequence[Exclusion]) -> list[dict[str, Any]]:
    """Both as rows: the excluded without a rank, and with the reason in `excluded`."""
    columns = ["rank", *(each.name for each in fields(Choice)), "excluded"]
    empty: dict[str, Any] = dict.fromkeys(columns)
    rows = [
        {"rank": rank, **asdict(each), "excluded": ""} for rank, each in enumerate(ranking, start=1)
    ]
    return rows + [
        {**empty, "algorithm": each.algorithm, "excluded": each.reason}
        | ({"status": each.status} if each.status else {})
        for each in excluded
    ]


def choose(
    asked: Question,
    catalogue: Catalogue,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> tuple[list[Choice], list[Exclusion]]:
    """The ranking, and which algorithms are not in it and why; `jobs` processes measure.

    Measurements are kept in the user's cache: the same question again is quick.
    """
    store = ResultStore(cache.folder() / STORE)
    run_campaign(asked.jobs, store, Tally(), jobs, progress)
    with open_results(store) as results:
        rows = results.query(
            "SELECT * FROM measurements WHERE job IN (SELECT unnest(?)) "
            "ORDER BY algorithm, implementation, flags, op",
            [[job.key for job in asked.jobs]],
        )
    ranking, excluded = advise(
        rows.to_pylist(),
        {name: algorithm_facts(each) for name, each in catalogue.algorithms.items()},
        {
            (each.algorithm, each.name): each.manifest.constant_time
            for each in asked.implementations
        },
        board_facts(asked.board),
        asked.limits,
        asked.aim,
        asked.battery_mah,
    )
    return ranking, excluded + asked.excluded
