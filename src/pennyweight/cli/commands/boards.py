"""`pennyweight boards`."""

from __future__ import annotations

from typing import Any

import click

from pennyweight.cli.command import Command
from pennyweight.cli.output import Column, format_option, print_csv, print_json, print_table


def _megahertz(value: int) -> str:
    return f"{value / 1e6:g} MHz"


def _kilobytes(value: int) -> str:
    return f"{value / 1024:g} KB"


def _core(value: str) -> str:
    return value.replace("plus", "+")


def _compiler(row: dict[str, Any]) -> str:
    return f"{row['compiler']}{'' if row['compiler_found'] else ' (missing)'}"


_COLUMNS = (
    Column("board", "board"),
    Column("core", "core", _core, rank=1),
    Column("bits", "bits", rank=3),
    Column("clock_hz", "clock", _megahertz, rank=2),
    Column("flash", "flash", _kilobytes),
    Column("ram", "RAM", _kilobytes),
    Column("needs", "compiler"),
    Column("title", "description", extra=True),
)


@click.command(
    "boards",
    cls=Command,
    pages=True,
    examples=(
        "pennyweight boards",
        "pennyweight boards --format json",
    ),
)
@format_option
def command(form: str) -> None:
    """List the boards: core, clock, flash, RAM, and the required compiler.

    Your own board is a TOML file; pass its path as --board my-board.toml.
    """
    from pennyweight.api.listing import board_rows
    from pennyweight.catalogue import load

    rows = board_rows(load())
    if form == "json":
        print_json(rows)
    elif form == "csv":
        print_csv(rows)
    else:
        print_table([{**row, "needs": _compiler(row)} for row in rows], _COLUMNS)
