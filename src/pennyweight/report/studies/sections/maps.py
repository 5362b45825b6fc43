"""Maps: speed relative to the baseline over all lengths of data and message."""

from __future__ import annotations

from math import log

import pyarrow as pa

from pennyweight.analysis.facts import BoardFacts
from pennyweight.analysis.maps import Contest, contest, ratio_map
from pennyweight.charts.map import RatioMap
from pennyweight.model import Kind
from pennyweight.report.figures import Figure
from pennyweight.report.numbers import count, integer, rounded
from pennyweight.report.pages.shared import algorithm_page, footnote, short_title
from pennyweight.report.studies.builds import Best, best_of, dagger, named
from pennyweight.report.studies.section import Section
from pennyweight.report.studies.view import StudyView
from pennyweight.report.tables import Cell, Column, Table, TableRow, number, words

Ratios = dict[tuple[int, int], float]

_FASTEST = 2
"""Number of maps to draw for a board, in addition to that of the algorithm closest to the
baseline.
"""


def maps_on(view: StudyView, board: BoardFacts) -> tuple[Best | None, dict[Best, Ratios]]:
    """The baseline's fastest build, and the map of each other algorithm relative to it, fastest
    first.
    """
    baseline = view.baseline(Kind.AEAD)
    pairs = "op = 'enc' AND (ad, m) IN (SELECT (ad, m) FROM study_cases WHERE name = 'pairs')"
    named = {str(group["name"]) for group in view.record.get("scenarios", [])}
    where = pairs if "pairs" in named else "op = 'enc'"
    best = [b for b in best_of(view, Kind.AEAD, where=where) if b.board == board.id]
    found = view.query(
        "SELECT algorithm, implementation, flags, ad, m, cycles FROM study_rows "
        f"WHERE board = ? AND kind = 'aead' AND {where} AND cycles IS NOT NULL "
        "AND list_contains(?, concat_ws(chr(10), algorithm, implementation, flags))",
        board.id,
        ["\n".join(b.key) for b in best],
    )
    cycles: dict[tuple[str, str, str], dict[tuple[int, int], int]] = {}
    for row in found:
        key = (row["algorithm"], row["implementation"], row["flags"])
        cycles.setdefault(key, {})[row["ad"], row["m"]] = row["cycles"]
    base = next((b for b in best if b.algorithm == baseline), None)
    against = cycles[base.key] if base else {}
    maps = {b: ratio_map(cycles[b.key], against) for b in best if b.algorithm != baseline}
    kept = {b: ratios for b, ratios in maps.items() if len(ratios) > 1}
    return base, dict(sorted(kept.items(), key=lambda item: -_contest(item[1]).spread.mean))


def _contest(ratios: Ratios) -> Contest:
    found = contest(ratios)
    assert found is not None
    return found


def section(view: StudyView) -> Section | None:
    """A table and some maps for each board."""
    baseline = view.baseline(Kind.AEAD)
    if baseline is None:
        return None
    tables, figures = [], []
    for board in view.boards:
        base, maps = maps_on(view, board)
        if base is None or not maps:
            continue
        tables.append(_table(view, board, base, maps))
        for best, ratios in _telling(maps).items():
            figures.append(_figure(view, board, base, best, ratios))
    if not tables:
        return None
    title = view.data.title_of(baseline)
    drawn = (
        "For each board, maps are drawn for the two algorithms with the highest mean and the one "
        "closest to 1."
        if figures
        else "Maps need several lengths of associated data and of message."
    )
    return Section(
        title=f"Compared with {title}",
        words=(
            f"Cycles to encrypt of the fastest build of {title}, divided by those of the fastest "
            "build of each algorithm, for every pair of lengths. Above 1, the algorithm is faster. "
            f"Lengths are bytes of associated data and message, separated by a colon. {drawn}",
        ),
        figures=tuple(figures),
        tables=tuple(tables),
    )


def _telling(maps: dict[Best, Ratios]) -> dict[Best, Ratios]:
    """The two fastest maps of a board, and of the others the one closest to 1."""
    shown = [best for best, ratios in maps.items() if _is_grid(ratios)]
    chosen, others = shown[:_FASTEST], shown[_FASTEST:]
    if others:
        chosen.append(min(others, key=lambda best: abs(log(_contest(maps[best]).spread.mean))))
    return {best: maps[best] for best in chosen}


def _is_grid(ratios: Ratios) -> bool:
    """Whether there are several lengths of data and of message."""
    return len({ad for ad, _ in ratios}) > 1 and len({m for _, m in ratios}) > 1


def _figure(view: StudyView, board: BoardFacts, base: Best, best: Best, ratios: Ratios) -> Figure:
    found = _contest(ratios)
    title, baseline = named(view, best), named(view, base)
    mark = dagger(view, [best, base])
    return Figure(
        slug=view.slug(board.id, "map", best.algorithm),
        title=f"{title} compared with {baseline} on the {short_title(board)}",
        caption=(
            f"Cycles to encrypt of {baseline} ({base.implementation} {base.flags}), divided by "
            f"those of {title} ({best.implementation} {best.flags}). Blue: {title} is faster; "
            f"orange with a dot: {baseline} is faster. {title} is faster at {found.won} of "
            f"{count(found.pairs, 'pair')}.{' ' + mark if mark else ''}"
        ),
        label=(
            f"Map of speed ratios over lengths of associated data and message on the "
            f"{board.title}: from {rounded(found.smallest)} at {found.worst[0]}:{found.worst[1]} "
            f"to {rounded(found.largest)} at {found.best[0]}:{found.best[1]}."
        ),
        chart=RatioMap(title, baseline, ratios),
        numbers=pa.Table.from_pylist(
            [{"ad": ad, "m": m, "ratio": ratio} for (ad, m), ratio in sorted(ratios.items())]
        ),
    )


def _table(view: StudyView, board: BoardFacts, base: Best, maps: dict[Best, Ratios]) -> Table:
    labels, lines, numbers = [], [], []
    for best, ratios in maps.items():
        found = _contest(ratios)
        label = view.build_label(best.algorithm, best.implementation, best.flags)
        labels.append(label)
        name = words(best.title, algorithm_page(best.algorithm))
        lines.append(
            TableRow(
                (
                    Cell(name.text, name.value, name.href, small=label),
                    number(found.spread.mean, rounded),
                    Cell(f"{integer(found.won)} of {found.pairs}", found.won / found.pairs),
                    _extreme(found.largest, found.best),
                    _extreme(found.smallest, found.worst),
                )
            )
        )
        numbers += [
            {
                "algorithm": best.algorithm,
                "implementation": best.implementation,
                "flags": best.flags,
                "board": board.id,
                "ad": ad,
                "m": m,
                "ratio": ratio,
            }
            for (ad, m), ratio in sorted(ratios.items())
        ]
    slug = view.slug(board.id, "against-baseline")
    return Table(
        id=slug,
        caption=(
            f"Speed on the {short_title(board)}, relative to {named(view, base)} "
            f"({base.implementation} {base.flags})"
        ),
        columns=(
            Column("Algorithm"),
            Column("Mean", "times as fast", numeric=True, note="Geometric mean over all pairs."),
            Column("Faster at", "pairs", numeric=True),
            Column("Best", "times as fast", numeric=True),
            Column("Worst", "times as fast", numeric=True),
        ),
        rows=tuple(lines),
        csv=f"{slug}.csv",
        filters=True,
        example="such as ascon",
        footnote=footnote([*labels, named(view, base)]),
        numbers=pa.Table.from_pylist(numbers),
    )


def _extreme(ratio: float, lengths: tuple[int, int]) -> Cell:
    return Cell(rounded(ratio), ratio, small=f"{lengths[0]}:{lengths[1]}")
