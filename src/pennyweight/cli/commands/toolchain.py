"""`pennyweight toolchain`."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

import click

from pennyweight.cli.command import Command, Group
from pennyweight.cli.completion import completer
from pennyweight.cli.options import jobs_option
from pennyweight.cli.output import Column, format_option, print_csv, print_json, print_table

_COLUMNS = (
    Column("toolchain", "compiler"),
    Column("found", "path, or how to install it", prose=True),
)


@click.group(
    "toolchain",
    cls=Group,
    examples=(
        "pennyweight toolchain list",
        "pennyweight toolchain install arm",
        "pennyweight toolchain build msp430",
    ),
)
def command() -> None:
    """List, install and build compilers."""


@command.command(
    "list",
    cls=Command,
    pages=True,
    examples=("pennyweight toolchain list", "pennyweight toolchain list --format json"),
)
@format_option
def list_command(form: str) -> None:
    """List all compilers, with paths or install commands."""
    from pennyweight.api.installing import toolchain_rows

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
    help="Source archive, if no package of the distribution has it; a copy is kept.",
)
@jobs_option
def build_command(name: str, source: Path | None, jobs: int | None) -> None:
    """Build a compiler from source into the cache, and print its path.

    The build takes 10 to 30 minutes, once. If it is interrupted, the same command continues it.
    """
    from pennyweight.api.compilers import build_toolchain

    click.echo(build_toolchain(name, jobs, source))


@command.command(
    "install",
    cls=Command,
    examples=(
        "pennyweight toolchain install arm riscv",
        "pennyweight toolchain install avr --dry-run",
    ),
)
@click.argument(
    "names", nargs=-1, required=True, metavar="NAME...", shell_complete=completer("compiler_name")
)
@click.option("--dry-run", is_flag=True, help="Print the commands; install nothing.")
def install_command(names: Sequence[str], dry_run: bool) -> None:
    """Install compilers from the system's packages.

    The compilers' paths are printed. NAME is avr, arm, riscv, msp430, xtensa, esp32 or mips, a
    compiler's name, clang or clang-19. Compilers without a package are built from source, as
    `toolchain build` does.
    """
    from pennyweight.api.installing import install_commands, install_compiler

    commands = {name: install_commands(name) for name in dict.fromkeys(names)}
    for name, (found, steps) in commands.items():
        if not dry_run:
            click.echo(install_compiler(name))
            continue
        for each in steps:
            click.echo(shlex.join(each))
        if found.locate() is not None:
            click.echo(f"{found.name} is installed: {found.locate()}")
        elif found.recipe is not None:
            click.echo(f"pennyweight toolchain build {found.short}")
