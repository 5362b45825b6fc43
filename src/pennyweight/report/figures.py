"""A figure of a report: its description and its data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import pyarrow as pa

from pennyweight.charts.palette import MOST_LINES, OTHERS, LineStyle, line_styles
from pennyweight.charts.render import Shape, to_pdf, to_png, to_svg
from pennyweight.report.builds import Build
from pennyweight.report.data import NOT_CONSTANT_TIME, ReportData
from pennyweight.report.numbers import count
from pennyweight.report.writing import csv_name


class Chart(Protocol):
    """A chart for a screen and a phone."""

    def wide(self) -> Shape:
        """For a screen."""

    def narrow(self) -> Shape:
        """For a phone."""

    def size(self, narrow: bool = False) -> tuple[int, int]:
        """Width and height in CSS pixels."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: its files are named `slug`; `label` describes it for screen readers."""

    slug: str
    title: str
    caption: str
    label: str
    chart: Chart = field(repr=False)
    numbers: pa.Table = field(repr=False)
    shares: str = ""
    """The slug of a figure with the same data, whose file is shared."""

    @property
    def csv(self) -> str:
        """The name of the file with its data."""
        return csv_name(self.shares or self.slug, self.numbers.num_rows)

    def svg(self, narrow: bool = False) -> str:
        """The figure as SVG, for a screen or for a phone; it follows the colour scheme."""
        return to_svg(self.chart.narrow() if narrow else self.chart.wide(), self.label)

    def png(self) -> bytes:
        """The figure as PNG on white, with two pixels per CSS pixel."""
        return to_png(self.chart.wide())

    def pdf(self) -> bytes:
        """The figure as PDF on white, with scalable text and lines."""
        return to_pdf(self.chart.wide())

    def _repr_svg_(self) -> str:
        """The representation in a notebook."""
        return self.svg()


def drawn_of(data: ReportData, best: list[Build]) -> list[Build]:
    """The best builds of algorithms to distinguish in figures: baselines, then the fastest.

    As many as there are styles, fastest first.
    """
    first = [b for b in best if b.algorithm in data.baselines][:MOST_LINES]
    others = [b for b in best if b.algorithm not in data.baselines]
    chosen = first + others[: MOST_LINES - len(first)]
    return [b for b in best if b in chosen]


def line_styles_of(data: ReportData, best: list[Build]) -> dict[str, LineStyle]:
    """The styles of the algorithms of one kind in all figures of a board."""
    names = {b.algorithm: b.title for b in best}
    heavy = [name for name in data.baselines if name in names]
    found = line_styles([b.algorithm for b in drawn_of(data, best)], heavy)
    return {name: found.get(name, OTHERS) for name in names}


def named(data: ReportData, build: Build) -> str:
    """An algorithm's name in a figure, with a dagger if its drawn build has one."""
    return build.title + data.mark(build.algorithm, build.implementation)


def footnote(data: ReportData, builds: list[Build]) -> str:
    """The explanation of the daggers, if one of these builds has one."""
    marked = any(data.mark(b.algorithm, b.implementation) for b in builds)
    return f" {NOT_CONSTANT_TIME}" if marked else ""


def in_bytes(number: int) -> str:
    """A number of bytes in words."""
    return count(number, "byte")
