"""Chooses among implementations: the best for a purpose, and the Pareto front."""

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
    `cycles` is summed over the given cases, so that one build represents a whole curve. Only builds
    with the most measured cases of their algorithm and board compete; otherwise one that fails on
    long messages would win. Ties go to fewer cycles, then to less flash and stack, then to the
    name.
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
    """The Pareto front: points for which no other is at most as large in every goal and smaller in
    one.

    Smaller is better. Points without a value in some goal are excluded.
    """
    names = list(goals)
    whole = [p for p in points if all(p[name] is not None for name in names)]

    # A point is beaten only by points before it in this order, and then also by one on the front.
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
    """The point with the smallest sum, over the goals, of its value divided by the smallest value
    of all.

    This is FELICS's figure of merit on one part with equal weights. `least` are the smallest
    values, if the points are only a part of all competitors. Smaller is better. Points without a
    value in some goal are excluded; a goal whose smallest value is zero is ignored, because ratios
    to it are undefined. None if no point is left. Ties go to the first.
    """
    names = list(goals)
    whole = [p for p in points if all(p[name] is not None for name in names)]
    if not whole:
        return None
    minima = least or {name: min(p[name] for p in whole) for name in names}

    def weight(point: Mapping[str, Any]) -> float:
        return math.fsum(point[name] / minima[name] for name in names if minima[name] > 0)

    return min(whole, key=weight)
