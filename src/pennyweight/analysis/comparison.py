"""Compares two sets of measurements: differences, and missing rows.

Both sides are tables of *figures*: one row for each number, with the columns of :data:`KEYS`,
`metric` and `value`. Cycles, instructions and stack belong to a case. Flash and RAM belong to a
build; they have the operation ``build`` and no lengths.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import pyarrow as pa

from pennyweight.analysis.means import Spread, geometric
from pennyweight.analysis.rows import query

KEYS = ("algorithm", "implementation", "board", "flags", "op", "ad", "m")
"""The keys of a figure; two figures are compared if they agree in these."""

OF_A_CASE = ("cycles", "instructions", "stack")
OF_A_BUILD = ("flash", "flash_enc", "flash_dec", "ram")
METRICS = (*OF_A_CASE, *OF_A_BUILD)
"""Metrics that can be compared; smaller is better in all of them."""

BUILD = "build"

SCHEMA = pa.schema(
    [(name, pa.int64() if name in ("ad", "m") else pa.string()) for name in KEYS]
    + [("metric", pa.string()), ("value", pa.float64())]
)


def figures(rows: pa.Table, metrics: Collection[str] = METRICS) -> pa.Table:
    """The figures of a table of measurements; cases without a measurement have none."""
    cases = [name for name in OF_A_CASE if name in metrics]
    builds = [name for name in OF_A_BUILD if name in metrics]
    parts = [_case_figures(name) for name in cases] + [_build_figures(name) for name in builds]
    if not parts:
        return SCHEMA.empty_table()
    return query(" UNION ALL ".join(parts), measured=rows).cast(SCHEMA)


def _case_figures(metric: str) -> str:
    return (
        f"SELECT {', '.join(KEYS)}, '{metric}' AS metric, {metric}::DOUBLE AS value "
        f"FROM measured WHERE {metric} IS NOT NULL"
    )


def _build_figures(metric: str) -> str:
    return (
        f"SELECT algorithm, implementation, board, flags, '{BUILD}' AS op, NULL AS ad, NULL AS m, "
        f"'{metric}' AS metric, max({metric})::DOUBLE AS value "
        f"FROM measured WHERE {metric} IS NOT NULL GROUP BY ALL"
    )


def compare(before: pa.Table, after: pa.Table, ignore: Iterable[str] = ()) -> pa.Table:
    """Pairs figures that agree in all keys except those of `ignore`.

    Columns: the keys (of an ignored one that of `after`, if available), metric, before, after,
    difference (after - before) and ratio (after / before; null if `before` is 0). A figure that
    only one side has is included with null on the other side. Ordered by keys.
    """
    left_out = set(ignore)
    on = [key for key in KEYS if key not in left_out] + ["metric"]
    match = " AND ".join(f"a.{key} IS NOT DISTINCT FROM b.{key}" for key in on)
    keys = ", ".join(f"coalesce(b.{key}, a.{key}) AS {key}" for key in KEYS)
    return query(
        f"""
        SELECT {keys}, coalesce(b.metric, a.metric) AS metric,
               a.value AS before, b.value AS after,
               b.value - a.value AS difference, b.value / nullif(a.value, 0) AS ratio
        FROM before AS a FULL JOIN after AS b ON {match}
        ORDER BY ALL
        """,
        before=before,
        after=after,
    )


def only_common(compared: pa.Table) -> pa.Table:
    """The figures of a comparison that both sides have."""
    return query(
        "SELECT * FROM compared WHERE before IS NOT NULL AND after IS NOT NULL ORDER BY ALL",
        compared=compared,
    )


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary of a comparison."""

    compared: int
    changed: int
    grown: int
    """How many are larger by more than the allowed fraction."""
    missing: int
    """Figures of the first side that the second does not have."""
    new: int
    spread: Spread | None
    """Geometric mean and deviation of all ratios, of whatever metric (see :func:`means` for each
    metric); None if there are none."""


def summarize(compared: pa.Table, allowed: float = 0.0) -> Summary:
    """Counts of a comparison; `allowed` is the fraction by which a figure may grow (0.01: 1 %)."""
    both = changed = grown = missing = new = 0
    ratios = []
    for row in compared.select(["before", "after", "ratio"]).to_pylist():
        before, after = row["before"], row["after"]
        if after is None:
            missing += 1
        elif before is None:
            new += 1
        else:
            both += 1
            changed += before != after
            grown += has_grown(before, after, allowed)
            if row["ratio"]:
                ratios.append(row["ratio"])
    return Summary(both, changed, grown, missing, new, geometric(ratios) if ratios else None)


def means(compared: pa.Table) -> dict[str, Spread]:
    """Geometric mean and deviation of the ratios of each metric, without figures that have no
    ratio.

    Cycles and bytes are separate, because a mean over both would be meaningless.
    """
    ratios: dict[str, list[float]] = {}
    for row in compared.select(["metric", "ratio"]).to_pylist():
        if row["ratio"]:
            ratios.setdefault(row["metric"], []).append(row["ratio"])
    known = {name: ratios[name] for name in METRICS if name in ratios}
    return {name: geometric(values) for name, values in known.items()}


def has_grown(before: float, after: float, allowed: float) -> bool:
    """Whether `after` is larger than `before` by more than the allowed fraction of it."""
    # 29 % of 100 is 28.999… in binary; rounding errors are far below one for counts up to 2**40.
    return after > before and after - before > before * allowed * (1 + 1e-12)
