"""Geometric mean and deviation of ratios over boards, where 2 and 1/2 cancel out."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from typing import NamedTuple, TypeVar

from pennyweight.model import UserError

Name = TypeVar("Name", bound=Hashable)


class Spread(NamedTuple):
    """Geometric mean, and the factor by which values typically deviate from it (1: all are
    equal).
    """

    mean: float
    deviation: float


def geometric(ratios: Iterable[float]) -> Spread:
    """Geometric mean and geometric standard deviation (of the sample: n - 1) of `ratios`.

    The deviation of a single value is 1. Raises UserError if there are none or if one is not
    positive. Kirkwood, "Geometric means and measures of dispersion", Biometrics 35 (1979).
    """
    logs = []
    for ratio in ratios:
        if not ratio > 0 or math.isinf(ratio):
            raise UserError(f"geometric mean: {ratio} is not a positive number")
        logs.append(math.log(ratio))
    if not logs:
        raise UserError("geometric mean: there are no values")
    mean = math.fsum(logs) / len(logs)
    if len(logs) == 1:
        return Spread(math.exp(mean), 1.0)
    variance = math.fsum((each - mean) ** 2 for each in logs) / (len(logs) - 1)
    return Spread(math.exp(mean), math.exp(math.sqrt(variance)))


def over_boards(
    cycles: Mapping[Name, Mapping[str, float]], baseline: Name
) -> dict[Name, tuple[Spread, int]]:
    """For each algorithm the spread, over boards, of the baseline's cycles divided by its own.

    `cycles` are by algorithm and board. The result includes the number of boards: those that have
    both. Algorithms without such a board are omitted. A mean of 2 is twice as fast as the baseline;
    a deviation of 1.5 means that boards typically are within a factor 1.5 of the mean.

    >>> found = over_boards({"a": {"x": 50, "y": 200}, "b": {"x": 100, "y": 100}}, "b")
    >>> round(found["a"][0].mean, 3), found["a"][1]
    (1.0, 2)
    """
    own = cycles.get(baseline, {})
    found = {}
    for name, by_board in cycles.items():
        ratios = [own[board] / value for board, value in by_board.items() if board in own]
        if ratios:
            found[name] = (geometric(ratios), len(ratios))
    return found
