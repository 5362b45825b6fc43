"""Figures from the literature: `published/NAME.csv`, with their source in `published/NAME.toml`.

A row is one published number. `label` is the name that its authors use, `algorithm` the
corresponding name in the catalogue, `board` the corresponding board (empty for a figure over
several boards), `metric` the quantity (`cycles`, `flash` and `stack` in bytes, ...), `value` the
number as printed. The columns in between (flags, op, ad, m, scenario, ...) define the case.
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
INTEGERS = ("ad", "m", "rate", "buffers", "shares")


class Difference(Table):
    """Why some published figures differ from Pennyweight's. Names are shell patterns; all matching
    entries apply.
    """

    algorithm: str = "*"
    board: str = "*"
    metric: str = "*"
    reason: str


class Source(Table):
    """The source of a set of figures, as in a reference list."""

    title: str
    authors: str
    year: Annotated[int, Field(ge=1990, le=2100)]
    where: str
    """Publication, or name of the page."""
    what: str
    """What was measured, how, and with what."""
    remarks: str = ""
    """What a reader must know before comparing."""
    compared_with: Literal["fastest build", "balanced build", "best of each", "masked build"] = (
        "fastest build"
    )
    """Which of Pennyweight's builds to compare a figure with: for each algorithm and board the
    build that is fastest over the set's cases, or the one that is best when flash, RAM and time
    have equal weights; or the best build for each figure; or the masked one with the part's
    generator of random numbers."""
    differences: Annotated[tuple[Difference, ...], Field(alias="difference")] = ()
    """Known reasons for differences from Pennyweight's figures."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One published number and its labels; `case` has the additional columns of the set."""

    label: str
    algorithm: str
    board: str
    metric: str
    value: float
    case: tuple[tuple[str, str | int], ...]

    def of(self, column: str) -> str | int | None:
        """A column of the case; None if the row has no such value."""
        return dict(self.case).get(column)


@dataclass(frozen=True, slots=True)
class Published:
    """A set of figures with its source."""

    name: str
    source: Source
    figures: tuple[Figure, ...]

    def reasons(self, figure: Figure) -> list[str]:
        """The known reasons why Pennyweight's figure may differ from this one."""
        return [
            each.reason
            for each in self.source.differences
            if fnmatchcase(figure.algorithm, each.algorithm)
            and fnmatchcase(figure.board, each.board)
            and fnmatchcase(figure.metric, each.metric)
        ]


def names() -> list[str]:
    """The names of all sets."""
    return sorted(path.stem for path in (data_root() / "published").glob("*.toml"))


def load(name: str) -> Published:
    """Reads a set of published figures. Raises UserError."""
    known = names()
    if name not in known:
        raise UserError(
            f"there are no published figures '{name}':{did_you_mean(name, known)} "
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
            f"{path}: line {number} has a field that is not a number; correct it"
        ) from None
    return Figure(row["label"], row["algorithm"], row["board"], row["metric"], value, case)
