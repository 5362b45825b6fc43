"""`pennyweight devices`."""

from __future__ import annotations

import click

from pennyweight.cli.command import Command
from pennyweight.cli.output import (
    Column,
    format_option,
    print_csv,
    print_json,
    print_table,
)

_COLUMNS = (
    Column("on", "--on"),
    Column("what", "device", prose=True),
    Column("boards", "boards", prose=True),
    Column("missing", "missing", prose=True),
)


@click.command(
    "devices",
    cls=Command,
    pages=True,
    examples=(
        "pennyweight devices",
        "pennyweight devices --udev-rules | sudo tee /etc/udev/rules.d/69-pennyweight.rules",
    ),
)
@format_option
@click.option(
    "--udev-rules",
    is_flag=True,
    help="Print Linux's udev rules that give users access to probes and ports.",
)
def command(form: str, udev_rules: bool) -> int:
    """List debug probes and serial ports, the values for --on, and missing dependencies.

    The last rows are tools that are not installed, and boards that are only simulated.
    A probe fits every board with a debug port. The connected part is identified before a
    measurement writes to it.
    """
    if udev_rules:
        from pennyweight.devices.usb import udev_rules as rules

        click.echo(rules(), nl=False)
        return 0
    from pennyweight.api.real_boards import device_rows
    from pennyweight.catalogue import load

    rows = device_rows(load())
    if form == "json":
        print_json(rows)
    elif form == "csv":
        print_csv(rows)
    else:
        print_table(rows, _COLUMNS)
    if not any(row["on"] for row in rows):
        click.echo("No debug probe or serial port found.", err=True)
    return 0
