"""A figure of a report: what it shows, in words, and the numbers behind it."""

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
    """A chart in its two shapes."""

    def wide(self) -> Shape:
        """For a screen."""

    def narrow(self) -> Shape:
        """For a phone."""

    def size(self, narrow: bool = False) -> tuple[int, int]:
        """Width and height in CSS pixels."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: its files are named `slug`; `label` says what it shows to who cannot see it."""

    slug: str
    title: str
    caption: str
    label: str
    chart: Chart = field(repr=False)
    numbers: pa.Table = field(repr=False)
    shares: str = ""
    """The slug of the figure whose numbers are the same, where they are kept once."""

    @property
    def csv(self) -> str:
        """The name of the file with its numbers."""
        return csv_name(self.shares or self.slug, self.numbers.num_rows)

    def svg(self, narrow: bool = False) -> str:
        """The figure as SVG, for a screen or for a phone; it follows the colour scheme."""
        return to_svg(self.chart.narrow() if narrow else self.chart.wide(), self.label)

    def png(self) -> bytes:
        """The figure as PNG on white, at two pixels a CSS pixel."""
        return to_png(self.chart.wide())

    def pdf(self) -> bytes:
        """The figure as PDF on white, with letters and lines as such."""
        return to_pdf(self.chart.wide())

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.svg()


def drawn_of(data: ReportData, best: list[Build]) -> list[Build]:
    """Of the best builds of algorithms those that figures tell apart: baselines, then the fastest.

    As many as there are looks, the fastest first.
    """
    first = [b for b in best if b.algorithm in data.baselines][:MOST_LINES]
    others = [b for b in best if b.algorithm not in data.baselines]
    chosen = first + others[: MOST_LINES - len(first)]
    return [b for b in best if b in chosen]


def line_styles_of(data: ReportData, best: list[Build]) -> dict[str, LineStyle]:
    """How the algorithms of one kind are drawn in all figures of a board."""
    names = {b.algorithm: b.title for b in best}
    heavy = [name for name in data.baselines if name in names]
    found = line_styles([b.algorithm for b in drawn_of(data, best)], heavy)
    return {name: found.get(name, OTHERS) for name in names}


def named(data: ReportData, build: Build) -> str:
    """An algorithm in a figure, with a dagger where the build that is drawn has one."""
    return build.title + data.mark(build.algorithm, build.implementation)


def footnote(data: ReportData, builds: list[Build]) -> str:
    """What the daggers beside builds mean, if one of these has one."""
    marked = any(data.mark(b.algorithm, b.implementation) for b in builds)
    return f" {NOT_CONSTANT_TIME}" if marked else ""


def in_bytes(number: int) -> str:
    """A number of bytes in words."""
    return count(number, "byte")
