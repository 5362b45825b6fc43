"""Scales with round ends, whose pixels are known before the chart is drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

_LOGARITHMIC_FROM = 3.0


@dataclass(frozen=True, slots=True)
class Scale:
    """Converts values to pixels and back; pixel 0 is the low end."""

    low: float
    high: float
    ticks: list[float]
    pixels: int
    logarithmic: bool

    @classmethod
    def over(cls, values: Sequence[float], pixels: int, logarithmic: bool | None = None) -> Scale:
        """A scale for these values; logarithmic if their range is large."""
        lowest, highest = min(values), max(values)
        if logarithmic is None:
            logarithmic = lowest > 0 and highest / lowest >= _LOGARITHMIC_FROM
        if logarithmic and lowest > 0:
            return cls(*_logarithmic_range(lowest, highest), pixels, True)
        return cls(*_linear_range(highest), pixels, False)

    def pixel(self, value: float) -> float:
        """The pixel of a value."""
        if self.logarithmic:
            return self.pixels * math.log(value / self.low) / math.log(self.high / self.low)
        return self.pixels * (value - self.low) / (self.high - self.low)

    def value(self, pixel: float) -> float:
        """The value at a pixel."""
        part = pixel / self.pixels
        if self.logarithmic:
            return float(self.low * (self.high / self.low) ** part)
        return self.low + part * (self.high - self.low)

    def spec(self) -> dict[str, object]:
        """The same scale for a chart."""
        kind = "log" if self.logarithmic else "linear"
        return {"type": kind, "domain": [self.low, self.high], "nice": False, "zero": False}


def _linear_range(highest: float) -> tuple[float, float, list[float]]:
    """From zero, in four to eight steps of 1, 2 or 5 times a power of ten."""
    if highest <= 0:
        return 0.0, 1.0, [0.0, 1.0]
    rough = highest / 7
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    count = math.ceil(highest / step - 1e-9)
    return 0.0, count * step, [step * i for i in range(count + 1)]


def _logarithmic_range(lowest: float, highest: float) -> tuple[float, float, list[float]]:
    """Ends close to the values, ticks at 1, 2 and 5 times powers of ten between them."""
    powers = [
        10.0**power
        for power in range(math.floor(math.log10(lowest)) - 1, math.ceil(math.log10(highest)) + 2)
    ]
    ends = [factor * power for power in powers for factor in (1, 1.5, 2, 3, 4, 5, 6, 8)]
    low = max(end for end in ends if end <= lowest)
    high = min(end for end in ends if end >= highest and end > low)
    ticks = [factor * power for power in powers for factor in (1, 2, 5)]
    return low, high, [tick for tick in ticks if low <= tick <= high]
