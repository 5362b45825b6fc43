"""Ranks algorithms for given lengths and limits: measures what is missing, then ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, get_args

from pennyweight import cache, toolchains
from pennyweight.analysis.advice import (
    RECOMMENDED,
    STATUSES,
    Aim,
    Choice,
    Exclusion,
    Limits,
    advise,
    by_order,
    by_status,
    is_masked,
    status_of,
)
from pennyweight.analysis.compilers import LABELLED_FLAGS
from pennyweight.analysis.facts import (
    AlgorithmFacts,
    algorithm_facts,
    board_facts,
    implementation_facts,
)
from pennyweight.api.compilers import build_missing
from pennyweight.api.listing import choose_implementations
from pennyweight.api.measuring import cases_for, choose_boards, parse_operations
from pennyweight.api.options import AIMS, random_source, some, texts
from pennyweight.api.requests import ChooseRequest
from pennyweight.api.sharing import shared
from pennyweight.campaign.engine import Tally, run_campaign
from pennyweight.campaign.plan import PlannedJob, planned
from pennyweight.catalogue import Board, Catalogue, Implementation
from pennyweight.catalogue.implementation import ONE_SHOT
from pennyweight.catalogue.manifest import MANIFEST
from pennyweight.catalogue.offers import boards_offering, is_offered
from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.job import Job
from pennyweight.lengths import LONGEST
from pennyweight.model import Kind, Operation, UserError
from pennyweight.progress import Progress
from pennyweight.store import ResultStore
from pennyweight.store.reading import open_results

STORE = "choose"
"""The folder in the user's cache that contains the measurements."""


EVERY = "all"
"""The word for all statuses."""

_AIMS: dict[str, Aim] = dict(zip(AIMS, get_args(Aim), strict=True))


@dataclass(frozen=True, slots=True)
class Question:
    """A validated request: what to measure on which board, and how to rank it."""

    board: Board
    implementations: list[Implementation]
    jobs: list[PlannedJob]
    excluded: list[Exclusion]
    """Algorithms whose status or lack of masking alone excludes them; they are not measured."""
    limits: Limits
    aim: Aim
    battery_mah: float | None

    @property
    def loose(self) -> set[tuple[str, str]]:
        """Algorithm and name of the implementations that are not constant-time."""
        return {
            (each.algorithm, each.name)
            for each in self.implementations
            if each.manifest.constant_time is False
        }


def question(request: ChooseRequest, catalogue: Catalogue) -> Question:
    """Validates a request. Raises UserError, also if no implementation is of the requested kind."""
    battery = _charge(request.battery)
    kind, operations = _traffic(request)
    names = texts(request.names, "names")
    found = shared(choose_implementations(catalogue, names), request.shares)
    limits, aim = _limits(request), _aim(request.by)
    (board,) = choose_boards(catalogue, [str(request.board)])
    if not limits.protected:
        boards_offering(found, [board], names)
    masked = limits.protected > 0
    implementations = [each for each in found if is_offered(each, board, names, masked)]
    flags = some(request.flags, "flags")
    of_kind = [each for each in implementations if each.kind is kind and not each.problem]
    broken = [each for each in implementations if each.problem]
    if broken and not of_kind:
        raise UserError(broken[0].problem)
    if not of_kind:
        raise UserError(
            f"--kind {kind}: none of the selected implementations is of this kind; correct --kind"
        )
    wanted, excluded = _of_status(of_kind, limits.statuses)
    excluded += [Exclusion(each.algorithm, f"{each.name}: {each.problem}") for each in broken]
    if not wanted:
        theirs = ", ".join(sorted({_word(each.status) for each in excluded}))
        raise UserError(
            f"--status: no algorithm has status {_words(limits.statuses)}; use some of {theirs}"
        )
    if limits.protected:
        wanted, unmasked = _of_order(wanted, limits)
        excluded += unmasked
    compilers = toolchains.check_compilers([board], texts(request.compilers, "compilers"))
    build_missing([board])
    absent = toolchains.missing(board)
    if absent is not None:
        raise UserError(absent)
    lengths = [(request.ad, request.message)]
    jobs = [
        planned(
            Job(
                each,
                board,
                some_flags,
                cases_for(each, lengths, operations),
                "quick",
                compiler=compiler,
                random=random_source(request.random),
            )
        )
        for each in wanted
        for compiler in toolchains.compilers_for(board, compilers)
        for some_flags in flags
    ]
    return Question(board, wanted, jobs, excluded, limits, aim, battery)


def _of_status(
    implementations: Sequence[Implementation], statuses: Sequence[str]
) -> tuple[list[Implementation], list[Exclusion]]:
    """The implementations of algorithms with these statuses, and the other algorithms."""
    kept: list[Implementation] = []
    excluded: dict[str, Exclusion] = {}
    for each in implementations:
        facts = _facts(each)
        if status_of(facts) in statuses:
            kept.append(each)
        else:
            excluded[each.algorithm] = by_status(facts)
    return kept, sorted(excluded.values(), key=lambda each: each.algorithm)


def _of_order(
    implementations: Sequence[Implementation], limits: Limits
) -> tuple[list[Implementation], list[Exclusion]]:
    """The implementations that are masked at an order, and the algorithms without one. Raises
    UserError if there are none.
    """
    kept = [each for each in implementations if is_masked(implementation_facts(each), limits)]
    if not kept:
        most = max((each.manifest.shares or 1) for each in implementations) - 1
        remedy = f"use at most {most}" if most else "select algorithms with masked implementations"
        raise UserError(
            f"--protected: no selected implementation is masked at order {limits.protected} or "
            f"more; {remedy}, or state 'shares' in {MANIFEST} of your own, or --shares of a "
            "third-party package"
        )
    others = {each.algorithm for each in implementations} - {each.algorithm for each in kept}
    return kept, [by_order(name, limits.protected) for name in sorted(others)]


def _facts(implementation: Implementation) -> AlgorithmFacts:
    known = implementation.known
    name = implementation.algorithm
    return algorithm_facts(known) if known is not None else AlgorithmFacts(name, name)


def _statuses(request: ChooseRequest) -> tuple[str, ...]:
    """The statuses to rank, as the catalogue writes them. Raises UserError."""
    if request.standard_only:
        if request.status is not None:
            raise UserError("--standard-only and --status exclude each other; use one of them")
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


def status_words() -> list[str]:
    """The words that ``--status`` takes."""
    return [*map(_word, STATUSES), EVERY]


def _word(status: str) -> str:
    """A status as an option takes it."""
    return status.replace(" ", "-")


def _words(statuses: Sequence[str]) -> str:
    return " or ".join(map(_word, statuses))


def _traffic(request: ChooseRequest) -> tuple[Kind, list[Operation]]:
    """The kind of algorithm, and the operations to add: by default the first of the kind."""
    if request.kind not in [each.value for each in Kind]:
        known = ", ".join(each.value for each in Kind)
        raise UserError(f"--kind: '{request.kind}' is not a kind; known are {known}")
    kind = Kind(request.kind)
    for what, length in (("message", request.message), ("ad", request.ad)):
        if isinstance(length, bool) or not isinstance(length, int) or not 0 <= length <= LONGEST:
            raise UserError(f"--{what}: {length} is not a length; use 0 to {LONGEST} bytes")
    if request.ad and kind is not Kind.AEAD:
        raise UserError(f"--ad: kind '{kind}' has no associated data; remove it")
    if request.op is None:
        return kind, list(ONE_SHOT[kind][:1])
    return kind, parse_operations(",".join(some(request.op, "op")))


def _aim(by: str) -> Aim:
    if by not in _AIMS:
        raise UserError(f"--by: '{by}' is not a metric; known are {', '.join(AIMS)}")
    return _AIMS[by]


def _charge(battery: float | None) -> float | None:
    if battery is None:
        return None
    number = isinstance(battery, int | float) and not isinstance(battery, bool)
    if not number or not 0 < battery < math.inf:
        raise UserError(
            f"--battery: {battery} is not a capacity; use milliampere hours, such as 225"
        )
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
            raise UserError(
                f"{what}: {size!r} is not a size; use a whole number of bytes, such as 4096"
            )
    return Limits(
        request.max_flash,
        request.max_ram,
        request.max_stack,
        request.min_tag,
        request.constant_time,
        _statuses(request),
        _order(request.protected),
    )


def _order(order: int | None) -> int:
    """The order of masking; 0 if none is asked for. Raises UserError."""
    if order is None:
        return 0
    if isinstance(order, bool) or not isinstance(order, int) or order < 1:
        raise UserError(
            f"--protected: {order!r} is not an order of masking; use 1 for two shares or more, "
            "2 for three or more"
        )
    return order


def rows_of(ranking: Sequence[Choice], excluded: Sequence[Exclusion]) -> list[dict[str, Any]]:
    """Both as rows: excluded algorithms have no rank, and the reason in `excluded`."""
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
    """The ranking, and the excluded algorithms with reasons; measures in `jobs` processes.

    Measurements are cached, so repeating a request is fast.
    """
    store = ResultStore(cache.folder() / STORE)
    run_campaign(asked.jobs, store, Tally(), jobs, progress)
    with open_results(store) as results:
        rows = results.query(
            f"SELECT * REPLACE ({LABELLED_FLAGS} AS flags) FROM measurements "
            "WHERE job IN (SELECT unnest(?)) "
            "ORDER BY algorithm, implementation, flags, op",
            [[job.key for job in asked.jobs]],
        )
    ranking, excluded = advise(
        rows.to_pylist(),
        {name: algorithm_facts(each) for name, each in catalogue.algorithms.items()},
        {(each.algorithm, each.name): implementation_facts(each) for each in asked.implementations},
        board_facts(asked.board),
        asked.limits,
        asked.aim,
        asked.battery_mah,
    )
    return ranking, excluded + asked.excluded
