"""Two costs of every build in a scatter plot: lower left is better."""

from __future__ import annotations

from dataclasses import dataclass

from pennyweight.analysis.choice import pareto_front
from pennyweight.charts.frame import (
    Frame,
    Spec,
    axis,
    by_name,
    finish,
    layer,
    narrow,
    size_of,
    wide,
    x_channel,
    y_channel,
)
from pennyweight.charts.label_placement import Box, place_labels
from pennyweight.charts.palette import LIGHT, OTHERS, LineStyle
from pennyweight.charts.scale import Scale

_MOST_NAMES = 16
_MOST_NAMES_NARROW = 7
"""Number of names that fit into a figure."""

_EDGE = 4
"""Pixels between names and the edge of the figure."""

_LEADER_FROM = 14.0
"""Distance in pixels of a label from its point from which on a leader connects them."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A build: its algorithm's name, two costs, and whether its marker is filled.

    `mark` is a sign next to the marker and the name, such as a dagger.
    """

    name: str
    x: float
    y: float
    style: LineStyle
    filled: bool
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Scatter:
    """A chart of builds; titles are those of the axes, with units.

    Each algorithm is named once, at its lowest build: first the heavy ones, then those on the front
    and those with a colour, then others if there is room. The front, a thin line, connects the
    builds that no other beats in both costs.
    """

    x_title: str
    y_title: str
    dots: tuple[Dot, ...]

    def wide(self) -> Spec:
        """The specification for a screen."""
        return self._draw(wide(18))

    def size(self, narrow: bool = False) -> tuple[int, int]:
        """Width and height of the figure in CSS pixels."""
        return size_of(narrow)

    def narrow(self) -> Spec:
        """The specification for a phone."""
        return self._draw(narrow())

    def _draw(self, frame: Frame) -> Spec:
        across = Scale.over([dot.x for dot in self.dots], frame.plot_width)
        up = Scale.over([dot.y for dot in self.dots], frame.plot_height)
        x_axis = axis(across, self.x_title, frame, _sparse(across, frame))
        place = {
            "x": x_channel("x", across, {**x_axis, "grid": True}),
            "y": y_channel("y", up, axis(up, self.y_title, frame), frame),
        }
        styles = {dot.name: dot.style for dot in self.dots}
        color = by_name(list(styles), [style.color for style in styles.values()])
        ink = by_name(
            list(styles), [LIGHT["soft"] if k == OTHERS else k.color for k in styles.values()]
        )
        shape = by_name(list(styles), [style.shape for style in styles.values()])
        points = [{"name": dot.name, "x": dot.x, "y": dot.y} for dot in self.dots]
        mark = {"type": "point", "strokeWidth": 1.6, "opacity": 1}
        return finish(
            [
                layer(
                    sorted(pareto_front(points, ["x", "y"]), key=lambda p: (p["x"], p["y"])),
                    {
                        "type": "line",
                        "stroke": LIGHT["line"],
                        "strokeWidth": 1.5,
                        "interpolate": "step-after",
                    },
                    place,
                ),
                *self._names(across, up, ink, frame),
                *(
                    layer(
                        [
                            point
                            for point, dot in zip(points, self.dots, strict=True)
                            if (dot.style == OTHERS, dot.filled) == (other, filled)
                        ],
                        {**mark, "size": 34 if other else 70},
                        {
                            **place,
                            "stroke": color,
                            "fill": color if filled else {"value": LIGHT["paper"]},
                            "shape": shape,
                        },
                    )
                    for other in (True, False)
                    for filled in (False, True)
                ),
            ],
            frame,
        )

    def _named(self, most: int) -> tuple[dict[str, Dot], set[int]]:
        """The algorithms to name, each with its lowest build, and which of them are optional."""
        lowest: dict[str, Dot] = {}
        for dot in sorted(self.dots, key=lambda d: (d.y, d.x)):
            lowest.setdefault(dot.name, dot)
        points = [{"name": dot.name, "x": dot.x, "y": dot.y} for dot in self.dots]
        front = {point["name"] for point in pareto_front(points, ["x", "y"])}
        chosen = sorted(
            lowest,
            key=lambda name: (
                not lowest[name].style.heavy,
                name not in front,
                lowest[name].style == OTHERS,
                lowest[name].y,
            ),
        )[:most]
        optional = {
            number
            for number, name in enumerate(chosen)
            if lowest[name].style == OTHERS and name not in front
        }
        return {name: lowest[name] for name in chosen}, optional

    def _names(self, across: Scale, up: Scale, color: Spec, frame: Frame) -> list[Spec]:
        named, optional = self._named(_MOST_NAMES_NARROW if frame.is_narrow else _MOST_NAMES)

        def place(dot: Dot) -> tuple[float, float]:
            return across.pixel(dot.x), frame.plot_height - up.pixel(dot.y)

        height = frame.font_size + 3
        texts = [name + dot.mark for name, dot in named.items()]
        widths = [frame.text_width(text) for text in texts]
        area = Box(0, 0, frame.plot_width + frame.right - _EDGE, frame.plot_height)
        anchors = [place(dot) for dot in named.values()]
        obstacles = [place(dot) for dot in self.dots]
        centres = place_labels(anchors, widths, height, obstacles, area, optional=optional)
        labels = [
            {"name": name, "text": text, "cx": centre[0], "cy": centre[1]}
            for name, text, centre in zip(named, texts, centres, strict=True)
            if centre is not None
        ]
        said = {label["name"] for label in labels}
        marks = [
            {"name": d.name, "text": d.mark, "cx": place(d)[0] + 9, "cy": place(d)[1] - 6}
            for d in self.dots
            if d.mark and (named.get(d.name) != d or d.name not in said)
        ]
        leaders = []
        for name, anchor, centre, width in zip(named, anchors, centres, widths, strict=True):
            if centre is None:
                continue
            end = Box.around(centre, width, height).nearest(anchor)
            if abs(end[0] - anchor[0]) + abs(end[1] - anchor[1]) > _LEADER_FROM:
                leaders.append(
                    {"name": name, "x": anchor[0], "y": anchor[1], "x2": end[0], "y2": end[1]}
                )
        text = {
            "type": "text",
            "align": "center",
            "baseline": "middle",
            "fontSize": frame.font_size,
        }
        where = {"x": _raw("cx"), "y": _raw("cy"), "text": {"field": "text"}}
        return [
            layer(
                leaders,
                {"type": "rule", "strokeWidth": 0.8},
                {
                    "x": _raw("x"),
                    "y": _raw("y"),
                    "x2": {"field": "x2"},
                    "y2": {"field": "y2"},
                    "stroke": color,
                },
            ),
            layer(
                labels,
                {**text, "stroke": LIGHT["paper"], "strokeWidth": 3, "strokeJoin": "round"},
                {**where, "fill": {"value": LIGHT["paper"]}},
            ),
            layer([*labels, *marks], text, {**where, "fill": color}),
        ]


def _raw(field: str) -> Spec:
    """A position in pixels."""
    return {"field": field, "type": "quantitative", "scale": None, "axis": None}


def _sparse(scale: Scale, frame: Frame) -> list[float]:
    """The ticks, or every second one if there is no room for all."""
    if frame.is_narrow and len(scale.ticks) > 6:
        return scale.ticks[::2]
    return scale.ticks
