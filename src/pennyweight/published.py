"""Figures from the literature: `published/NAME.csv`, with their source in `published/NAME.toml`.

A row is one published number: `label` is the name that its authors use, `algorithm` the
catalogue's name of the same thing, `board` ours of the same part (empty for a figure over
several), `metric` what it is (`cycles`, `flash` and `stack` in bytes, ...), `value` the number as
printed. The columns in between (flags, op, ad, m, scenario, ...) tell of which case.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from pennyweight.catalogue.root import data_root
from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.catalogue.tomlfile import Table, parse, read_text
from pennyweight.model import UserError

NEEDED = ("label", "algorithm", "board", "metric", "value")
INTEGERS = ("ad", "m", "rate", "buffers")


class Difference(Table):
    """Why our figures differ from some of a set; names are shell patterns, all that match hold."""

    algorithm: str = "*"
    board: str = "*"
    metric: str = "*"
    reason: str


class Source(Table):
    """Where a set of figures comes from, in the words of a reference list."""

    title: str
    authors: str
    year: Annotated[int, Field(ge=1990, le=2100)]
    where: str
    """Publication, or the page's name."""
    what: str
    """What was measured, how, with what."""
    remarks: str = ""
    """What a reader must know before comparing."""
    ours: Literal["fastest build", "balanced build", "best of each"] = "fastest build"
    """Which of our builds stands beside a figure: of each algorithm and board the one that is
    fastest over the set's cases, the one that is best when code, RAM and time weigh the same, or
    for each figure whichever is best."""
    differences: Annotated[tuple[Difference, ...], Field(alias="difference")] = ()
    """Known reasons for differences to ours."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One published number and what it is of; `case` holds the columns that the set has."""

    label: str
    algorithm: str
    board: str
    metric: str
    value: float
    case: tuple[tuple[str, str | int], ...]

    def of(self, column: str) -> str | int | None:
        """A column of the case, None where the row has no such value."""
        return dict(self.case).get(column)


@dataclass(frozen=True, slots=True)
class Published:
    """A set of figures with its source."""

    name: str
    source: Source
    figures: tuple[Figure, ...]

    def reasons(self, figure: Figure) -> list[str]:
        """Why our figure may differ from this one, as far as it is known."""
        return [
            each.reason
            for each in self.source.differences
            if fnmatchcase(figure.algorithm, each.algorithm)
            and fnmatchcase(figure.board, each.board)
            and fnmatchcase(figure.metric, each.metric)
        ]


def names() -> list[str]:
    """The sets there are."""
    return sorted(path.stem for path in (data_root() / "published").glob("*.toml"))


def load(name: str) -> Published:
    """A set of published figures. Raises UserError."""
    known = names()
    if name not in known:
        raise UserError(
            f"no published figures '{name}':{did_you_mean(name, known)} "
            f"the known ones are {', '.join(known)}"
        )
    folder = data_root() / "published"
    path = folder / f"{name}.toml"
    source = parse(read_text(path), path, Source)
    return Published(name, source, tuple(_figures(folder / f"{name}.csv")))


def _figures(path: Path) -> list[Figure]:
    lines = csv.DictReader(read_text(path).splitlines())
    missing = [column for column in NEEDED if column not in (lines.fieldnames or ())]
    if missing:
        raise UserError(f"{path}: no column '{missing[0]}'; add it")
    return [_figure(path, number, row) for number, row in enumerate(lines, start=2)]


def _figure(path: Path, number: int, row: dict[str, str]) -> Figure:
    try:
        value = float(row["value"])
        case = tuple(
            (column, int(text) if column in INTEGERS else text)
            for column, text in row.items()
            if column not in NEEDED and text
        )
    except (TypeError, ValueError):
        raise UserError(
            f"{path}: line {number} has a field that is no number; correct it"
        ) from None
    return Figure(row["label"], row["algorithm"], row["board"], row["metric"], value, case)
