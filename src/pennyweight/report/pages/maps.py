"""The page of maps, which show for any two builds which is faster at which lengths."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from pennyweight.analysis.facts import BoardFacts
from pennyweight.analysis.maps import Lengths, contest, ratio_map
from pennyweight.charts.map import RatioMap
from pennyweight.charts.palette import CLASSES
from pennyweight.model import Kind
from pennyweight.report.builds import Build
from pennyweight.report.data import NOT_CONSTANT_TIME, ReportData
from pennyweight.report.figures import Figure
from pennyweight.report.numbers import count, times
from pennyweight.report.pages.shared import Ranking, short_title

FILE = "maps.html"

LEAST_LENGTHS = 5
"""Minimum number of messages per length of associated data on a map."""


def content(data: ReportData, rankings: list[Ranking]) -> dict[str, Any] | None:
    """The page's content; None if no two algorithms can be compared over lengths."""
    drawn = [r for r in rankings if r.kind is Kind.AEAD and len(r.fastest) > 1]
    figures = [f for r in drawn if (f := _figure(data, r)) is not None]
    if not figures:
        return None
    return {
        "boards": [r.board for r in drawn],
        "pairs": {r.board.id: [_key(b) for b in _pair(data, r)] for r in drawn},
        "titles": {name: facts.title for name, facts in data.algorithms.items()},
        "kinds": {name: facts.kind for name, facts in data.algorithms.items()},
        "classes": [{"least": c.least, "words": c.words, "other": c.other} for c in CLASSES],
        "least": LEAST_LENGTHS,
        "figures": figures,
    }


def _key(build: Build) -> str:
    return f"{build.algorithm}/{build.implementation} {build.flags}"


def _pair(data: ReportData, ranking: Ranking) -> tuple[Build, Build]:
    """The fastest build of all, and the baseline's fastest build."""
    best = {b.algorithm: b for b in ranking.fastest}
    other = next((best[name] for name in data.baselines if name in best), ranking.fastest[-1])
    one = next(b for b in ranking.fastest if b is not other)
    return one, other


def _figure(data: ReportData, ranking: Ranking) -> Figure | None:
    one, other = _pair(data, ranking)
    ratios = ratio_map(_cycles(data, ranking.board, one), _cycles(data, ranking.board, other))
    ratios = on_map(ratios)
    found = contest(ratios)
    if found is None:
        return None
    names = [b.title + data.mark(b.algorithm, b.implementation) for b in (one, other)]
    board = short_title(ranking.board)
    marked = f" {NOT_CONSTANT_TIME}" if any("†" in name for name in names) else ""
    return Figure(
        slug=f"{ranking.board.id}-map",
        title=f"{names[0]} compared with {names[1]} on the {board}",
        caption=(
            f"Encryption, {one.name} compared with {other.name}. {names[0]} is faster at "
            f"{found.won:,} of {count(found.pairs, 'pair')} of lengths, and "
            f"{times(found.spread.mean)} times as fast in the geometric mean. Blue: {names[0]} is "
            f"faster; orange with a dot: {names[1]} is faster.{marked}"
        ),
        label=(
            f"Map for the {board}: {names[0]} is from {times(found.smallest)} to "
            f"{times(found.largest)} times as fast as {names[1]} over "
            f"{count(found.pairs, 'pair')} of lengths."
        ),
        chart=RatioMap(names[0], names[1], ratios),
        numbers=pa.Table.from_pylist(
            [
                {
                    "board": ranking.board.id,
                    "algorithm": one.algorithm,
                    "implementation": one.implementation,
                    "flags": one.flags,
                    "other": _key(other),
                    "ad": ad,
                    "m": m,
                    "times_as_fast": ratio,
                }
                for (ad, m), ratio in sorted(ratios.items())
            ]
        ),
    )


def on_map(ratios: dict[Lengths, float]) -> dict[Lengths, float]:
    """The pairs that form a grid: those whose length of data has enough messages.

    >>> row = {(16, m): 1.5 for m in range(5)}
    >>> on_map({**row, (0, 102): 2.0}) == row
    True
    """
    messages: dict[int, int] = {}
    for ad, _ in ratios:
        messages[ad] = messages.get(ad, 0) + 1
    return {pair: ratio for pair, ratio in ratios.items() if messages[pair[0]] >= LEAST_LENGTHS}


def _cycles(data: ReportData, board: BoardFacts, build: Build) -> dict[Lengths, int]:
    rows = data.query(
        "SELECT ad, m, cycles FROM rows WHERE board = ? AND algorithm = ? AND implementation = ? "
        "AND flags = ? AND op = 'enc' AND cycles IS NOT NULL",
        board.id,
        build.algorithm,
        build.implementation,
        build.flags,
    )
    return {(row["ad"], row["m"]): row["cycles"] for row in rows}
