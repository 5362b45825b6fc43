"""Colours, dashes and markers, for both pages and figures.

Hues can be distinguished with common forms of colour blindness (after Okabe and Ito, 2008, darkened
to a contrast of at least 4.5 with the paper), and no two lines of a figure have the same. Every
line also differs by dash and marker, and baselines are heavy, so that a figure can be read without
colour. Each light colour has a counterpart for dark mode; figures contain both (see
`charts.render`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle

LIGHT = {
    "paper": "#fdfcfa",
    "raised": "#f4f2ed",
    "ink": "#1c1b19",
    "soft": "#5c5952",
    "line": "#d8d4cb",
    "grid": "#ebe8e1",
    "faint": "#b3aea3",
    "accent": "#0b5c8f",
    "mark": "#8a4b08",
}
"""Colours by role: paper, raised boxes, text, secondary text, rules, grid, background lines, links,
marks."""

DARK = {
    "paper": "#15171a",
    "raised": "#1f2226",
    "ink": "#eceae4",
    "soft": "#a9a69d",
    "line": "#3a3d42",
    "grid": "#282b2f",
    "faint": "#6a6d72",
    "accent": "#7fb8e6",
    "mark": "#e0a458",
}
"""The same roles in dark mode."""

_HUES = (
    ("#0b62a6", "#6db3f2"),
    ("#b8420f", "#f28b5b"),
    ("#1a7a55", "#58c49a"),
    ("#7a3f98", "#c79be0"),
    ("#86640a", "#d9b44a"),
    ("#b0246b", "#ee8cbb"),
    ("#6a6f76", "#b3b8bf"),
)
_DASHES = ((6, 3), (2, 2), (9, 3, 2, 3), (4, 2), (1, 3), (12, 3), (6, 2, 2, 2, 2, 2))
_SHAPES = ("square", "triangle-up", "diamond", "cross", "triangle-down", "circle")
_SOLID = (1, 0)
_HEAVY_DASHES = (_SOLID, (10, 3), (3, 2), (10, 3, 3, 3), (14, 2, 2, 2))


@dataclass(frozen=True, slots=True)
class RatioClass:
    """A class of ratios on a map, from `least` on; `other` if the other build is faster."""

    least: float
    words: str
    light: str
    dark: str
    other: bool = False


CLASSES = (
    RatioClass(4.0, "4 times or more", "#08488a", "#8cc4f5"),
    RatioClass(2.0, "2 to 4 times", "#2f7fc1", "#4f94cf"),
    RatioClass(1.25, "1.25 to 2 times", "#86b9e0", "#2f6499"),
    RatioClass(1.0, "equal, or 1 to 1.25 times", "#dbe9f4", "#22384c"),
    RatioClass(0.8, "1 to 1.25 times", "#fbe6d0", "#4a3521", True),
    RatioClass(0.5, "1.25 to 2 times", "#f2b577", "#8a5622", True),
    RatioClass(0.25, "2 to 4 times", "#d9762b", "#c97c33", True),
    RatioClass(0.0, "4 times or more", "#9c4400", "#f2b06e", True),
)
"""Blue and orange, stronger with the distance from 1: after Crameri's `vik` and Brewer's PuOr."""


def class_colours() -> tuple[str, ...]:
    """The light colours of the classes of a map."""
    return tuple(each.light for each in CLASSES)


def part_colours() -> tuple[str, ...]:
    """Colours of the parts of a bar."""
    return tuple(light for light, _ in _HUES[:6])


MOST_LINES = len(_HUES) + 1
"""Maximum number of distinguishable lines in a figure: one in ink, the others with a hue each."""


@dataclass(frozen=True, slots=True)
class LineStyle:
    """The style of one line: colour, dash pattern in pixels (1, 0 is solid), marker, weight."""

    color: str
    dash: tuple[int, ...]
    shape: str
    heavy: bool = False


OTHERS = LineStyle(LIGHT["faint"], _SOLID, "circle")
"""The style of lines that are background and need not be distinguished."""


def dark_counterparts() -> dict[str, str]:
    """Every light colour of figures, with its dark one."""
    return {
        **{LIGHT[role]: DARK[role] for role in LIGHT},
        **dict(_HUES),
        **{each.light: each.dark for each in CLASSES},
    }


def line_styles(names: Sequence[str], heavy: Sequence[str] = ()) -> dict[str, LineStyle]:
    """A style for each name of a figure, all different; :data:`OTHERS` beyond the maximum.

    Those of `heavy` come first and are heavy: the first of them solid and in ink, each further one
    with its own dash, for print without colours. The others take the remaining hues in the order of
    their names, so that figures with the same names look the same.
    """
    first = [name for name in heavy if name in names]
    hues = iter([LIGHT["ink"], *(light for light, _ in _HUES)])
    shapes = cycle(("circle", *_SHAPES[:-1]))
    dashes, heavy_dashes = cycle(_DASHES), cycle(_HEAVY_DASHES)
    found: dict[str, LineStyle] = {}
    for name in [*first, *sorted(name for name in names if name not in first)]:
        hue = next(hues, None)
        if hue is None:
            found[name] = OTHERS
        elif name in first:
            found[name] = LineStyle(hue, next(heavy_dashes), next(shapes), heavy=True)
        else:
            found[name] = LineStyle(hue, next(dashes), next(shapes))
    return found
