"""What a study's page is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pennyweight.report.figures import Figure
from pennyweight.report.tables import Table


@dataclass(frozen=True, slots=True)
class Slider:
    """A weight that a reader changes: a metric of `Weighing.values`, its title, where it starts."""

    metric: str
    title: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Weighing:
    """A table whose figure follows from weights, in the page too.

    `values` are, by the name of a row's first cell, the values over the least ones by board and
    metric; the cells of `table` from its second column on show a figure for each of `groups`.
    """

    id: str
    sliders: tuple[Slider, ...]
    table: Table
    values: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Section:
    """One analysis on a study's page: a heading, paragraphs, figures, then tables."""

    title: str
    words: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    weighing: Weighing | None = None
