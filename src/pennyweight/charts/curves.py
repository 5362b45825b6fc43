"""Curves against message length, each line named at its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pennyweight.charts.frame import (
    Frame,
    Spec,
    axis,
    by_name,
    finish,
    layer,
    narrow,
    pixels,
    size_of,
    wide,
    x_channel,
    y_channel,
)
from pennyweight.charts.label_placement import spread
from pennyweight.charts.palette import LIGHT, LineStyle
from pennyweight.charts.scale import Scale

_LIGHT, _HEAVY = 1.6, 3.0
"""Widths of lines in pixels."""

_LOGARITHMIC_FROM = 12.0
"""Ratio of the line ends up to which a linear scale is readable."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its name and its points (message length in bytes, value)."""

    name: str
    points: tuple[tuple[int, float], ...]
    style: LineStyle


@dataclass(frozen=True, slots=True)
class Curves:
    """A chart of lines over message length. `title` is that of the vertical axis, with its unit,
    `below` that of the horizontal one, which starts at `first`.

    The vertical scale starts at zero unless `logarithmic` is set or the ends are too far apart.
    """

    title: str
    lines: tuple[Line, ...]
    logarithmic: bool = False
    below: str = "Message length (bytes)"
    first: int = 0

    def wide(self) -> Spec:
        """The specification for a screen."""
        return self._draw(wide(self._label_width(wide())))

    def size(self, narrow: bool = False) -> tuple[int, int]:
        """Width and height of the figure in CSS pixels."""
        return size_of(narrow)

    def narrow(self) -> Spec:
        """The specification for a phone."""
        return self._draw(narrow(self._label_width(narrow())))

    def _label_width(self, frame: Frame) -> float:
        return max(frame.text_width(line.name, line.style.heavy) for line in self.lines)

    def _draw(self, frame: Frame) -> Spec:
        named = sorted(self.lines, key=lambda line: line.points[-1][1])
        names = [line.name for line in named]
        longest = max(m for line in self.lines for m, _ in line.points)
        values = [value for line in self.lines for _, value in line.points]
        ticks = _ticks(self.first, longest, frame)
        across = Scale(self.first, longest, ticks, frame.plot_width, False)
        ends = [line.points[-1][1] for line in named]
        logarithmic = self.logarithmic or ends[-1] > _LOGARITHMIC_FROM * ends[0]
        up = Scale.over(values, frame.plot_height, logarithmic)
        place = {
            "x": x_channel("m", across, axis(across, self.below, frame)),
            "y": y_channel("value", up, axis(up, self.title, frame), frame),
        }
        color = by_name(names, [line.style.color for line in named])
        return finish(
            [
                layer(
                    _values(named),
                    {"type": "line", "strokeJoin": "round"},
                    {
                        **place,
                        "stroke": color,
                        "strokeWidth": by_name(
                            names, [_HEAVY if line.style.heavy else _LIGHT for line in named]
                        ),
                        "strokeDash": by_name(names, [list(line.style.dash) for line in named]),
                    },
                ),
                layer(
                    _values(named, 4 if frame.is_narrow else 8),
                    {
                        "type": "point",
                        "stroke": LIGHT["paper"],
                        "strokeWidth": 0.8,
                        "opacity": 1,
                    },
                    {
                        **place,
                        "fill": color,
                        "size": by_name(names, [80 if line.style.heavy else 46 for line in named]),
                        "shape": by_name(names, [line.style.shape for line in named]),
                    },
                ),
                *_labels(named, up, color, frame),
            ],
            frame,
        )


def _ticks(first: int, longest: int, frame: Frame) -> list[float]:
    """A power of two as distance, as message lengths are."""
    step = _step(longest - first, 4 if frame.is_narrow else 8)
    return [float(m) for m in range(first, longest + 1, step)]


def _step(longest: int, most: int) -> int:
    """The power of two that divides a length into at most this many parts."""
    step = 1
    while longest / step > most:
        step *= 2
    return step


def _values(lines: Sequence[Line], marks: int = 0) -> list[dict[str, object]]:
    """The points of the lines; with `marks` only about that many, which get a marker."""
    return [
        {"name": line.name, "m": m, "value": value}
        for line in lines
        for m, value in line.points
        if not marks or m in _marked(line, marks)
    ]


def _marked(line: Line, most: int) -> set[int]:
    """The lengths that get a marker: all if there are few, otherwise at equal distances."""
    lengths = [m for m, _ in line.points]
    if len(lengths) <= 12:
        return set(lengths)
    step = _step(lengths[-1], most)
    return {m for m in lengths if m % step == 0}


def _labels(named: Sequence[Line], up: Scale, color: Spec, frame: Frame) -> list[Spec]:
    """Names to the right of the plot, moved apart if lines end close together, with leaders."""
    ends = [frame.plot_height - up.pixel(line.points[-1][1]) for line in named]
    places = spread(ends, frame.font_size + 3.5, 0, frame.plot_height)
    values = [
        {
            "name": line.name,
            "end": up.value(frame.plot_height - end),
            "place": up.value(frame.plot_height - place),
            "weight": "bold" if line.style.heavy else "normal",
        }
        for line, end, place in zip(named, ends, places, strict=True)
    ]
    y_end = {"field": "end", "type": "quantitative", "scale": up.spec()}
    y_place = {"field": "place", "type": "quantitative", "scale": up.spec()}
    return [
        layer(
            values,
            {"type": "rule", "strokeWidth": 1},
            {
                "x": pixels(frame.plot_width + 4),
                "x2": pixels(frame.plot_width + 13),
                "y": y_end,
                "y2": {"field": "place"},
                "stroke": color,
            },
        ),
        *(
            layer(
                [value for value in values if value["weight"] == weight],
                {
                    "type": "text",
                    "align": "left",
                    "baseline": "middle",
                    "fontSize": frame.font_size,
                    "fontWeight": weight,
                },
                {
                    "x": pixels(frame.plot_width + 16),
                    "y": y_place,
                    "text": {"field": "name"},
                    "fill": color,
                },
            )
            for weight in dict.fromkeys(str(value["weight"]) for value in values)
        ),
    ]
