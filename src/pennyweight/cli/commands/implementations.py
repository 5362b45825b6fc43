"""`pennyweight implementations`."""

from __future__ import annotations

import click

from pennyweight.cli.command import Command
from pennyweight.cli.output import Column, format_option, print_csv, print_json, print_table

_COLUMNS = (
    Column("implementation", "implementation"),
    Column("kind", "kind", rank=2),
    Column("constant_time", "constant time"),
    Column("word_bits", "word bits", rank=1),
    Column("incremental", "parts", rank=3),
    Column("license", "licence", rank=4),
    Column("title", "title", extra=True),
)


@click.command(
    "implementations",
    cls=Command,
    pages=True,
    examples=(
        "pennyweight implementations",
        "pennyweight implementations aes-128-gcm",
        "pennyweight implementations ~/lwc/implementations --format json",
    ),
)
@click.argument("names", nargs=-1, metavar="[PATH_OR_NAME]...")
@format_option
@click.pass_context
def command(context: click.Context, names: tuple[str, ...], form: str) -> None:
    """List the implementations: all bundled ones, or those given by PATH_OR_NAME.

    PATH_OR_NAME is an algorithm, algorithm/implementation, a pattern such as 'aes-*', or the path
    of a folder, or tree of folders, in the layout of SUPERCOP and NIST packages. The exit status is
    1 if an implementation cannot be used; the reason is printed.
    """
    from pennyweight.api.listing import choose_implementations, implementation_rows
    from pennyweight.catalogue import load

    rows = implementation_rows(choose_implementations(load(), names))
    if form == "json":
        print_json(rows)
    elif form == "csv":
        print_csv(rows)
    else:
        print_table(rows, _COLUMNS)
    problems = [row["problem"] for row in rows if row["problem"]]
    for problem in problems:
        click.echo(problem, err=True)
    if problems:
        context.exit(1)
