"""Choosing among implementations: the best for a purpose, and those that nothing beats."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import pyarrow as pa

from pennyweight.analysis.rows import query

Purpose = Literal["cycles", "flash", "ram", "stack"]

_TIES = ("cycles", "flash", "stack", "implementation", "flags")


def best_builds(rows: pa.Table, purpose: Purpose = "cycles") -> pa.Table:
    """For each algorithm and board the implementation and flags that are best for `purpose`.

    Columns: algorithm, board, implementation, flags, and the four sums or sizes that decided.
    `cycles` is summed over the cases that were given, so that one build wins a whole curve; only
    builds with the most measured cases of their algorithm and board compete, else one that fails
    on long messages would win by not having to process them. Ties go to fewer cycles, then to
    less flash and stack, then to the name.
    """
    order = ", ".join(dict.fromkeys([purpose, *_TIES]))
    return query(
        f"""
        WITH builds AS (
            SELECT algorithm, board, implementation, flags, count(*) AS cases,
                   sum(cycles)::BIGINT AS cycles, max(flash) AS flash,
                   max(ram) AS ram, max(stack) AS stack
            FROM measured WHERE cycles IS NOT NULL GROUP BY ALL
        ), complete AS (
            SELECT * FROM builds
            QUALIFY cases = max(cases) OVER (PARTITION BY algorithm, board)
        )
        SELECT * FROM complete
        QUALIFY row_number() OVER (PARTITION BY algorithm, board ORDER BY {order}) = 1
        ORDER BY board, {purpose}, algorithm
        """,
        measured=rows,
    )


def rows_of(rows: pa.Table, builds: pa.Table) -> pa.Table:
    """The rows that belong to the given builds (algorithm, implementation, board, flags)."""
    return query(
        "SELECT r.* FROM measured AS r "
        "SEMI JOIN builds USING (algorithm, implementation, board, flags)",
        measured=rows,
        builds=builds,
    )


def pareto_front(
    points: Sequence[Mapping[str, Any]], goals: Iterable[str]
) -> list[Mapping[str, Any]]:
    """The points that no other beats: none is at most as large in every goal and smaller in one.

    Smaller is better. Points without a value in some goal cannot compete and are left out.
    """
    names = list(goals)
    whole = [p for p in points if all(p[name] is not None for name in names)]

    # What beats a point comes before it in order, and is itself on the front or beaten by what is.
    places = [tuple(p[name] for name in names) for p in whole]
    front: list[tuple[Any, ...]] = []
    for place in sorted(set(places)):
        if not any(all(a <= b for a, b in zip(other, place, strict=True)) for other in front):
            front.append(place)
    unbeaten = set(front)
    return [p for p, place in zip(whole, places, strict=True) if place in unbeaten]


def balanced(
    points: Sequence[Mapping[str, Any]],
    goals: Iterable[str],
    least: Mapping[str, float] | None = None,
) -> Mapping[str, Any] | None:
    """The point with the least sum, over the goals, of its value over the least value of all.

    That is FELICS's figure of merit on one part with equal weights. `least` are the least values
    where the points are a part of all that compete. Smaller is better; a point without a value in
    some goal is left out, and a goal whose least value is zero counts nothing, since there is no
    ratio to it. None if no point is left. Ties go to the first.
    """
    names = list(goals)
    whole = [p for p in points if all(p[name] is not None for name in names)]
    if not whole:
        return None
    minima = least or {name: min(p[name] for p in whole) for name in names}

    def weight(point: Mapping[str, Any]) -> float:
        return math.fsum(point[name] / minima[name] for name in names if minima[name] > 0)

    return min(whole, key=weight)
