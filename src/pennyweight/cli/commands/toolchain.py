"""`pennyweight toolchain`."""

from __future__ import annotations

from pathlib import Path

import click

from pennyweight.cli.command import Command, Group
from pennyweight.cli.options import jobs_option
from pennyweight.cli.output import Column, format_option, print_csv, print_json, print_table

_COLUMNS = (
    Column("toolchain", "compiler"),
    Column("found", "found at, or how to get it"),
)


@click.group(
    "toolchain",
    cls=Group,
    examples=("pennyweight toolchain list", "pennyweight toolchain build msp430"),
)
def command() -> None:
    """List compilers, and build those that nobody packages."""


@command.command(
    "list",
    cls=Command,
    examples=("pennyweight toolchain list", "pennyweight toolchain list --format json"),
)
@format_option
def list_command(form: str) -> None:
    """List the compilers that boards need: where each is, or how to get it."""
    from pennyweight.api.compilers import toolchain_rows

    rows = toolchain_rows()
    if form == "json":
        print_json(rows)
    elif form == "csv":
        print_csv(rows)
    else:
        print_table(
            [{**row, "found": row["driver"] or f"missing: {row['remedy']}"} for row in rows],
            _COLUMNS,
        )


@command.command(
    "build",
    cls=Command,
    examples=(
        "pennyweight toolchain build msp430",
        "pennyweight toolchain build arm-none-eabi-gcc-7 --source gcc-7.3.0.tar.xz",
    ),
)
@click.argument("name")
@click.option(
    "--source",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The source archive, where no package of the distribution brings it; a copy is kept.",
)
@jobs_option
def build_command(name: str, source: Path | None, jobs: int | None) -> None:
    """Build a compiler from source into the cache, and print where it is.

    It takes 10 to 30 minutes, once. An interrupted build carries on with the same command.
    """
    from pennyweight.api.compilers import build_toolchain

    click.echo(build_toolchain(name, jobs, source))
