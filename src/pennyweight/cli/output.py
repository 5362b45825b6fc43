"""Rows on standard output: as a table for people, as JSON or CSV for programs."""

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

from pennyweight.model import printable

Row = Mapping[str, Any]
F = TypeVar("F", bound=Callable[..., Any])

_FALLBACK = 80
"""Columns of a table that is not printed on a terminal."""

PROSE = 100
"""Characters of a line of text that are easily read."""

_GAP = "  "
_NARROWEST = 24
"""Columns that prose keeps."""

_PROSE_ASKS = 72
"""Columns without which prose of an extra column is left out."""


def width() -> int:
    """Columns to print on: those of the terminal, or of `COLUMNS`; 80 where there is none."""
    return max(20, shutil.get_terminal_size((_FALLBACK, 24)).columns)


def format_option(function: F) -> F:
    """The option ``--format`` that all commands with rows share."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["table", "json", "csv"]),
        default="table",
        show_default=True,
        help="How to print: for reading, or with all fields for other programs.",
    )(function)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: the rows' field, its heading, and how a value is written.

    Texts are broken between words only, so that a name stays whole; `prose` may be broken
    anywhere. Where a table is too wide, columns with the highest `rank` are left out first; those
    of rank 0 never. An `extra` column is for wide terminals only and is not missed elsewhere.
    """

    name: str
    title: str
    write: Callable[[Any], str] | None = None
    prose: bool = False
    rank: int = 0
    extra: bool = False


def print_prose(text: str, indent: str = "") -> None:
    """A paragraph, its lines after the first further in; words stay whole."""
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
    """An array with an object a line: one document, and greppable too."""
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    click.echo(f"[\n{lines}\n]" if lines else "[]")


def print_csv(rows: Sequence[Row]) -> None:
    """A heading and a line a row; nothing for a value that is not there."""
    if not rows:
        return
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    click.echo(buffer.getvalue(), nl=False)


def print_table(rows: Sequence[Row], columns: Sequence[Column], indent: str = "") -> None:
    """Columns aligned, numbers right; what does not fit is wrapped, then left out and told."""
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
        sentence = (
            f"No room for: {', '.join(left_out)}. A wider terminal or --format json has them."
        )
        click.echo(
            fill(sentence, width(), initial_indent=indent, subsequent_indent=f"{indent}  "),
            err=True,
        )


@dataclass(frozen=True, slots=True)
class _Laid:
    """A column's texts, and the widths between which it can be had."""

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
    """The columns that there is room for."""
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
    """Columns without which an extra one is not worth its place; prose may take several lines."""
    return min(each.widest, _PROSE_ASKS) if each.column.prose else each.widest


def _line(widths: Iterable[int]) -> int:
    """Columns that a line takes."""
    taken = list(widths)
    return sum(taken) + len(_GAP) * (len(taken) - 1)


def _fit(columns: list[_Laid], room: int) -> list[int]:
    """Narrows headings first, then the widest texts, until a line fits or nothing gives way."""
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
    """Digits in groups of three; a dash for what is not there."""
    return "-" if value is None else f"{value:,}"


def write_size(value: Any) -> str:
    """As `write_integer`; a dash for 0 too, where a size of 0 means that there is none."""
    return write_integer(value or None)


def write_yes_no(value: Any) -> str:
    """A word for a truth value; a dash for what is not known."""
    return {True: "yes", False: "no"}.get(value, "-")


def _text(column: Column, value: Any) -> str:
    if column.write is not None:
        return column.write(value)
    if isinstance(value, bool) or value is None:
        return write_yes_no(value)
    return write_integer(value) if isinstance(value, int) else printable(str(value))


def _broken(line: list[str], widths: list[int]) -> list[list[str]]:
    """The lines that a row takes."""
    parts = [
        wrap(text, max(1, width), break_on_hyphens=False) or [""]
        for text, width in zip(line, widths, strict=True)
    ]
    height = max(len(part) for part in parts)
    return [[part[i] if i < len(part) else "" for part in parts] for i in range(height)]
