"""Many small charts with the same scales.

Drawn directly and not from a specification: a hundred panels are a thousand marks, but each panel
has only lines and a few words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from pennyweight.charts.frame import FONT, text_width
from pennyweight.charts.palette import LIGHT
from pennyweight.charts.scale import Scale

Points = tuple[tuple[int, float], ...]

_WIDTH, _NARROW_WIDTH = 760, 358
_LEFT, _NARROW_LEFT = 52, 40
_GAP_X, _GAP_Y = 14, 34
_TOP, _BOTTOM = 52, 34


@dataclass(frozen=True, slots=True)
class Panel:
    """One small chart: a title, a word next to it, its line, and others in the background.

    `second` is another line of its own, drawn dashed; `context` contains the background lines.
    """

    title: str
    note: str
    main: Points
    second: Points = ()
    context: tuple[Points, ...] = ()


@dataclass(frozen=True, slots=True)
class Panels:
    """Panels in rows. `title` is that of the vertical axis, with its unit; all have the same
    scales.
    """

    title: str
    panels: tuple[Panel, ...]
    columns: int = 5
    narrow_columns: int = 3

    def wide(self) -> str:
        """The SVG for a screen."""
        return self._draw(_Grid.of(len(self.panels), self.columns, _WIDTH, _LEFT, 11.5))

    def narrow(self) -> str:
        """The SVG for a phone."""
        columns = self.narrow_columns
        return self._draw(_Grid.of(len(self.panels), columns, _NARROW_WIDTH, _NARROW_LEFT, 10.0))

    def size(self, narrow: bool = False) -> tuple[int, int]:
        """Width and height of the figure in CSS pixels."""
        width, left = (_NARROW_WIDTH, _NARROW_LEFT) if narrow else (_WIDTH, _LEFT)
        columns = self.narrow_columns if narrow else self.columns
        grid = _Grid.of(len(self.panels), columns, width, left, 11)
        return width, grid.height

    def _draw(self, grid: _Grid) -> str:
        lines = [
            line
            for panel in self.panels
            for line in (panel.main, panel.second, *panel.context)
            if line
        ]
        longest = max(m for line in lines for m, _ in line)
        up = Scale.over([v for line in lines for _, v in line], grid.plot_height, True)
        across = Scale(0, longest, [0.0, longest / 2, float(longest)], grid.plot_width, False)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{grid.width}" height="{grid.height}" '
            f'viewBox="0 0 {grid.width} {grid.height}" font-family="{FONT}" '
            f'font-size="{grid.font_size}">',
            f'<rect width="{grid.width}" height="{grid.height}" fill="{LIGHT["paper"]}"/>',
            f'<text x="4" y="15" fill="{LIGHT["ink"]}">{escape(self.title)}</text>',
        ]
        ticks = _sparse(up)
        for number, panel in enumerate(self.panels):
            parts += self._panel(panel, number, grid, across, up, ticks)
        parts.append("</svg>")
        return "".join(parts)

    def _panel(
        self, panel: Panel, number: int, grid: _Grid, across: Scale, up: Scale, ticks: list[float]
    ) -> list[str]:
        row, column = divmod(number, grid.columns)
        left = grid.left + column * (grid.plot_width + _GAP_X)
        top = _TOP + row * (grid.plot_height + _GAP_Y)
        bottom = top + grid.plot_height
        right = left + grid.plot_width
        parts = []
        for tick in ticks:
            y = round(bottom - up.pixel(tick), 1)
            parts.append(
                f'<path d="M{left} {y}H{right}" stroke="{LIGHT["grid"]}" stroke-width="1"/>'
            )
            if column == 0:
                parts.append(
                    _text(_short(tick), left - 5, y + 3.5, LIGHT["soft"], grid.font_size - 1, "end")
                )
        parts.append(f'<path d="M{left} {bottom}H{right}" stroke="{LIGHT["line"]}"/>')
        if number + grid.columns >= len(self.panels):
            size = grid.font_size - 1
            parts += [
                _text("0", left, bottom + 13, LIGHT["soft"], size, "start"),
                _text(f"{across.high:g}", right, bottom + 13, LIGHT["soft"], size, "end"),
            ]
            middle = (left + right) / 2
            parts.append(_text("bytes", middle, bottom + 13, LIGHT["soft"], size, "middle"))
        for points, color, width, dash in (
            *((line, LIGHT["faint"], 1.2, "") for line in panel.context),
            (panel.second, LIGHT["accent"], 1.6, "5 3"),
            (panel.main, LIGHT["ink"], 2.0, ""),
        ):
            if points:
                dashes = f' stroke-dasharray="{dash}"' if dash else ""
                path = _path(points, left, bottom, across, up)
                parts.append(
                    f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{width}"'
                    f' stroke-linejoin="round"{dashes}/>'
                )
        title = _cut(panel.title, grid.plot_width, grid.font_size)
        parts.append(_text(title, left, top - 6, LIGHT["ink"], grid.font_size, "start", bold=True))
        if panel.note:
            place = top + grid.font_size - 1
            parts.append(
                _text(
                    panel.note,
                    left + 2,
                    place,
                    LIGHT["soft"],
                    grid.font_size - 1,
                    "start",
                    halo=True,  # lines that rise early pass behind it
                )
            )
        return parts


@dataclass(frozen=True, slots=True)
class _Grid:
    """Positions of panels, in CSS pixels."""

    columns: int
    width: int
    height: int
    left: int
    plot_width: int
    plot_height: int
    font_size: float

    @classmethod
    def of(cls, panels: int, columns: int, width: int, left: int, font_size: float) -> _Grid:
        columns = max(1, min(columns, panels))
        most = 250 if width > _NARROW_WIDTH else width
        plot_width = min(most, (width - left - 8 - (columns - 1) * _GAP_X) // columns)
        plot_height = round(plot_width * 0.62)
        rows = -(-panels // columns)
        height = _TOP + rows * plot_height + (rows - 1) * _GAP_Y + _BOTTOM
        return cls(columns, width, height, left, plot_width, plot_height, font_size)


def _path(points: Sequence[tuple[int, float]], left: int, bottom: int, x: Scale, y: Scale) -> str:
    """A line through the points, rounded to a tenth of a pixel."""
    places = [(round(left + x.pixel(m), 1), round(bottom - y.pixel(v), 1)) for m, v in points]
    return "M" + "L".join(f"{a:g} {b:g}" for a, b in places)


def _text(
    text: str,
    x: float,
    y: float,
    color: str,
    size: float,
    anchor: str,
    bold: bool = False,
    halo: bool = False,
) -> str:
    styles = ' font-weight="600"' if bold else ""
    if halo:
        styles += (
            f' stroke="{LIGHT["paper"]}" stroke-width="3" stroke-linejoin="round"'
            ' paint-order="stroke"'
        )
    return (
        f'<text x="{x:g}" y="{y:g}" fill="{color}" font-size="{size:g}" text-anchor="{anchor}"'
        f"{styles}>{escape(text)}</text>"
    )


def _cut(text: str, width: int, size: float) -> str:
    """The text, cut to the available width."""
    shown = text
    while text_width(shown, size, bold=True) > width + _GAP_X - 6 and len(shown) > 2:
        shown = f"{shown[:-2]}…"
    return shown


def _short(value: float) -> str:
    """A tick label in few characters.

    >>> _short(500), _short(20_000), _short(1_500_000)
    ('500', '20k', '1.5M')
    """
    for limit, letter in ((1e6, "M"), (1e3, "k")):
        if value >= limit:
            return f"{value / limit:g}{letter}"
    return f"{value:g}"


def _sparse(scale: Scale) -> list[float]:
    """Powers of ten, or all ticks if there are few of these."""
    powers = [tick for tick in scale.ticks if f"{tick:e}".startswith("1.0")]
    return powers if len(powers) >= 3 else scale.ticks[:: max(1, len(scale.ticks) // 4)]
