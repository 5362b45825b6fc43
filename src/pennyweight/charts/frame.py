"""Common parts of charts: sizes, fonts, axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pennyweight.charts.palette import LIGHT
from pennyweight.charts.scale import Scale

Spec = dict[str, Any]

FONT = "Helvetica Neue, Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif"
"""Similar fonts; figures must not depend on which of them a reader has."""

_WIDTHS = ("MWmw@%", 0.98), ("ABCDEFGHKLNOPQRSTUVXYZ&", 0.74), ("-.,:;()/ |Iijlft'", 0.42)
_WIDTH = 0.64
"""Widths of characters in ems, with a margin: those of DejaVu Sans, the widest of the fonts."""

_BOLD = 1.11
"""Width of bold characters relative to regular ones."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The layout of a chart in CSS pixels: the figure and the margins around the plot."""

    name: str
    width: int
    height: int
    left: int
    right: int
    font_size: float
    top: int = 34
    bottom: int = 48

    @property
    def plot_width(self) -> int:
        """Width of the area between the axes."""
        return self.width - self.left - self.right

    @property
    def plot_height(self) -> int:
        """Height of the area between the axes."""
        return self.height - self.top - self.bottom

    @property
    def is_narrow(self) -> bool:
        """Whether this is the figure for a phone."""
        return self.width < 500

    def text_width(self, text: str, bold: bool = False) -> float:
        """Maximum width of a label in pixels."""
        return text_width(text, self.font_size, bold)


def text_width(text: str, font_size: float, bold: bool = False) -> float:
    """Maximum width of a text in pixels, in any of the fonts."""
    known = {character: em for characters, em in _WIDTHS for character in characters}
    ems = sum(known.get(character, _WIDTH) for character in text)
    return ems * font_size * (_BOLD if bold else 1)


def wide(label_width: float = 0) -> Frame:
    """The figure on a screen, with room for labels to the right of the plot."""
    return Frame("wide", 760, 430, left=70, right=round(max(24, label_width + 22)), font_size=12.5)


def narrow(label_width: float = 0) -> Frame:
    """The figure on a phone; its texts have the size of the page's small print."""
    return Frame("narrow", 358, 380, left=44, right=round(max(14, label_width + 16)), font_size=11)


def size_of(is_narrow: bool) -> tuple[int, int]:
    """Width and height of a figure."""
    frame = narrow() if is_narrow else wide()
    return frame.width, frame.height


_TOO_LONG = 10_000_000


def axis(scale: Scale, title: str, frame: Frame, values: list[float] | None = None) -> Spec:
    """An axis with ticks at round values, or at `values`."""
    # 20k on a phone, but 1,024 in full, because in thousands it would be longer or wrong. Tens of
    # millions are always shortened: in full they would not fit next to the plot.
    is_short = frame.is_narrow or max(scale.ticks, default=0) >= _TOO_LONG
    short = "datum.value % 100 === 0" if is_short else "false"
    return {
        "title": title,
        "values": scale.ticks if values is None else values,
        "labelExpr": f"datum.value === 0 ? '0' : format(datum.value, {short} ? '~s' : ',')",
        "labelFlush": False,
        "labelOverlap": False,
    }


def x_channel(field: str, scale: Scale, axis: Spec) -> Spec:
    """The horizontal position of marks."""
    return {"field": field, "type": "quantitative", "scale": scale.spec(), "axis": axis}


def y_channel(field: str, scale: Scale, axis: Spec, frame: Frame) -> Spec:
    """The vertical position of marks; the title is horizontal."""
    title = {
        "titleAngle": 0,
        "titleAlign": "left",
        "titleAnchor": "start",
        "titleX": 4 - frame.left,
        "titleY": -18,
    }
    return x_channel(field, scale, {**axis, **title})


def pixels(value: float) -> Spec:
    """A position in pixels rather than in data."""
    return {"value": round(value, 1)}


def by_name(names: Sequence[str], values: Sequence[object], field: str = "name") -> Spec:
    """A channel that takes its value by name, without a legend."""
    return {
        "field": field,
        "type": "nominal",
        "scale": {"type": "ordinal", "domain": list(names), "range": list(values)},
        "legend": None,
    }


def layer(values: Sequence[Mapping[str, object]], mark: Spec, encoding: Spec) -> Spec:
    """One kind of mark for each value, or for each group of a line."""
    return {"data": {"values": list(values)}, "mark": mark, "encoding": encoding}


def finish(layers: Sequence[Spec], frame: Frame) -> Spec:
    """The specification of a chart with these layers, from back to front."""
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "width": frame.plot_width,
        "height": frame.plot_height,
        "background": LIGHT["paper"],
        "autosize": {"type": "none"},
        "padding": {
            "left": frame.left,
            "right": frame.right,
            "top": frame.top,
            "bottom": frame.bottom,
        },
        "layer": list(layers),
        "config": {
            "aria": False,
            "font": FONT,
            "view": {"stroke": None},
            "axis": {
                "labelFontSize": frame.font_size,
                "titleFontSize": frame.font_size,
                "titleFontWeight": "normal",
                "labelColor": LIGHT["soft"],
                "titleColor": LIGHT["ink"],
                "gridColor": LIGHT["grid"],
                "domainColor": LIGHT["line"],
                "tickColor": LIGHT["line"],
                "labelPadding": 6,
                "titlePadding": 10,
            },
            "axisX": {"grid": False},
            "axisY": {"domain": False, "ticks": False},
        },
    }
