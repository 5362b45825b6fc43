"""Measures our primitives, each with the better of the given flags."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.bench_implementations.best.results import measure
from scripts.bench_implementations.best.rows import CONSTANT, TABLES
from scripts.bench_implementations.primitives.data import Count, Own, Primitive, Published

from pennyweight.catalogue import Board, Catalogue
from pennyweight.catalogue.offers import is_offered
from pennyweight.job import DEFAULT_BUDGET
from pennyweight.measure.function_call import parse_call
from pennyweight.measure.single_function import find_sources, time_function
from pennyweight.model import UserError
from pennyweight.studies.fastest import is_candidate

_ALWAYS = (Path("implementations/util"), Path("tests/native"))
"""Headers that all kernels include; tests/native has an api.h for them."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One published count, and the bundled code's."""

    primitive: Primitive
    count: Count
    bundled: float

    @property
    def ratio(self) -> float:
        """Our cycles divided by the published ones."""
        return self.bundled / self.count.cycles

    @property
    def misses(self) -> bool:
        """Whether the ratio, as printed with two digits, exceeds its target."""
        return round(self.ratio, 2) > (CONSTANT if self.primitive.constant_time else TABLES)


def compared(
    published: Published,
    known: Catalogue,
    boards: Sequence[str],
    flags: Sequence[str],
    results: Path,
    workers: int | None,
) -> list[Compared]:
    """All counts on the boards, or on all if none is given. Raises `UserError` if code fails."""
    found: dict[tuple[str, str], float] = {}
    rows = []
    for primitive in published.primitive:
        for count in primitive.figures:
            if boards and count.board not in boards:
                continue
            key = (count.own, count.board)
            if key not in found:
                own, board = published.own[count.own], known.board(count.board)
                found[key] = (
                    _per_byte(own, known, board, flags, results, workers)
                    if own.algorithm
                    else _of_function(own, known.root, board, flags)
                )
            rows.append(Compared(primitive, count, found[key]))
    return rows


def _of_function(own: Own, root: Path, board: Board, flags: Iterable[str]) -> float:
    paths = [
        root / each if each.startswith("tests/") else root / "implementations" / each
        for each in own.sources
    ]
    include = [*(root / each for each in _ALWAYS)]
    include += [root / "implementations" / each for each in own.include]
    sources = find_sources(paths, include)
    call = parse_call(own.call, "call")
    builds = [" ".join((each, *(f"-D{name}" for name in own.defines))) for each in flags]
    costs = [time_function(sources, board, each, call, None, DEFAULT_BUDGET) for each in builds]
    cycles = [cost.cycles for cost in costs if cost.cycles is not None]
    if not cycles:
        raise UserError(f"{own.call} on {board.id}: {costs[0].status}: {costs[0].reason}")
    return min(cycles) / own.divide


def _per_byte(
    own: Own,
    known: Catalogue,
    board: Board,
    flags: Sequence[str],
    results: Path,
    workers: int | None,
) -> float:
    places = [
        (each, board)
        for each in known.implementations
        if each.algorithm == own.algorithm and is_candidate(each) and is_offered(each, board)
    ]
    side = measure("primitives", places, flags, own.lengths, results, workers)
    short, long = own.lengths
    costs = []
    for result in side.results:
        cycles = {case.m: count for case, count in result.cycles.items() if case.op != "dec"}
        if {short, long} <= set(cycles):
            costs.append((cycles[long] - cycles[short]) / (long - short))
    if not costs:
        raise UserError(
            f"{own.algorithm} on {board.id}: no constant-time implementation runs with "
            f"{long} bytes; choose shorter 'lengths'"
        )
    return min(costs)
