"""Tables of a report: cells with a text to show and a value to sort by."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from pennyweight.report.numbers import MISSING


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table.

    `href` makes it a link, `small` is shown below it, `note` in a tooltip.
    """

    text: str
    value: float | str | None = None
    href: str = ""
    small: str = ""
    note: str = ""
    weak: bool = False

    @property
    def beside(self) -> str | None:
        """The number that a page stores with the text, or None if the text has all its digits."""
        if self.value is None:
            return ""
        exact = f"{self.value:.7g}" if isinstance(self.value, float) else str(self.value)
        return None if self.text.replace(",", "") == exact else exact


@dataclass(frozen=True, slots=True)
class Column:
    """A column: heading, unit, and whether its cells are numbers or long texts.

    `href` is the page about the column's subject, linked below the table.
    """

    title: str
    unit: str = ""
    numeric: bool = False
    long: bool = False
    note: str = ""
    href: str = ""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row; `best` rows remain when only the best builds are shown."""

    cells: tuple[Cell, ...]
    best: bool = False


MOST_STATIC = 150
"""Maximum number of rows in a page; longer tables contain the best rows and load the others on
request.
"""


@dataclass(frozen=True, slots=True)
class Table:
    """A table. `sorted_by` is the column that it is sorted by; `footnote` is shown below it.

    `csv` names its file, which has the table's full values, or `numbers` if they contain more. A
    table with `best` explains its best rows; `choose` lets a reader select one of the columns after
    the first.
    """

    id: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[TableRow, ...] = field(repr=False)
    csv: str = ""
    sorted_by: int | None = None
    filters: bool = False
    best: str = ""
    choose: str = ""
    example: str = "such as ascon -Os"
    footnote: str = ""
    numbers: pa.Table | None = field(default=None, repr=False)

    @property
    def loads(self) -> bool:
        """Whether the page contains only the best rows."""
        return bool(self.best) and len(self.rows) > MOST_STATIC

    @property
    def static(self) -> tuple[TableRow, ...]:
        """The rows in the page."""
        return tuple(row for row in self.rows if row.best) if self.loads else self.rows

    def script(self) -> str:
        """The other rows for the page's script: text, value, link and small print of each cell."""
        rows = [[_portable(cell) for cell in row.cells] for row in self.rows if not row.best]
        text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
        return f"pennyweightRows({json.dumps(self.id)},{text});\n"


def _portable(cell: Cell) -> list[Any]:
    found: list[Any] = [cell.text, cell.value if isinstance(cell.value, int | float) else None]
    found += [cell.href, cell.small]
    while not found[-1]:
        found.pop()
    return found


def number(value: float | None, write: Callable[[Any], str]) -> Cell:
    """A cell with a number, formatted by one of the functions of `numbers`."""
    return Cell(write(value), value, weak=value is None)


def words(text: str, href: str = "", note: str = "") -> Cell:
    """A cell with text."""
    return Cell(text or MISSING, text.casefold(), href, note=note)


def rows_of(cells: Iterable[Sequence[Cell]]) -> tuple[TableRow, ...]:
    """Rows that are not marked as best."""
    return tuple(TableRow(tuple(row)) for row in cells)
