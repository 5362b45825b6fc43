"""`pennyweight devices`."""

from __future__ import annotations

import click

from pennyweight.cli.command import Command
from pennyweight.cli.output import Column, format_option, print_csv, print_json, print_table

_COLUMNS = (
    Column("on", "--on"),
    Column("what", "what", prose=True),
    Column("boards", "boards", prose=True),
    Column("missing", "missing", prose=True),
)


@click.command(
    "devices",
    cls=Command,
    examples=("pennyweight devices", "pennyweight devices --format json"),
)
@format_option
def command(form: str) -> int:
    """List debug probes and serial ports: what to give --on, the boards they fit, what is missing.

    A probe fits every board with a debug port. Which part is behind it is found out when something
    is measured there, before anything is written.
    """
    from pennyweight.api.real_boards import device_rows
    from pennyweight.catalogue import load

    rows = device_rows(load())
    if form == "json":
        print_json(rows)
    elif form == "csv":
        print_csv(rows)
    elif rows:
        print_table(rows, _COLUMNS)
    else:
        click.echo("No debug probe and no serial port is plugged in.")
    return 0
