"""`pennyweight compare`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from pennyweight.api.requests import CompareRequest
from pennyweight.cli.command import Command
from pennyweight.cli.output import Column, print_csv, print_json, print_table
from pennyweight.cli.requests import asking
from pennyweight.model import UserError

if TYPE_CHECKING:
    import pyarrow as pa

    from pennyweight.analysis.comparison import Summary
    from pennyweight.analysis.means import Spread

_SHOWN = 40
"""Rows of a table without --all."""


@click.command(
    "compare",
    cls=Command,
    examples=(
        "pennyweight compare results-main results-branch --fail-above 0%",
        "pennyweight compare results results --a flags=-Os --b flags=-O3 --metric cycles,flash",
        "pennyweight compare old.json new.json --format markdown",
        "pennyweight compare published:one-euro results --b board=stm32f030",
        "pennyweight compare nist results --common --metric cycles",
    ),
)
@asking(CompareRequest)
@click.option(
    "--fail-above",
    metavar="PERCENT",
    help="Exit status 1 if a figure of B is larger by more than this or missing.",
)
@click.option(
    "--allow-missing", is_flag=True, help="Rows missing from B do not fail the comparison."
)
@click.option("--common", is_flag=True, help="Compare only rows that both sides have.")
@click.option("--all", "everything", is_flag=True, help="Also print equal figures.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv", "markdown"]),
    default="table",
    show_default=True,
    help="Output format; markdown is for pull requests.",
)
def command(
    request: CompareRequest,
    fail_above: str | None,
    allow_missing: bool,
    common: bool,
    everything: bool,
    form: str,
) -> int:
    """Compare two sets of measurements, B with A, figure by figure.

    A and B are results folders, JSON or CSV files that `measure` printed, or published:NAME. To
    compare boards or flags within one folder, select rows with --a and --b; keys that both sides
    fix to different values are not compared. Counts are exact, so --fail-above 0% fails on a
    single extra cycle.
    """
    from pennyweight.analysis.comparison import has_grown, means, only_common, summarize
    from pennyweight.api.comparing import compare_inputs, inputs

    allowed = None if fail_above is None else _part(fail_above)
    functions = request.functions
    given = inputs(request)
    a, b = given.a, given.b
    compared = compare_inputs(given, functions)
    name = "name" if functions else "metric"
    if common:
        compared = only_common(compared)
    summary = summarize(compared, allowed or 0.0)
    if summary.compared == 0:
        raise UserError(
            f"{a.label} and {b.label} have no figures in common; fix keys to ignore on both sides, "
            "such as --a flags=-Os --b flags=-O3"
        )
    rows = [row for row in compared.to_pylist() if everything or row["before"] != row["after"]]
    if functions:
        rows.sort(key=_bytes_less)
    else:
        rows.sort(key=partial(_gravity, missing_first=allowed is not None and not allow_missing))
    if form == "json":
        print_json(rows)
    elif form == "csv":
        print_csv(rows)
    else:
        failing = _failing(allowed, allow_missing, has_grown)
        lines = rows if everything else _condensed(rows)
        shown = lines if everything else lines[:_SHOWN]
        columns = _columns(compared, name, a.pinned.keys() & b.pinned.keys())
        if form == "markdown":
            _markdown(shown, columns, failing, a.label, b.label)
        elif shown:
            print_table([_cells(row, failing) for row in shown], columns)
        if len(lines) > len(shown):
            click.echo(f"… and {len(lines) - len(shown):,} more lines: use --all to print them.")
        by_metric = {} if functions else means(compared)
        sentence = _sentence(summary, allowed, by_metric)
        click.echo(("\n" if form == "markdown" else "") + sentence)
    if allowed is None:
        return 0
    return 1 if summary.grown or (summary.missing and not allow_missing) else 0


def _part(text: str) -> float:
    """Converts a percentage to a fraction. Raises UserError."""
    try:
        part = float(text.removesuffix("%")) / 100
    except ValueError:
        part = -1.0
    if not 0 <= part < 1e6:
        raise UserError(f"--fail-above: '{text}' is not a percentage; use 0% or 1.5%, for example")
    return part


def _gravity(row: dict[str, Any], missing_first: bool) -> tuple[int, float]:
    """Sort key: largest growth first, missing rows before or after it, new rows last."""
    if row["after"] is None:
        return (0 if missing_first else 3, 0.0)
    if row["before"] is None:
        return (2, 0.0)
    return (1, -(row["ratio"] if row["ratio"] is not None else float("inf")))


def _bytes_less(row: dict[str, Any]) -> float:
    """Sort key: largest growth in bytes first; a new function counts as grown."""
    return -float(row["difference"])


def _condensed(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The worst case of each build and metric, which comes first in `rows`, and their number."""
    worst: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        one_sided = (row["before"] is None, row["after"] is None)
        names = ("algorithm", "implementation", "board", "flags", "metric", "name", "section")
        key = (*(row.get(name) for name in names), row.get("op"), one_sided)
        worst.setdefault(key, {**row, "cases": 0})["cases"] += 1
    return list(worst.values())


Failing = Callable[[dict[str, Any]], bool]


def _failing(
    allowed: float | None, allow_missing: bool, grown: Callable[[float, float, float], bool]
) -> Failing:
    def failing(row: dict[str, Any]) -> bool:
        if allowed is None or row["before"] is None:
            return False
        if row["after"] is None:
            return not allow_missing
        return grown(row["before"], row["after"], allowed)

    return failing


def _cells(row: dict[str, Any], failing: Failing) -> dict[str, Any]:
    case = row.get("op") or ""
    if row.get("ad") is not None and case != "build":
        case = f"{case} {row['ad']}:{row['m']}"
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


def _columns(compared: pa.Table, name: str, fixed: Collection[str]) -> list[Column]:
    """The columns that name rows or vary between them, without keys that both sides fix."""

    def varies(key: str) -> bool:
        return key not in fixed and len(compared[key].unique()) > 1

    columns = [Column("build", "implementation")]
    columns += [Column(key, key) for key in ("board", "flags") if varies(key)]
    if name == "metric":
        columns.append(Column("case", "case"))
    columns.append(Column("what", name))
    return columns + [
        Column(each, title)
        for each, title in (
            ("before", "A"),
            ("after", "B"),
            ("difference", "B - A"),
            ("ratio", "B / A"),
            ("fails", ""),
        )
    ]


def _markdown(
    rows: list[dict[str, Any]], columns: Sequence[Column], failing: Failing, a: str, b: str
) -> None:
    click.echo(f"**A**: `{a}`, **B**: `{b}`\n")
    if not rows:
        return
    numbers = ("before", "after", "difference", "ratio")
    click.echo("| " + " | ".join(column.title for column in columns) + " |")
    click.echo("|" + "|".join(" ---: " if c.name in numbers else " --- " for c in columns) + "|")
    for row in rows:
        cells = _cells(row, failing)
        texts = [str(cells[column.name]).replace("|", "\\|") for column in columns]
        click.echo("| " + " | ".join(texts) + " |")


def _sentence(summary: Summary, allowed: float | None, by_metric: Mapping[str, Spread]) -> str:
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
