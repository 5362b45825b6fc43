"""Geometric mean and deviation: ratios over boards, where 2 and 1/2 cancel."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from pennyweight.model import UserError


class Spread(NamedTuple):
    """Geometric mean, and the factor by which values lie around it (1: all are equal)."""

    mean: float
    deviation: float


def geometric(ratios: Iterable[float]) -> Spread:
    """Geometric mean and geometric standard deviation (of the sample: n - 1) of `ratios`.

    The deviation of a single value is 1. Raises UserError if there are none or one is not
    positive. Kirkwood, "Geometric means and measures of dispersion", Biometrics 35 (1979).
    """
    logs = []
    for ratio in ratios:
        if not ratio > 0 or math.isinf(ratio):
            raise UserError(f"geometric mean: {ratio} is no positive number")
        logs.append(math.log(ratio))
    if not logs:
        raise UserError("geometric mean: there are no values")
    mean = math.fsum(logs) / len(logs)
    if len(logs) == 1:
        return Spread(math.exp(mean), 1.0)
    variance = math.fsum((each - mean) ** 2 for each in logs) / (len(logs) - 1)
    return Spread(math.exp(mean), math.exp(math.sqrt(variance)))
