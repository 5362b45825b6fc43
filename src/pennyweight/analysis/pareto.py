"""Pareto fronts: what nothing else beats in everything."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

K = TypeVar("K", bound=Hashable)


def front(costs: Mapping[K, Sequence[float]]) -> list[K]:
    """The keys whose costs no other undercuts: no key is as good in all and better in one.

    Costs have the same length; the smaller the better (cycles, bytes of flash, bytes of RAM).
    Equal costs do not beat each other: both stay. The order of `costs` is kept.
    """
    return [
        key for key, own in costs.items() if not any(_beats(other, own) for other in costs.values())
    ]


def _beats(one: Sequence[float], other: Sequence[float]) -> bool:
    pairs = list(zip(one, other, strict=True))
    return all(a <= b for a, b in pairs) and any(a < b for a, b in pairs)
