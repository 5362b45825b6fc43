"""Rows on standard output: as a table for people, as JSON or CSV for programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any, TypeVar

import click

Row = Mapping[str, Any]
F = TypeVar("F", bound=Callable[..., Any])

WIDTH = 80
"""Columns of a table. Not the terminal's: output is the same wherever it is looked at."""

_GAP = "  "
_NARROWEST = 8


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
    """A column of a table: the rows' field, its heading, and how a value is written."""

    name: str
    title: str
    write: Callable[[Any], str] | None = None


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
    """Columns aligned, numbers right; texts are broken where the width does not suffice."""
    cells = [[_text(column, row.get(column.name)) for column in columns] for row in rows]
    numeric = [
        all(isinstance(row.get(column.name), int | float | None) for row in rows)
        for column in columns
    ]
    widths = _fit(
        [
            max(len(column.title), *(len(line[i]) for line in cells), 0)
            for i, column in enumerate(columns)
        ],
        numeric,
        WIDTH - len(indent),
    )
    heading = [column.title for column in columns]
    for line in (heading, ["-" * width for width in widths], *cells):
        for part in _broken(line, widths):
            padded = [
                text.rjust(width) if right else text.ljust(width)
                for text, width, right in zip(part, widths, numeric, strict=True)
            ]
            click.echo((indent + _GAP.join(padded)).rstrip())


def write_integer(value: Any) -> str:
    """Digits in groups of three; a dash for what is not there."""
    return "-" if value is None else f"{value:,}"


def write_yes_no(value: Any) -> str:
    """A word for a truth value; a dash for what is not known."""
    return {True: "yes", False: "no"}.get(value, "-")


def _text(column: Column, value: Any) -> str:
    if column.write is not None:
        return column.write(value)
    if isinstance(value, bool) or value is None:
        return write_yes_no(value)
    return write_integer(value) if isinstance(value, int) else str(value)


def _fit(widths: list[int], numeric: list[bool], limit: int) -> list[int]:
    """Narrows the widest columns of text until the line fits."""
    fitted = list(widths)
    while sum(fitted) + len(_GAP) * (len(fitted) - 1) > limit:
        candidates = [
            i for i, number in enumerate(numeric) if not number and fitted[i] > _NARROWEST
        ]
        if not candidates:
            break
        fitted[max(candidates, key=lambda i: fitted[i])] -= 1
    return fitted


def _broken(line: list[str], widths: list[int]) -> list[list[str]]:
    """The lines that a row takes."""
    parts = [
        wrap(text, width, break_on_hyphens=False) or [""]
        for text, width in zip(line, widths, strict=True)
    ]
    height = max(len(part) for part in parts)
    return [[part[i] if i < len(part) else "" for part in parts] for i in range(height)]
