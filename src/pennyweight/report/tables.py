"""Tables of a report: cells with a text for people and a value to sort by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pennyweight.report.numbers import MISSING


@dataclass(frozen=True, slots=True)
class Cell:
    """What a table shows at one place.

    `href` makes it a link, `small` stands below it, `note` is said on hovering.
    """

    text: str
    value: float | str | None = None
    href: str = ""
    small: str = ""
    note: str = ""
    weak: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    """A column: heading, unit, whether its cells are numbers, or long texts."""

    title: str
    unit: str = ""
    numeric: bool = False
    long: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row; `best` rows stay when only the best builds are shown."""

    cells: tuple[Cell, ...]
    best: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table. `sorted_by` is the column that it is sorted by; `footnote` stands below it."""

    id: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[TableRow, ...] = field(repr=False)
    csv: str = ""
    sorted_by: int | None = None
    filters: bool = False
    best_only: bool = False
    footnote: str = ""


def number(value: float | None, write: Callable[[Any], str]) -> Cell:
    """A cell with a number, written by one of the functions of `numbers`."""
    return Cell(write(value), value, weak=value is None)


def words(text: str, href: str = "", note: str = "") -> Cell:
    """A cell with text."""
    return Cell(text or MISSING, text.casefold(), href, note=note)


def rows_of(cells: Iterable[Sequence[Cell]]) -> tuple[TableRow, ...]:
    """Rows without distinction."""
    return tuple(TableRow(tuple(row)) for row in cells)
