"""The figure of the accuracy page: the distribution of errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pennyweight.charts.frame import (
    Frame,
    Spec,
    axis,
    by_name,
    finish,
    layer,
    narrow,
    wide,
    x_channel,
    y_channel,
)
from pennyweight.charts.palette import LIGHT
from pennyweight.charts.scale import Scale

_SMALLEST = 0.01
"""Errors below this, in percent, are drawn at this value, because the axis is logarithmic."""

_COLORS = ("#0b62a6", "#b8420f", "#1a7a55", "#7a3f98", "#86640a", "#a32a6a", "#2b7886")
"""From the report's palette."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """A chart of the fraction of errors that are at most the value on the horizontal axis.

    `series` holds absolute errors in percent by name.
    """

    series: Mapping[str, Sequence[float]]

    def wide(self) -> Spec:
        """The specification for a screen."""
        return self._draw(wide(max(map(len, self.series)) * 7.5))

    def narrow(self) -> Spec:
        """The specification for a phone."""
        return self._draw(narrow())

    def _draw(self, frame: Frame) -> Spec:
        largest = max(max(errors) for errors in self.series.values())
        across = Scale.over([_SMALLEST, max(1.0, largest)], frame.plot_width)
        up = Scale(0, 100, [0, 25, 50, 75, 100], frame.plot_height, False)
        place = {
            "x": x_channel("x", across, {**axis(across, "error in %", frame), "grid": True}),
            "y": y_channel("y", up, axis(up, "% of the marginals", frame), frame),
        }
        names = list(self.series)
        color = by_name(names, [_COLORS[i % len(_COLORS)] for i in range(len(names))])
        points = [point for name in names for point in _steps(name, self.series[name])]
        lines = layer(
            points,
            {"type": "line", "strokeWidth": 2, "interpolate": "step-after"},
            {**place, "stroke": color},
        )
        return finish([lines, *self._names(names, color, frame)], frame)

    def _names(self, names: list[str], color: Spec, frame: Frame) -> list[Spec]:
        """A key in the lower right corner, where accurate simulators have no lines."""
        size = frame.font_size
        texts = [
            {
                "name": name,
                "cx": frame.plot_width - 6,
                "cy": frame.plot_height - 12 - i * size * 1.5,
            }
            for i, name in enumerate(names)
        ]
        mark = {
            "type": "text",
            "align": "right",
            "baseline": "middle",
            "fontSize": size,
            "stroke": LIGHT["paper"],
            "strokeWidth": 3,
        }
        where = {
            "x": {"field": "cx", "type": "quantitative", "scale": None},
            "y": {"field": "cy", "type": "quantitative", "scale": None},
            "text": {"field": "name"},
        }
        return [
            layer(texts, mark, where),
            layer(texts, {**mark, "stroke": None}, {**where, "fill": color}),
        ]


def _steps(name: str, errors: Sequence[float]) -> list[dict[str, object]]:
    ordered = sorted(max(_SMALLEST, error) for error in errors)
    points: list[dict[str, object]] = [{"name": name, "x": _SMALLEST, "y": 0.0}]
    for position, error in enumerate(ordered, 1):
        points.append(
            {"name": name, "x": round(error, 4), "y": round(100 * position / len(ordered), 2)}
        )
    return points
