"""Pairwise maps: how many times as fast one build is as another, over lengths of data and
message.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pennyweight.analysis.means import Spread, geometric

Lengths = tuple[int, int]
"""Bytes of associated data and of message."""


def ratio_map(
    cycles: Mapping[Lengths, int], against: Mapping[Lengths, int]
) -> dict[Lengths, float]:
    """For every pair of lengths that both have: the other's cycles divided by the first one's.

    Above 1, the first one is faster. Pairs without cycles on either side are omitted.

    >>> ratio_map({(0, 16): 200, (16, 0): 100}, {(0, 16): 300})
    {(0, 16): 1.5}
    """
    return {
        lengths: against[lengths] / own
        for lengths, own in cycles.items()
        if own > 0 and against.get(lengths, 0) > 0
    }


@dataclass(frozen=True, slots=True)
class Contest:
    """The summary of a map; `won` of the `pairs` have a ratio above 1.

    `best` and `worst` are the lengths of the largest and of the smallest ratio.
    """

    pairs: int
    won: int
    spread: Spread
    best: Lengths
    worst: Lengths
    largest: float
    smallest: float


def contest(ratios: Mapping[Lengths, float]) -> Contest | None:
    """The summary of a map; None if it is empty. Among equal ratios, the shorter lengths count."""
    if not ratios:
        return None
    ordered = sorted(ratios)
    best = max(ordered, key=lambda lengths: ratios[lengths])
    worst = min(ordered, key=lambda lengths: ratios[lengths])
    return Contest(
        pairs=len(ratios),
        won=sum(ratio > 1 for ratio in ratios.values()),
        spread=geometric(ratios.values()),
        best=best,
        worst=worst,
        largest=ratios[best],
        smallest=ratios[worst],
    )
