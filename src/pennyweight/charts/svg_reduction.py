"""Reduces the size of an SVG: removes repetitions, unused attributes, and points on straight
lines.
"""

from __future__ import annotations

import re

Point = tuple[float, float]

_TOLERANCE = 0.08
"""Maximum deviation in pixels of a simplified line: less than is visible."""

_LINE = re.compile(r' d="(M[-0-9.,L ]+)"')
_FAMILY = re.compile(r' font-family="([^"]*)"')
_TO_NOBODY = re.compile(
    r' (?:class|pointer-events|aria-hidden|aria-roledescription)="[^"]*"'
    r'| role="graphics-object"| opacity="1"| font-weight="normal"'
)
_DRAWS_NOTHING = re.compile(r'<path d="(?:M0,0h0v0h0Z)?"[^>]*/>|<path d="M[^"]*Z"/>')
_EMPTY_GROUP = re.compile(r"<g\b[^>]*/>|<g\b(?:[^>]*[^/>])?></g>")
_BARE_GROUP = re.compile(r"<g>((?:<(?!/?g\b)[^>]*>[^<]*)*)</g>")


def compact(svg: str) -> str:
    """The same picture in fewer bytes. For drawings that screen readers treat as one image."""
    svg = _font_once(_TO_NOBODY.sub("", svg))
    svg = _LINE.sub(lambda found: f' d="{_straightened(found.group(1))}"', svg)
    before = ""
    while svg != before:
        before = svg
        svg = _BARE_GROUP.sub(r"\1", _EMPTY_GROUP.sub("", _DRAWS_NOTHING.sub("", svg)))
    return svg


def _font_once(svg: str) -> str:
    """Sets the font once if all texts have the same."""
    families = set(_FAMILY.findall(svg))
    if len(families) != 1:
        return svg
    return _FAMILY.sub("", svg).replace("<svg", f'<svg font-family="{families.pop()}"', 1)


def _straightened(path: str) -> str:
    """A path of straight lines without the points on them."""
    pieces = []
    for piece in path.removeprefix("M").split("M"):
        words = re.split(r"[L, ]+", piece.strip())
        numbers = [float(word) for word in words if word]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        pieces.append("M" + " ".join(f"{_short(x)},{_short(y)}" for x, y in thinned(points)))
    return "".join(pieces)


def _short(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def thinned(points: list[Point], tolerance: float = _TOLERANCE) -> list[Point]:
    """The points without those whose removal moves the line by less than this.

    D. Douglas, T. Peucker: Algorithms for the reduction of the number of points, 1973.
    """
    if len(points) < 3:
        return points
    kept = {0, len(points) - 1}
    spans = [(0, len(points) - 1)]
    while spans:
        first, last = spans.pop()
        start, end = points[first], points[last]
        far, at = max(
            ((_distance(points[i], start, end), i) for i in range(first + 1, last)),
            default=(0.0, first),
        )
        if far > tolerance:
            kept.add(at)
            spans += [(first, at), (at, last)]
    return [points[i] for i in sorted(kept)]


def _distance(point: Point, start: Point, end: Point) -> float:
    """Distance of a point from a line segment, in pixels."""
    (x, y), (left, top) = point, start
    across, down = end[0] - left, end[1] - top
    length = across * across + down * down
    along = ((x - left) * across + (y - top) * down) / length if length else 0.0
    along = min(1.0, max(0.0, along))
    dx, dy = x - left - along * across, y - top - along * down
    return float((dx * dx + dy * dy) ** 0.5)
