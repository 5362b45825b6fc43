"""Prints rows to standard output: as a table, JSON or CSV."""

from __future__ import annotations

import csv
import io
import json
import re
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

_BREAKABLE = 8
"""Width to which a column of text shrinks if its table has to fit at any cost."""

KEEP = "\N{NO-BREAK SPACE}"
"""A space at which a cell or heading is not wrapped; printed as a common space."""

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
    table is too wide, columns with the highest `rank` are dropped first; rank 0 is never dropped:
    if nothing else is left, names are broken, after a slash if possible. `extra` columns appear
    only on wide terminals and are not mentioned otherwise. Numbers and columns with `right` are
    aligned to the right.
    """

    name: str
    title: str
    write: Callable[[Any], str] | None = None
    prose: bool = False
    rank: int = 0
    extra: bool = False
    right: bool = False


def print_prose(text: str, indent: str = "", err: bool = False) -> None:
    """Prints a paragraph with a hanging indent; words stay whole. `err`: on standard error."""
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
    click.echo("\n".join(lines), err=err)


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


def shortage(rows: Sequence[Row], columns: Sequence[Column]) -> tuple[int, int]:
    """The characters by which words have to be broken so that a table of these rows fits, and the
    number of columns that it hides.
    """
    everything = [_laid_out(column, rows) for column in columns if not column.extra]
    shown = _chosen(everything, width())
    excess = _line(each.narrowest for each in shown) - width()
    return max(0, excess), len(everything) - len(shown)


def print_table(
    rows: Sequence[Row],
    columns: Sequence[Column],
    indent: str = "",
    heading: Callable[[Row], str] | None = None,
) -> frozenset[str]:
    """Prints aligned columns; those that do not fit are wrapped, then dropped and listed. Returns
    the names of the columns that it has printed. Successive rows with the same `heading` are a
    group below that line.
    """
    room = width() - len(indent)
    everything = [_laid_out(column, rows) for column in columns]
    shown = _chosen(everything, room)
    widths = _fit(shown, room)

    def print_line(line: list[str]) -> None:
        for part in _broken(line, widths):
            padded = [
                text.rjust(width) if each.numeric else text.ljust(width)
                for text, width, each in zip(part, widths, shown, strict=True)
            ]
            click.echo(plain(indent + _GAP.join(padded)).rstrip())

    print_line([each.column.title for each in shown])
    print_line(["-" * width for width in widths])
    group = None
    for i, row in enumerate(rows):
        if heading is not None and heading(row) != group:
            group = heading(row)
            print_prose(f"{group}:", indent)
        print_line([each.cells[i] for each in shown])
    left_out = [
        plain(each.column.title)
        for each in everything
        if each not in shown and not each.column.extra
    ]
    if left_out:
        sentence = f"Hidden columns: {', '.join(left_out)}. Use a wider terminal or --format json."
        click.echo(
            fill(sentence, width(), initial_indent=indent, subsequent_indent=f"{indent}  "),
            err=not is_collecting(),
        )
    return frozenset(each.column.name for each in shown)


def plain(text: str) -> str:
    """The text with common spaces only."""
    return text.replace(KEEP, " ")


@dataclass(frozen=True, slots=True)
class _Laid:
    """A column's texts and its range of widths."""

    column: Column
    cells: list[str]
    numeric: bool
    broken: int
    slashed: int
    narrowest: int
    content: int
    widest: int


def _laid_out(column: Column, rows: Sequence[Row]) -> _Laid:
    values = [row.get(column.name) for row in rows]
    cells = [_text(column, value) for value in values]
    numeric = column.right or all(isinstance(value, int | float | None) for value in values)
    whole = cells if numeric else [word for text in cells for word in text.split(" ")]
    words = [*column.title.split(" "), *whole]
    longest = max(map(len, words), default=0)
    slashed = longest if numeric else max(len(part) for word in words for part in _parts(word))
    return _Laid(
        column,
        cells,
        numeric,
        broken=longest if numeric else min(longest, _BREAKABLE),
        slashed=slashed,
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
    floors = (
        [max(each.narrowest, each.content) for each in columns],
        [each.narrowest for each in columns],
        [min(each.narrowest, each.slashed) for each in columns],
        [min(each.narrowest, each.broken) for each in columns],
    )
    for floor in floors:
        while _line(fitted) > room:
            slack = [(fitted[i], i) for i in range(len(columns)) if fitted[i] > floor[i]]
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
    if isinstance(value, int):
        return write_integer(value)
    return KEEP.join(map(printable, str(value).split(KEEP)))


def _broken(line: list[str], widths: list[int]) -> list[list[str]]:
    """The lines of a row after wrapping."""
    parts = [
        wrap(_breakable(text, width), max(1, width), break_on_hyphens=False) or [""]
        for text, width in zip(line, widths, strict=True)
    ]
    height = max(len(part) for part in parts)
    return [[part[i] if i < len(part) else "" for part in parts] for i in range(height)]


def _breakable(text: str, width: int) -> str:
    """The text with a space after some slashes of the words that are wider than the column, so
    that each piece fills a line.
    """
    pieces = []
    for word in text.split(" "):
        piece = ""
        for part in _parts(word):
            if piece and len(piece) + len(part) > width:
                pieces.append(piece)
                piece = ""
            piece += part
        pieces.append(piece)
    return " ".join(pieces)


def _parts(word: str) -> list[str]:
    """The parts of a word, each but the last with the slash at its end."""
    return re.findall(r"[^/]*/|[^/]+$", word) or [word]
