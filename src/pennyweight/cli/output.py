"""Prints rows to standard output: as a table, JSON or CSV."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill, wrap
from typing import Any, TypeVar

import click

from pennyweight.cli.paging import is_collecting
from pennyweight.model import printable

Row = Mapping[str, Any]
F = TypeVar("F", bound=Callable[..., Any])

_FALLBACK = 80
"""Width of a table that is not printed to a terminal."""

PROSE = 100
"""Longest comfortable line of text, in characters."""

_GAP = "  "
_NARROWEST = 24
"""Minimum width of a prose column."""

_PROSE_ASKS = 72
"""Minimum width for an extra column of prose."""


def width() -> int:
    """Width to print on: the terminal's, or `COLUMNS`; 80 if there is no terminal."""
    return max(20, shutil.get_terminal_size((_FALLBACK, 24)).columns)


def format_option(function: F) -> F:
    """The option ``--format`` of all commands that print rows."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["table", "json", "csv"]),
        default="table",
        show_default=True,
        help="Output format; JSON and CSV include all fields.",
    )(function)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: the rows' field, its heading, and how a value is formatted.

    Text is wrapped only between words, so names stay whole; `prose` may be broken anywhere. If a
    table is too wide, columns with the highest `rank` are dropped first; rank 0 is never dropped.
    `extra` columns appear only on wide terminals and are not mentioned otherwise.
    """

    name: str
    title: str
    write: Callable[[Any], str] | None = None
    prose: bool = False
    rank: int = 0
    extra: bool = False


def print_prose(text: str, indent: str = "") -> None:
    """Prints a paragraph with a hanging indent; words stay whole."""
    room = min(width(), PROSE)
    further = f"{indent}  "
    lines = wrap(
        text,
        room,
        initial_indent=indent,
        subsequent_indent=further,
        break_long_words=False,
        break_on_hyphens=False,
    )
    click.echo("\n".join(lines))


def print_json(rows: Iterable[Row]) -> None:
    """Prints a JSON array with one object per line, so that it can be searched with grep."""
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    click.echo(f"[\n{lines}\n]" if lines else "[]")


def print_csv(rows: Sequence[Row]) -> None:
    """Prints a header and one line per row; missing values are empty."""
    if not rows:
        return
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    click.echo(buffer.getvalue(), nl=False)


def print_table(rows: Sequence[Row], columns: Sequence[Column], indent: str = "") -> frozenset[str]:
    """Prints aligned columns; those that do not fit are wrapped, then dropped and listed. Returns
    the names of the columns that it has printed.
    """
    room = width() - len(indent)
    everything = [_laid_out(column, rows) for column in columns]
    shown = _chosen(everything, room)
    widths = _fit(shown, room)
    heading = [each.column.title for each in shown]
    rules = ["-" * width for width in widths]
    lines = [[each.cells[i] for each in shown] for i in range(len(rows))]
    for line in (heading, rules, *lines):
        for part in _broken(line, widths):
            padded = [
                text.rjust(width) if each.numeric else text.ljust(width)
                for text, width, each in zip(part, widths, shown, strict=True)
            ]
            click.echo((indent + _GAP.join(padded)).rstrip())
    left_out = [e.column.title for e in everything if e not in shown and not e.column.extra]
    if left_out:
        sentence = f"Hidden columns: {', '.join(left_out)}. Use a wider terminal or --format json."
        click.echo(
            fill(sentence, width(), initial_indent=indent, subsequent_indent=f"{indent}  "),
            err=not is_collecting(),
        )
    return frozenset(each.column.name for each in shown)


@dataclass(frozen=True, slots=True)
class _Laid:
    """A column's texts and its range of widths."""

    column: Column
    cells: list[str]
    numeric: bool
    narrowest: int
    content: int
    widest: int


def _laid_out(column: Column, rows: Sequence[Row]) -> _Laid:
    values = [row.get(column.name) for row in rows]
    cells = [_text(column, value) for value in values]
    numeric = all(isinstance(value, int | float | None) for value in values)
    whole = cells if numeric else [word for text in cells for word in text.split()]
    words = [*column.title.split(), *whole]
    longest = max(map(len, words), default=0)
    return _Laid(
        column,
        cells,
        numeric,
        narrowest=min(longest, _NARROWEST) if column.prose else longest,
        content=max(map(len, cells), default=0),
        widest=max(map(len, (column.title, *cells))),
    )


def _chosen(columns: list[_Laid], room: int) -> list[_Laid]:
    """The columns that fit."""
    shown = list(columns)
    for each in reversed(columns):
        if each.column.extra and _line(_asked(other) for other in shown) > room:
            shown.remove(each)
    while _line(each.narrowest for each in shown) > room:
        last = max(shown, key=lambda each: each.column.rank)
        if last.column.rank == 0:
            break
        shown.remove(last)
    return shown


def _asked(each: _Laid) -> int:
    """Minimum width to show an extra column; prose may wrap to several lines."""
    return min(each.widest, _PROSE_ASKS) if each.column.prose else each.widest


def _line(widths: Iterable[int]) -> int:
    """Width of a line."""
    taken = list(widths)
    return sum(taken) + len(_GAP) * (len(taken) - 1)


def _fit(columns: list[_Laid], room: int) -> list[int]:
    """Narrows headings first, then the widest texts, until the line fits or none can shrink."""
    fitted = [each.widest for each in columns]
    for floor in ("content", "narrowest"):
        while _line(fitted) > room:
            slack = [
                (fitted[i], i)
                for i, each in enumerate(columns)
                if fitted[i] > max(each.narrowest, getattr(each, floor))
            ]
            if not slack:
                break
            fitted[max(slack)[1]] -= 1
    return fitted


def write_integer(value: Any) -> str:
    """Digits in groups of three; a dash if missing."""
    return "-" if value is None else f"{value:,}"


def write_size(value: Any) -> str:
    """As `write_integer`, with a dash for 0 too, which means that there is no such size."""
    return write_integer(value or None)


def write_yes_no(value: Any) -> str:
    """Yes or no; a dash if unknown."""
    return {True: "yes", False: "no"}.get(value, "-")


def _text(column: Column, value: Any) -> str:
    if column.write is not None:
        return column.write(value)
    if isinstance(value, bool) or value is None:
        return write_yes_no(value)
    return write_integer(value) if isinstance(value, int) else printable(str(value))


def _broken(line: list[str], widths: list[int]) -> list[list[str]]:
    """The lines of a row after wrapping."""
    parts = [
        wrap(text, max(1, width), break_on_hyphens=False) or [""]
        for text, width in zip(line, widths, strict=True)
    ]
    height = max(len(part) for part in parts)
    return [[part[i] if i < len(part) else "" for part in parts] for i in range(height)]
