"""Stacked bars: the share of each phase in a total.

Drawn directly and not from a specification, because parts differ by hatching as well as by colour,
so that they can be distinguished in black and white.
"""

from __future__ import annotations

from dataclasses import dataclass
from xml.sax.saxutils import escape

from pennyweight.charts.frame import FONT, text_width
from pennyweight.charts.palette import LIGHT, part_colours
from pennyweight.charts.scale import Scale

_WIDTH, _NARROW_WIDTH = 760, 358
_BAR, _GAP = 20, 12
_HATCHES = (
    "",
    '<path d="M0 6L6 0M-1.5 1.5L1.5 -1.5M4.5 7.5L7.5 4.5" stroke="{paper}" stroke-width="1.6"/>',
    '<circle cx="3" cy="3" r="1.3" fill="{paper}"/>',
    '<path d="M0 3H6" stroke="{paper}" stroke-width="1.6"/>',
    '<path d="M3 0V6" stroke="{paper}" stroke-width="1.6"/>',
    '<path d="M0 0L6 6M-1.5 4.5L1.5 7.5M4.5 -1.5L7.5 1.5" stroke="{paper}" stroke-width="1.6"/>',
)
"""The hatching of each part, in a square of 6 pixels."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: its name and the value of each part, in the order of the chart's parts."""

    name: str
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Bars:
    """Stacked bars, each with its total at the end. `title` is that of the axis, with its unit."""

    title: str
    parts: tuple[str, ...]
    bars: tuple[Bar, ...]

    def wide(self) -> str:
        """The SVG for a screen."""
        return self._draw(_WIDTH, 12.5)

    def narrow(self) -> str:
        """The SVG for a phone."""
        return self._draw(_NARROW_WIDTH, 11.0)

    def size(self, narrow: bool = False) -> tuple[int, int]:
        """Width and height of the figure in CSS pixels."""
        width, size = (_NARROW_WIDTH, 11.0) if narrow else (_WIDTH, 12.5)
        return width, self._height(width, size)

    def _keys(self, width: int, size: float) -> list[tuple[str, int, int]]:
        """The parts' names with their positions, in lines as wide as the figure."""
        found: list[tuple[str, int, int]] = []
        x, y = 4, 34
        for part in self.parts:
            needed = round(24 + text_width(part, size))
            if x + needed > width - 4 and x > 4:
                x, y = 4, y + round(size + 8)
            found.append((part, x, y))
            x += needed + 14
        return found

    def _top(self, width: int, size: float) -> int:
        return self._keys(width, size)[-1][2] + 26

    def _row(self, width: int, size: float) -> int:
        """Names are above the bars if there is no room next to them."""
        return _BAR + _GAP + (round(size + 5) if width == _NARROW_WIDTH else 0)

    def _height(self, width: int, size: float) -> int:
        return self._top(width, size) + len(self.bars) * self._row(width, size) + 44

    def _draw(self, width: int, size: float) -> str:
        narrow = width == _NARROW_WIDTH
        height, top, row = (
            self._height(width, size),
            self._top(width, size),
            self._row(width, size),
        )
        names = max((text_width(bar.name, size) for bar in self.bars), default=0)
        left = 4 if narrow else round(min(names + 14, 330))
        totals = [sum(bar.values) for bar in self.bars]
        room = max((text_width(f"{total:,.0f}", size) for total in totals), default=0) + 10
        across = Scale.over([0, *totals], round(width - left - room - 4), logarithmic=False)
        bottom = top + len(self.bars) * row
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="{FONT}" font-size="{size:g}">',
            "<defs>",
            *(_pattern(number) for number in range(len(self.parts))),
            "</defs>",
            f'<rect width="{width}" height="{height}" fill="{LIGHT["paper"]}"/>',
            _text(self.title, 4, 16, LIGHT["ink"], "start"),
        ]
        for number, (name, x, y) in enumerate(self._keys(width, size)):
            parts += [
                *_box(number, x, y - 10, 14, 12),
                _text(name, x + 20, y, LIGHT["ink"], "start"),
            ]
        ticks = across.ticks[:: 2 if narrow and len(across.ticks) > 5 else 1]
        for tick in ticks:
            at = left + across.pixel(tick)
            anchor = "middle" if at > 24 else "start"
            parts += [
                f'<path d="M{at:.1f} {top - 6}V{bottom - 4}" stroke="{LIGHT["grid"]}"/>',
                _text(_short(tick), at, bottom + 14, LIGHT["soft"], anchor),
            ]
        for number, bar in enumerate(self.bars):
            y = top + number * row
            if narrow:
                parts.append(_text(bar.name, 4, y + size - 1, LIGHT["ink"], "start"))
                y += round(size + 5)
            else:
                parts.append(_text(bar.name, left - 8, y + 15, LIGHT["ink"], "end"))
            begin = 0.0
            for part, value in enumerate(bar.values):
                if value > 0:
                    start, end = left + across.pixel(begin), left + across.pixel(begin + value)
                    parts += _box(part, start, y, end - start, _BAR)
                    begin += value
            parts.append(
                _text(f"{begin:,.0f}", left + across.pixel(begin) + 6, y + 15, LIGHT["ink"])
            )
        parts.append("</svg>")
        return "".join(parts)


def _pattern(number: int) -> str:
    hatch = _HATCHES[number % len(_HATCHES)]
    if not hatch:
        return ""
    return (
        f'<pattern id="hatch{number}" width="6" height="6" patternUnits="userSpaceOnUse">'
        f"{hatch.format(paper=LIGHT['paper'])}</pattern>"
    )


def _box(number: int, x: float, y: float, width: float, height: float) -> list[str]:
    """A part in its colour with its hatching."""
    place = f'x="{x:.1f}" y="{y}" width="{max(width, 0.5):.1f}" height="{height}"'
    found = [f'<rect {place} fill="{part_colours()[number % len(part_colours())]}"/>']
    if _HATCHES[number % len(_HATCHES)]:
        found.append(f'<rect {place} fill="url(#hatch{number})"/>')
    return found


def _text(text: str, x: float, y: float, color: str, anchor: str = "start") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:g}" fill="{color}" text-anchor="{anchor}">{escape(text)}</text>'
    )


def _short(value: float) -> str:
    for limit, letter in ((1e6, "M"), (1e3, "k")):
        if value >= limit:
            return f"{value / limit:g}{letter}"
    return f"{value:g}"
