"""Places labels so that they do not overlap. Coordinates are pixels, with y downwards."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass


def spread(wanted: Sequence[float], gap: float, lowest: float, highest: float) -> list[float]:
    """Positions on a line near the desired ones, at least `gap` apart, between two limits.

    Neighbours that are too close form a group centred on the mean of its members, and groups that
    touch are merged. If the whole line is too short, the gap shrinks.
    """
    if not wanted:
        return []
    if len(wanted) > 1:
        gap = min(gap, (highest - lowest) / (len(wanted) - 1))
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    groups: list[list[int]] = []
    for index in order:
        groups.append([index])
        while len(groups) > 1 and _touch(groups[-2], groups[-1], wanted, gap, lowest, highest):
            groups[-2:] = [groups[-2] + groups[-1]]
    places = [0.0] * len(wanted)
    for group in groups:
        start = _start(group, wanted, gap, lowest, highest)
        for number, index in enumerate(group):
            places[index] = start + number * gap
    return places


def _start(
    group: list[int], wanted: Sequence[float], gap: float, lowest: float, highest: float
) -> float:
    length = (len(group) - 1) * gap
    start = sum(wanted[i] for i in group) / len(group) - length / 2
    return min(max(start, lowest), highest - length)


def _touch(
    upper: list[int],
    lower: list[int],
    wanted: Sequence[float],
    gap: float,
    lowest: float,
    highest: float,
) -> bool:
    end = _start(upper, wanted, gap, lowest, highest) + (len(upper) - 1) * gap
    return _start(lower, wanted, gap, lowest, highest) - end < gap - 1e-9


@dataclass(frozen=True, slots=True)
class Box:
    """An occupied rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, centre: tuple[float, float], width: float, height: float) -> Box:
        """The rectangle of this size about a centre."""
        x, y = centre
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    def nearest(self, point: tuple[float, float]) -> tuple[float, float]:
        """The point of the rectangle that is nearest to a point."""
        return (
            min(max(point[0], self.left), self.right),
            min(max(point[1], self.top), self.bottom),
        )

    def overlap(self, other: Box) -> float:
        """The area of the intersection."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, width) * max(0.0, height)


_DIRECTIONS = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (-1, -1), (-1, 1))
_REACHES = (1.0, 2.2, 3.6)

_MOST_COVERED = 0.05
"""Fraction of an optional label's area that may be covered; otherwise it is omitted."""


def place_labels(
    anchors: Sequence[tuple[float, float]],
    widths: Sequence[float],
    height: float,
    obstacles: Sequence[tuple[float, float]],
    area: Box,
    clearance: float = 9,
    optional: Collection[int] = (),
) -> list[tuple[float, float] | None]:
    """Centres for labels next to their points, away from each other and from all points.

    Greedy: each label takes, among several directions and distances from its point, the position
    that covers least, and the nearest one if several are equal. None leaves the area. Labels whose
    numbers are in `optional` get None if they would cover too much at every position.
    """
    blocked = [Box(x - 5, y - 5, x + 5, y + 5) for x, y in obstacles]
    places: list[tuple[float, float] | None] = []
    for number, ((x, y), width) in enumerate(zip(anchors, widths, strict=True)):
        best, best_cost, least = (x, y), float("inf"), 0.0
        for step, reach in enumerate(_REACHES):
            for turn, (dx, dy) in enumerate(_DIRECTIONS):
                centre = (
                    x + dx * (clearance * reach + width / 2),
                    y + dy * (clearance * reach + height / 2),
                )
                place = _inside(centre, width, height, area)
                box = Box.around(place, width, height)
                covered = sum(box.overlap(other) for other in blocked)
                cost = covered + 12 * step + 0.5 * turn
                if cost < best_cost:
                    best, best_cost, least = place, cost, covered
        if number in optional and least > _MOST_COVERED * width * height:
            places.append(None)
            continue
        blocked.append(Box.around(best, width, height))
        places.append(best)
    return places


def _inside(
    centre: tuple[float, float], width: float, height: float, area: Box
) -> tuple[float, float]:
    """The position, moved as little as necessary to be inside the area."""
    x = min(max(centre[0], area.left + width / 2), area.right - width / 2)
    y = min(max(centre[1], area.top + height / 2), area.bottom - height / 2)
    return x, y
