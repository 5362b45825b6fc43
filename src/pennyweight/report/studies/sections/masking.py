"""What masking costs, by the number of shares."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from pennyweight import published
from pennyweight.analysis.facts import BoardFacts
from pennyweight.charts.curves import Curves, Line
from pennyweight.charts.palette import line_styles
from pennyweight.model import UserError
from pennyweight.report.figures import Figure
from pennyweight.report.numbers import MISSING, count, integer, rounded
from pennyweight.report.pages.shared import algorithm_page, short_title
from pennyweight.report.studies.masking_ranks import (
    DEGREES,
    FREE,
    PARTS_OWN,
    SOURCES,
    explanation,
    rank_table,
)
from pennyweight.report.studies.masking_rows import (
    BUNDLED_SERIES,
    MASKING_OVERHEAD,
    MaskedBuild,
    masked_builds,
)
from pennyweight.report.studies.section import Section
from pennyweight.report.studies.view import StudyView
from pennyweight.report.tables import Cell, Column, Table, TableRow, number, words

_ENDS = {"full": "", "init": ", ends"}
"""What the names of lines end with, by the part that is masked."""

Known = dict[tuple[str, str, str, int], float]
"""Published overheads by algorithm, board, masked part and shares."""


def section(view: StudyView) -> Section | None:
    """A figure and two or three tables for each board."""
    builds = masked_builds(view)
    if not builds:
        return None
    known = _published(view)
    parts = []
    for board in view.boards:
        own = [each for each in builds if each.board == board.id]
        if own:
            parts.append(
                Section(
                    title=f"Masking on the {short_title(board)}",
                    figures=(_figure(view, board, own, known),),
                    tables=(
                        _overheads(view, board, own, known),
                        _costs(view, board, own),
                        *filter(None, [rank_table(view, board, own)]),
                    ),
                )
            )
    return Section(
        title="The cost of masking",
        words=(
            "The overhead is the time of the masked implementation divided by that of the fastest "
            "measured one without masks: encryption and decryption of packets of 16 and of 128 "
            "bytes, three of the short ones for each long one. The key is split into shares inside "
            "the call.",
            "Randomness is where the random words come from: the part's generator, for which the "
            "code waits; software, a linear feedback shift register that is not a cryptographic "
            "generator; or almost free words, a counter in RAM that costs a call, a load, an "
            "addition and a store. Where the code hardly waits for the generator, almost free "
            "words are slower than it.",
            "These are costs. No leakage was tested, and the number of shares alone does not state "
            "what an observer can learn. Two shares in bundled C meet on all cores on which the "
            "command leakage was used.",
            *explanation(view),
        ),
        parts=tuple(parts),
    )


def _published(view: StudyView) -> Known:
    """The overheads of the study's published sets."""
    found: Known = {}
    for name in view.record.get("published", []):
        try:
            figures = published.load(str(name)).figures
        except UserError:
            continue  # of another version of Pennyweight
        for each in figures:
            if each.metric == MASKING_OVERHEAD:
                shares = int(each.of("shares") or 0)
                found[each.algorithm, each.board, str(each.of("degree")), shares] = each.value
    return found


def _line_of(build: MaskedBuild) -> tuple[str, str, str, str]:
    """What builds that differ in the number of shares have in common."""
    return build.algorithm, build.degree, build.random, build.series


def _figure(
    view: StudyView, board: BoardFacts, builds: Sequence[MaskedBuild], known: Known
) -> Figure:
    points: dict[str, list[tuple[int, float]]] = {}
    drawn = [each for each in builds if each.random != FREE] or builds
    for build in drawn:
        package = "" if build.series in BUNDLED_SERIES else f" {build.series}"
        name = f"{view.data.title_of(build.algorithm)}{package}{_ENDS[build.degree]}"
        points.setdefault(name, [(1, 1.0)]).append((build.shares, build.overhead))
    shown = {(build.algorithm, build.degree) for build in drawn}
    published_ones = [
        (f"{view.data.title_of(algorithm)}{_ENDS[degree]}, published", shares, overhead)
        for (algorithm, place, degree, shares), overhead in known.items()
        if place == board.id and (algorithm, degree) in shown
    ]
    for name, shares, overhead in published_ones:
        points.setdefault(name, [(1, 1.0)]).append((shares, overhead))
    sources = {SOURCES.get(each.random, each.random) for each in drawn}
    names = list(points)
    styles = line_styles(names)
    lines = tuple(
        Line(name, tuple(sorted(each)), styles[name])
        for name, each in points.items()
        if name in styles
    )
    slug = view.slug(board.id, "masking")
    ordered = sorted(lines, key=lambda line: line.points[-1][1])
    return Figure(
        slug=slug,
        title=f"Overhead of masking on the {short_title(board)}, by number of shares",
        caption=(
            "Cycles in multiples of those without masks, which is one share, with random words "
            f"from {' or '.join(sorted(sources))}. “Ends” means that initialization and "
            "finalization are masked, but not what is between them."
        ),
        label=(
            f"Line chart for the {board.title}: overhead of the largest number of shares, "
            + ", ".join(f"{line.name} {rounded(line.points[-1][1])}" for line in ordered)
            + "."
        ),
        chart=Curves(
            "Cycles / cycles without masks", lines, logarithmic=True, below="Shares", first=1
        ),
        numbers=pa.Table.from_pylist(
            [
                {
                    "algorithm": each.algorithm,
                    "implementation": each.implementation,
                    "board": each.board,
                    "flags": each.flags,
                    "masked": each.degree,
                    "random": each.random,
                    "shares": each.shares,
                    "cycles": each.cycles,
                    "baseline": each.baseline,
                    "baseline_cycles": each.baseline_cycles,
                    "overhead": each.overhead,
                    **{f"cycles_{op}_{m}": n for (op, m), n in sorted(each.packets.items())},
                }
                for each in builds
            ]
        ),
    )


def _overheads(
    view: StudyView, board: BoardFacts, builds: Sequence[MaskedBuild], known: Known
) -> Table:
    groups: dict[tuple[str, str, str, str], dict[int, MaskedBuild]] = {}
    for build in builds:
        groups.setdefault(_line_of(build), {})[build.shares] = build
    numbers = sorted({build.shares for build in builds})
    rows = []
    for (algorithm, degree, random, series), own in groups.items():
        first = next(iter(own.values()))
        rows.append(
            TableRow(
                (
                    _name(view, algorithm),
                    Cell(
                        DEGREES[degree],
                        DEGREES[degree],
                        small="" if series in BUNDLED_SERIES else series,
                    ),
                    words(SOURCES.get(random, random)),
                    Cell(
                        integer(first.baseline_cycles), first.baseline_cycles, small=first.baseline
                    ),
                    *(_overhead(own.get(n), _comparable(known, own.get(n))) for n in numbers),
                )
            )
        )
    slug = view.slug(board.id, "masking-overhead")
    compared = any(_comparable(known, build) is not None for build in builds)
    return Table(
        id=slug,
        caption=f"Overhead on the {short_title(board)}",
        columns=(
            Column("Algorithm"),
            Column("Masked"),
            Column("Randomness"),
            Column("Without masks", "cycles", numeric=True),
            *(Column(count(n, "share"), "times the cycles", numeric=True) for n in numbers),
        ),
        rows=tuple(rows),
        csv=f"{slug}.csv",
        footnote=(
            "Below the overheads of C with the part's generator: the published one, which is of C "
            "with that generator too."
            if compared
            else ""
        ),
    )


def _comparable(known: Known, build: MaskedBuild | None) -> float | None:
    """The published overhead of the same kind: of C in which the same part is masked, with the
    part's generator.
    """
    if build is None or build.random != PARTS_OWN or build.series not in BUNDLED_SERIES:
        return None
    return known.get((build.algorithm, build.board, build.degree, build.shares))


def _overhead(build: MaskedBuild | None, known: float | None) -> Cell:
    if build is None:
        return Cell(MISSING, None, weak=True)
    small = "" if known is None else f"published {known:.2f}"
    return Cell(f"{build.overhead:.2f}", build.overhead, small=small)


def _costs(view: StudyView, board: BoardFacts, builds: Sequence[MaskedBuild]) -> Table:
    longest = max(m for build in builds for op, m in build.packets if op == "enc")
    rows = tuple(
        TableRow(
            (
                _name(view, each.algorithm),
                words(each.implementation),
                words(SOURCES.get(each.random, each.random)),
                number(each.packets["enc", longest], integer),
                number(each.random_words, integer),
                Cell(f"{each.waiting:.0%}", each.waiting),
                number(each.flash, integer),
                number(each.ram, integer),
            )
        )
        for each in builds
    )
    slug = view.slug(board.id, "masking-costs")
    return Table(
        id=slug,
        caption=f"Costs of encrypting {count(longest, 'byte')} on the {short_title(board)}",
        columns=(
            Column("Algorithm"),
            Column("Implementation"),
            Column("Randomness"),
            Column("Encrypt", "cycles", numeric=True),
            Column("Random words", "of 32 bits", numeric=True),
            Column("Waiting", "of the cycles", numeric=True),
            Column("Flash", "bytes", numeric=True),
            Column("RAM and stack", "bytes", numeric=True),
        ),
        rows=rows,
        csv=f"{slug}.csv",
        filters=True,
        example="such as masked2",
    )


def _name(view: StudyView, algorithm: str) -> Cell:
    return words(view.data.title_of(algorithm), algorithm_page(algorithm))
