"""The elements of a study's page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pennyweight.report.figures import Figure
from pennyweight.report.tables import Table


@dataclass(frozen=True, slots=True)
class Slider:
    """A weight that the reader can change: a metric of `Weighing.values`, its title, and its
    initial value.
    """

    metric: str
    title: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Weighing:
    """A table whose figures depend on weights, recomputed in the page.

    `values` are, by the name in a row's first cell, the values divided by the smallest ones by
    board and metric; the cells of `table` from its second column on show a figure for each of
    `groups`.
    """

    id: str
    sliders: tuple[Slider, ...]
    table: Table
    values: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Section:
    """One analysis on a study's page, or a part of one.

    In this order: a heading, paragraphs, a list of notes, figures, tables, collapsed tables under a
    title, and parts with headings of their own.
    """

    title: str
    words: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    weighing: Weighing | None = None
    tables: tuple[Table, ...] = ()
    folded: tuple[tuple[str, tuple[Table, ...]], ...] = ()
    parts: tuple[Section, ...] = ()

    def all_figures(self) -> Iterator[Figure]:
        """Its figures and those of its parts."""
        yield from self.figures
        for part in self.parts:
            yield from part.all_figures()

    def all_tables(self) -> Iterator[Table]:
        """Its tables, including collapsed ones, and those of its parts."""
        yield from self.tables
        if self.weighing is not None:
            yield self.weighing.table
        for _, tables in self.folded:
            yield from tables
        for part in self.parts:
            yield from part.all_tables()
