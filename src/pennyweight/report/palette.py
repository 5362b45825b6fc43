"""Colours, dashes and markers: one source for the pages and the figures.

Hues are apart for the common forms of colour blindness (after Okabe and Ito, 2008, darkened to a
contrast of at least 4.5 with the paper); every line also differs by dash and marker, so that a
figure can be read without colour. Each light colour has a counterpart for dark mode; figures carry
both (see `charts.render`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pennyweight.analysis.facts import AlgorithmFacts

LIGHT = {
    "paper": "#fdfcfa",
    "raised": "#f4f2ed",
    "ink": "#1c1b19",
    "soft": "#5c5952",
    "line": "#d8d4cb",
    "grid": "#ebe8e1",
    "accent": "#0b5c8f",
    "mark": "#8a4b08",
}
"""Colours by role: paper, raised boxes, text, secondary text, rules, grid, links, marks."""

DARK = {
    "paper": "#15171a",
    "raised": "#1f2226",
    "ink": "#eceae4",
    "soft": "#a9a69d",
    "line": "#3a3d42",
    "grid": "#282b2f",
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
    ("#a32a6a", "#ee8cbb"),
    ("#2b7886", "#6cc3d1"),
    ("#5a5f66", "#b3b8bf"),
)
_DASHES = ((1, 0), (6, 3), (2, 2), (9, 3, 2, 3), (4, 2), (1, 3), (12, 3), (6, 2, 2, 2, 2, 2))
_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")


@dataclass(frozen=True, slots=True)
class Look:
    """How one line is drawn: colour, dash pattern in pixels (1, 0 is solid), marker."""

    color: str
    dash: tuple[int, ...]
    shape: str


def dark_counterparts() -> dict[str, str]:
    """Every light colour that a figure may use, with its dark one."""
    return {**{LIGHT[role]: DARK[role] for role in LIGHT}, **dict(_HUES)}


def looks_of_algorithms(algorithms: Iterable[AlgorithmFacts]) -> dict[str, Look]:
    """A look for each algorithm, the same in all figures: a hue a family, a dash a variant."""
    looks: dict[str, Look] = {}
    families: dict[str, list[str]] = {}
    for each in sorted(algorithms, key=lambda a: a.name):
        families.setdefault(each.family or each.name, []).append(each.name)
    for number, names in enumerate(families[family] for family in sorted(families)):
        again = 3 * (number // len(_HUES))  # a hue that comes again comes with other dashes
        for variant, name in enumerate(names, start=again):
            looks[name] = Look(
                _HUES[number % len(_HUES)][0],
                _DASHES[variant % len(_DASHES)],
                _SHAPES[(number + variant) % len(_SHAPES)],
            )
    return looks


def looks_in_order(names: Iterable[str]) -> dict[str, Look]:
    """Looks for names that have none of their own, such as the builds of one algorithm."""
    return {
        name: Look(_HUES[i % len(_HUES)][0], _DASHES[i % len(_DASHES)], _SHAPES[i % len(_SHAPES)])
        for i, name in enumerate(names)
    }
