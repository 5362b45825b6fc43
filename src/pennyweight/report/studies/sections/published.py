"""Compares published figures with Pennyweight's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import pyarrow as pa

from pennyweight import published
from pennyweight.analysis.means import geometric
from pennyweight.model import UserError
from pennyweight.report.numbers import count, integer, rounded
from pennyweight.report.pages.shared import algorithm_page, footnote, short_title
from pennyweight.report.studies.own_figures import OwnFigure, OwnFigureFinder
from pennyweight.report.studies.section import Section
from pennyweight.report.studies.view import StudyView
from pennyweight.report.tables import Cell, Column, Table, TableRow, number, words

TITLES = {
    "cycles": "Cycles",
    "stack": "Stack, bytes",
    "flash": "Code, bytes",
    "ram_and_stack": "RAM, bytes",
    "kb_per_s": "KB/s",
    "fom": "Figure of Merit",
    "chachapoly_units": "Units",
    "blake2s_units": "Units",
    "chachapoly_units_average": "Average of units",
    "blake2s_units_average": "Average of units",
    "average": "Average of units",
    "rate_average": "Average, with the rate",
    "per_rate_byte": "Average per byte of rate",
    "rank": "Rank",
    "masking_overhead": "Overhead",
}
"""Titles of the metrics."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A published figure with Pennyweight's."""

    figure: published.Figure
    measured: OwnFigure

    @property
    def ratio(self) -> float | None:
        """Pennyweight's figure divided by the published one; None if either is zero, as the lowest
        rank is.
        """
        known, found = self.figure.value, self.measured.value
        return found / known if known > 0 and found > 0 else None


def pairs_of(view: StudyView, found: published.Published) -> list[Pair]:
    """The figures of a set that this study also measured, in the set's order."""
    finder = OwnFigureFinder(view, found)
    return [
        Pair(figure, measured)
        for figure in found.figures
        if (measured := finder.find(figure)) is not None
    ]


def section(view: StudyView) -> Section | None:
    """A table for each set of published figures, with source and known reasons for differences."""
    parts = []
    for name in view.record.get("published", []):
        try:
            found = published.load(str(name))
        except UserError:
            continue  # of another version of Pennyweight
        pairs = pairs_of(view, found)
        if not pairs:
            continue
        source = found.source
        remarks = f" {source.remarks}" if source.remarks else ""
        parts.append(
            Section(
                title=f"{source.title} ({source.year})",
                words=(
                    f"{source.authors}; {source.where}. {source.what}{remarks}",
                    f"Each published figure is compared with Pennyweight's {_chosen(found)}. Known "
                    "reasons for differences:",
                ),
                notes=tuple(_reasons(view, found, pairs)),
                tables=(_table(view, found, pairs),),
            )
        )
    return Section(title="Comparison with published figures", parts=tuple(parts)) if parts else None


def _chosen(found: published.Published) -> str:
    return {
        "fastest build": "fastest build of each algorithm over these cases",
        "balanced build": "best build at equal weights of code, RAM and time",
        "best of each": "best build for that figure",
        "masked build": "masked build with the part's generator of random numbers",
    }[found.source.compared_with]


def _reasons(view: StudyView, found: published.Published, pairs: Iterable[Pair]) -> list[str]:
    """The reasons that apply to any of the pairs, with their scope."""
    held = {reason for pair in pairs for reason in found.reasons(pair.figure)}
    return [
        (f"{scope}: " if (scope := _scope(view, each)) else "") + each.reason
        for each in found.source.differences
        if each.reason in held
    ]


def _scope(view: StudyView, difference: published.Difference) -> str:
    """The scope of a reason, in words: metric, algorithm or family, board."""
    scope = []
    if difference.metric != "*":
        scope.append(TITLES.get(difference.metric, difference.metric))
    if difference.algorithm in view.data.algorithms:
        scope.append(view.data.title_of(difference.algorithm))
    elif difference.algorithm != "*":
        scope.append(difference.algorithm.strip("*-").upper())
    if difference.board != "*":
        board = view.data.boards.get(difference.board)
        scope.append(short_title(board) if board else difference.board)
    return ", ".join(scope)


def _table(view: StudyView, found: published.Published, pairs: list[Pair]) -> Table:
    groups: dict[tuple[str, str, str, str], list[Pair]] = {}
    for pair in pairs:
        groups.setdefault(_line(found, pair.figure), []).append(pair)
    several = Counter((algorithm, board, metric) for _, algorithm, board, metric in groups)
    lines, labels = [], []
    for (name, algorithm, board, metric), own in groups.items():
        last = own[-1]
        build = name if several[algorithm, board, metric] > 1 else ""
        label = ""
        if last.measured.implementation:
            label = view.build_label(
                last.figure.algorithm, last.measured.implementation, last.measured.flags
            )
        labels.append(label)
        title = view.data.title_of(last.figure.algorithm)
        lines.append(
            TableRow(
                (
                    Cell(
                        title,
                        title.casefold(),
                        algorithm_page(last.figure.algorithm),
                        small=label,
                        note=f"Published name: {last.figure.label}",
                    ),
                    words(short_title(view.data.boards[board]) if board else "all"),
                    words(TITLES.get(metric, metric)),
                    Cell(_case(last.figure), _case(last.figure)),
                    Cell(_plain(last.figure.value), last.figure.value, small=build),
                    number(last.measured.value, _plain),
                    _ratio([p.ratio for p in own if p.ratio is not None]),
                )
            )
        )
    slug = view.slug("published", found.name)
    many = any(len(own) > 1 for own in groups.values())
    return Table(
        id=slug,
        caption=f"{count(len(pairs), 'published figure')} and the measured ones",
        columns=(
            Column("Algorithm"),
            Column("Board"),
            Column("What"),
            Column("Case", "last of several" if many else ""),
            Column("Published", numeric=True),
            Column("Pennyweight", numeric=True),
            Column("Ratio", "measured / published", numeric=True),
        ),
        rows=tuple(lines),
        csv=f"{slug}.csv",
        filters=True,
        example="such as aes cycles",
        footnote=" ".join(
            filter(
                None,
                (
                    "The ratio of several cases is their geometric mean, with the smallest and the "
                    "largest below. The CSV file has all cases."
                    if many
                    else "",
                    footnote(labels),
                ),
            )
        ),
        numbers=pa.Table.from_pylist(
            [
                {
                    "label": p.figure.label,
                    "algorithm": p.figure.algorithm,
                    "board": p.figure.board,
                    "metric": p.figure.metric,
                    "case": _case(p.figure),
                    "published": p.figure.value,
                    "measured": p.measured.value,
                    "ratio": p.ratio,
                    "implementation": p.measured.implementation,
                    "flags": p.measured.flags,
                }
                for p in pairs
            ]
        ),
    )


def _line(found: published.Published, figure: published.Figure) -> tuple[str, str, str, str]:
    """The key of a line: an algorithm's figures of a kind on a board, under one name.

    A name may belong to two algorithms, as Xoodyak does to an AEAD and a hash. If the labels are
    builds, or rows that the authors swapped, all figures of an algorithm share a line.
    """
    name = {
        "fastest build": figure.label,
        "balanced build": figure.algorithm,
        "best of each": figure.label.partition(":")[0],
        "masked build": figure.label,
    }[found.source.compared_with]
    return name, figure.algorithm, figure.board, figure.metric


def _case(figure: published.Figure) -> str:
    """The case in a few characters: a scenario, or lengths of data and message."""
    scenario = figure.of("scenario")
    if scenario is not None:
        return str(scenario)
    degree, shares = figure.of("degree"), figure.of("shares")
    if degree is not None and shares is not None:
        return f"{degree}, {shares} shares"
    op, ad, m = figure.of("op"), figure.of("ad"), figure.of("m")
    if op is None or m is None:
        return ""
    return f"{op} {m}" if op == "hash" else f"{op} {ad or 0}:{m}"


def _plain(value: float) -> str:
    return integer(value) if value >= 100 and value == int(value) else rounded(value)


def _ratio(ratios: list[float]) -> Cell:
    if not ratios:
        return Cell("–", None, weak=True)
    mean = geometric(ratios).mean
    spread = f"{rounded(min(ratios))}–{rounded(max(ratios))}" if len(ratios) > 1 else ""
    return Cell(rounded(mean), mean, small=spread)
