"""`pennyweight compare`."""

from __future__ import annotations

from functools import partial

import click

from pennyweight import markdown
from pennyweight.api.requests import CompareRequest
from pennyweight.cli.command import Command
from pennyweight.cli.comparisontable import (
    by_bytes,
    cells,
    columns_of,
    condensed,
    failing_above,
    gravity,
    sentence,
)
from pennyweight.cli.output import plain, print_csv, print_json, print_table
from pennyweight.cli.requests import asking
from pennyweight.model import UserError

_SHOWN = 40
"""Rows of a table without --all."""


@click.command(
    "compare",
    cls=Command,
    pages=True,
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
    help="Exit with status 1 if a figure of B is larger by more than this, or is missing.",
)
@click.option(
    "--allow-missing", is_flag=True, help="Rows missing from B do not fail the comparison."
)
@click.option("--common", is_flag=True, help="Compare only rows that both sides have.")
@click.option("--all", "everything", is_flag=True, help="Also print equal figures.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv", "markdown", "html"]),
    default="table",
    show_default=True,
    help="Output format: markdown is for pull requests, html is one complete page.",
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
    compare boards or flags within one folder, select rows with --a and --b: a key that both sides
    fix to different values is ignored when rows are matched. Simulated counts are exact, so
    --fail-above 0% fails on a single extra cycle.
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
            f"{a.label} and {b.label} have no figures in common; to compare different boards or "
            "flags, select both sides, such as --a flags=-Os --b flags=-O3"
        )
    rows = [row for row in compared.to_pylist() if everything or row["before"] != row["after"]]
    if functions:
        rows.sort(key=by_bytes)
    else:
        rows.sort(key=partial(gravity, missing_first=allowed is not None and not allow_missing))
    if form == "json":
        print_json(rows)
    elif form == "csv":
        print_csv(rows)
    else:
        failing = failing_above(allowed, allow_missing, has_grown)
        lines = rows if everything else condensed(rows)
        shown = lines if everything or form == "html" else lines[:_SHOWN]
        fixed = a.pinned.keys() & b.pinned.keys()
        columns = columns_of(compared, name, fixed, with_limit=allowed is not None)
        result = sentence(summary, allowed, {} if functions else means(compared))
        table = [cells(row, failing) for row in shown]
        titles = [plain(column.title) for column in columns]
        texts = [[plain(str(row[column.name])) for column in columns] for row in table]
        if form == "html":
            from pennyweight.report.comparison import comparison_page

            heads = [(title, each.right) for title, each in zip(titles, columns, strict=True)]
            click.echo(comparison_page(a.label, b.label, result, heads, texts))
        elif form == "markdown":
            code = markdown.code
            click.echo(f"**A**: {code(a.label)}, **B**: {code(b.label)}\n")
            if shown:
                numbers = [at for at, each in enumerate(columns) if each.right]
                named = [[code(first), *rest] for first, *rest in texts]
                click.echo(markdown.table(titles, named, numbers))
        elif shown:
            print_table(table, columns)
        if len(lines) > len(shown):
            click.echo(f"… and {len(lines) - len(shown):,} more lines: use --all to print them.")
        if form != "html":
            click.echo(("\n" if form == "markdown" else "") + result)
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
