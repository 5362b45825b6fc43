"""A map that compares the cycles of two builds for every pair of lengths.

Blue means that the first build is faster, orange that the other one is; paler colours mean a
smaller difference. The scale can be read with common forms of colour blindness. Cells of the other
build also have a dot, for black and white print.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from pennyweight.charts.frame import FONT
from pennyweight.charts.palette import CLASSES, LIGHT, class_colours

_WIDTH, _NARROW_WIDTH = 760, 358
_LEGEND_LINE = 20


@dataclass(frozen=True, slots=True)
class RatioMap:
    """A map of `ratios`: by (associated data, message), cycles of `other` divided by those of
    `one`.

    Above 1, `one` is faster. Lengths are in bytes; a pair without a ratio stays empty.
    """

    one: str
    other: str
    ratios: Mapping[tuple[int, int], float]

    def wide(self) -> str:
        """The SVG for a screen."""
        return self._draw(_WIDTH, 12.5)

    def narrow(self) -> str:
        """The SVG for a phone."""
        return self._draw(_NARROW_WIDTH, 11.0)

    def size(self, narrow: bool = False) -> tuple[int, int]:
        """Width and height of the figure in CSS pixels."""
        width = _NARROW_WIDTH if narrow else _WIDTH
        return width, self._height(width)

    def _plot(self, width: int) -> tuple[int, int, int, int]:
        """Left, top, width and height of the grid."""
        narrow = width == _NARROW_WIDTH
        left = 44 if narrow else 60
        legend = 0 if narrow else 330
        plot = width - left - 12 - legend
        rows = len(self._ads())
        high = plot if rows > 3 else 34 * rows
        return left, 34, plot, high

    def _height(self, width: int) -> int:
        _, top, _, high = self._plot(width)
        legend = _LEGEND_LINE * (len(CLASSES) + 2)
        if width == _NARROW_WIDTH:
            return top + high + 52 + legend
        return max(top + high + 52, top + legend)

    def _ads(self) -> list[int]:
        return sorted({ad for ad, _ in self.ratios})

    def _draw(self, width: int, size: float) -> str:
        ads, ms = self._ads(), sorted({m for _, m in self.ratios})
        left, top, plot, high = self._plot(width)
        height = self._height(width)
        cell_x, cell_y = plot / len(ms), high / len(ads)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="{FONT}" font-size="{size:g}">',
            f'<rect width="{width}" height="{height}" fill="{LIGHT["paper"]}"/>',
            _text("Associated data (bytes)", 4, 16, LIGHT["ink"]),
        ]
        colours = class_colours()
        parts.append(
            f'<defs><pattern id="dots" x="{left}" y="{top}" width="{cell_x:.4f}" '
            f'height="{cell_y:.4f}" patternUnits="userSpaceOnUse"><circle cx="{cell_x / 2:.2f}" '
            f'cy="{cell_y / 2:.2f}" r="{min(cell_x, cell_y, 12) * 0.14:.2f}" '
            f'fill="{LIGHT["ink"]}"/></pattern></defs>'
        )
        for ad, first, length, number in self._runs(ads, ms):
            y = top + high - (ads.index(ad) + 1) * cell_y
            place = f'x="{left + first * cell_x:.2f}" y="{y:.2f}" height="{cell_y:.2f}"'
            wide = f'width="{length * cell_x:.2f}"'
            parts.append(
                f'<rect {place} {wide} fill="{colours[number]}" shape-rendering="crispEdges"/>'
            )
            if CLASSES[number].other:
                parts.append(f'<rect {place} {wide} fill="url(#dots)"/>')
        for m in _some(ms, 8 if width == _WIDTH else 5):
            x = left + (ms.index(m) + 0.5) * cell_x
            parts.append(_text(str(m), x, top + high + 16, LIGHT["soft"], "middle"))
        for ad in _some(ads, 8):
            y = top + high - (ads.index(ad) + 0.5) * cell_y + 4
            parts.append(_text(str(ad), left - 6, y, LIGHT["soft"], "end"))
        middle = left + plot / 2
        parts.append(
            _text("Message length (bytes)", middle, top + high + 36, LIGHT["ink"], "middle")
        )
        narrow = width == _NARROW_WIDTH
        at = (4, top + high + 62) if narrow else (left + plot + 26, top + 10)
        parts += self._legend(*at)
        parts.append("</svg>")
        return "".join(parts)

    def _runs(self, ads: list[int], ms: list[int]) -> list[tuple[int, int, int, int]]:
        """Adjacent cells of one class: length of data, first column, number of columns, class."""
        runs: list[tuple[int, int, int, int]] = []
        for ad in ads:
            for column, m in enumerate(ms):
                ratio = self.ratios.get((ad, m))
                if ratio is None:
                    continue
                number = class_of(ratio)
                if runs and runs[-1][0] == ad and runs[-1][3] == number:
                    _, first, length, _ = runs[-1]
                    if first + length == column:
                        runs[-1] = (ad, first, length + 1, number)
                        continue
                runs.append((ad, column, 1, number))
        return runs

    def _legend(self, x: int, y: int) -> list[str]:
        """The key of the classes: which build is faster, and by how much."""
        colours = class_colours()
        parts = []
        for number, each in enumerate(CLASSES):
            if number in (0, len(CLASSES) // 2):
                winner = self.other if each.other else self.one
                parts.append(_text(f"{winner} is faster", x, y + 2, LIGHT["ink"], bold=True))
                y += _LEGEND_LINE
            parts.append(
                f'<rect x="{x}" y="{y - 9}" width="22" height="14" fill="{colours[number]}"/>'
            )
            if each.other:
                parts.append(f'<circle cx="{x + 11}" cy="{y - 2}" r="1.7" fill="{LIGHT["ink"]}"/>')
            parts.append(_text(each.words, x + 30, y + 2, LIGHT["soft"]))
            y += _LEGEND_LINE
        return parts


def class_of(ratio: float) -> int:
    """The class of a ratio: its number in `palette.CLASSES`."""
    return next(
        number for number, each in enumerate(CLASSES) if ratio >= each.least or each.least == 0
    )


def _some(values: Sequence[int], most: int) -> list[int]:
    """At most this many of the values, at equal distances."""
    step = -(-len(values) // most)
    return list(values[::step])


def _text(
    text: str, x: float, y: float, color: str, anchor: str = "start", bold: bool = False
) -> str:
    weight = ' font-weight="600"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:g}" fill="{color}" text-anchor="{anchor}"{weight}>'
        f"{escape(text)}</text>"
    )
