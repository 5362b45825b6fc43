"""The rows of a comparison: order, columns and texts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any

from pennyweight.cli.output import KEEP, Column

if TYPE_CHECKING:
    import pyarrow as pa

    from pennyweight.analysis.comparison import Summary
    from pennyweight.analysis.means import Spread


def gravity(row: dict[str, Any], missing_first: bool) -> tuple[int, float]:
    """Sort key: largest growth first, missing rows before or after it, new rows last."""
    if row["after"] is None:
        return (0 if missing_first else 3, 0.0)
    if row["before"] is None:
        return (2, 0.0)
    return (1, -(row["ratio"] if row["ratio"] is not None else float("inf")))


def by_bytes(row: dict[str, Any]) -> float:
    """Sort key: largest growth in bytes first; a new function counts as grown."""
    return -float(row["difference"])


def condensed(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The worst case of each build and metric, which comes first in `rows`, and their number."""
    worst: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        one_sided = (row["before"] is None, row["after"] is None)
        names = ("algorithm", "implementation", "board", "flags", "metric", "name", "section")
        key = (*(row.get(name) for name in names), row.get("op"), one_sided)
        worst.setdefault(key, {**row, "cases": 0})["cases"] += 1
    return list(worst.values())


Failing = Callable[[dict[str, Any]], bool]


def failing_above(
    allowed: float | None, allow_missing: bool, grown: Callable[[float, float, float], bool]
) -> Failing:
    """A test for failing rows; `allowed` is the largest accepted growth, `None`: any."""

    def failing(row: dict[str, Any]) -> bool:
        if allowed is None or row["before"] is None:
            return False
        if row["after"] is None:
            return not allow_missing
        return grown(row["before"], row["after"], allowed)

    return failing


def cells(row: dict[str, Any], failing: Failing) -> dict[str, Any]:
    """The texts of a row by column; `fails` is "!" in a failing one."""
    case = row.get("op") or ""
    if row.get("ad") is not None and case != "build":
        case = f"{case}{KEEP}{row['ad']}:{row['m']}"
        if row.get("cases", 1) > 1:
            case += f" and {row['cases'] - 1} more"
    return {
        "build": f"{row['algorithm']}/{row['implementation']}",
        "board": row["board"],
        "flags": row["flags"],
        "case": case,
        "what": row.get("metric") or row.get("name"),
        "before": _number(row["before"]),
        "after": _number(row["after"]),
        "difference": _signed(row["difference"]),
        "ratio": "-" if row["ratio"] is None else f"{row['ratio']:.4f}",
        "fails": "!" if failing(row) else "",
    }


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"


def _signed(value: float | None) -> str:
    return "-" if value is None else ("+" if value > 0 else "") + _number(value)


def columns_of(
    compared: pa.Table, name: str, fixed: Collection[str], with_limit: bool
) -> list[Column]:
    """The columns that name rows or vary between them, without keys that both sides fix, and with
    the failing rows marked if there is a limit.
    """

    def varies(key: str) -> bool:
        return key not in fixed and len(compared[key].unique()) > 1

    columns = [Column("build", "implementation")]
    columns += [Column(key, key) for key in ("board", "flags") if varies(key)]
    if name == "metric":
        columns.append(Column("case", "case"))
    columns.append(Column("what", name))
    columns += [
        Column("before", "A", right=True),
        Column("after", "B", right=True),
        Column("difference", f"B{KEEP}-{KEEP}A", rank=1, right=True),
        Column("ratio", f"B{KEEP}/{KEEP}A", right=True),
    ]
    return [*columns, Column("fails", "fails")] if with_limit else columns


def sentence(summary: Summary, allowed: float | None, by_metric: Mapping[str, Spread]) -> str:
    """The outcome: how many figures were compared, differ, are missing and grew too much."""
    parts = [f"{summary.compared:,} figures compared, {summary.changed:,} differ"]
    if len(by_metric) > 1:
        geometric = ", ".join(f"{name} {spread.mean:.4f}" for name, spread in by_metric.items())
        parts.append(f"geometric means of B / A: {geometric}")
    elif summary.spread is not None:
        parts.append(f"geometric mean of B / A {summary.spread.mean:.4f}")
    if summary.missing:
        parts.append(f"{summary.missing:,} only in A")
    if summary.new:
        parts.append(f"{summary.new:,} only in B")
    if allowed is not None:
        limit = f"{allowed * 100:g}%"
        parts.append(f"{summary.grown:,} larger by more than {limit}")
    return "; ".join(parts) + "."
