"""FELICS's Figure of Merit: one number for size, memory and time over several parts.

Dinu et al., "Triathlon of lightweight block ciphers for the Internet of Things" (2015), also used
by FELICS-AEAD (Cardoso dos Santos, Großschädl, Biryukov, 2019): implementation i on part d scores
p(i, d) = sum over metrics m of w(m) v(i, d, m) / min over all i of v(i, d, m); its figure is the
mean of p(i, d) over the parts. Smaller is better; the sum of the weights is the best possible
value.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

from pennyweight.model import UserError

Name = TypeVar("Name", bound=Hashable)
Values = Mapping[str, Mapping[str, float]]
"""Maps part, then metric, to a value: bytes, cycles, or any other for which smaller is better."""


def figures_of_merit(
    values: Mapping[Name, Values],
    weights: Mapping[str, float],
    minima: Values | None = None,
) -> dict[Name, float]:
    """The figure of merit of each implementation, in the order of `values`.

    Only implementations that have every metric of `weights` on every part get a figure, because a
    mean over fewer parts would not be comparable. `minima` replaces the minima over `values`, for a
    ranking that is part of a larger one. Raises UserError for weights that are negative or all
    zero, and for a minimum that is not above zero.
    """
    if not weights or min(weights.values()) < 0 or not any(weights.values()):
        raise UserError(
            "weights of the figure of merit: none may be negative, one must be positive"
        )
    parts = list(dict.fromkeys(part for each in values.values() for part in each))
    complete = {
        name: each
        for name, each in values.items()
        if all(metric in each.get(part, {}) for part in parts for metric in weights)
    }
    if not complete:
        return {}
    if minima is None:
        minima = {
            part: {
                metric: min(each[part][metric] for each in complete.values()) for metric in weights
            }
            for part in parts
        }
    for part in parts:
        for metric in weights:
            if minima[part][metric] <= 0:
                raise UserError(
                    f"figure of merit: the smallest {metric} on {part} is not above zero"
                )
    least = minima
    return {
        name: sum(
            weight * each[part][metric] / least[part][metric]
            for part in parts
            for metric, weight in weights.items()
        )
        / len(parts)
        for name, each in complete.items()
    }
