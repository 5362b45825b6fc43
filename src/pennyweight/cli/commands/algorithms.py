"""`pennyweight algorithms`."""

from __future__ import annotations

import click

from pennyweight.cli.command import Command
from pennyweight.cli.output import Column, format_option, print_csv, print_json, print_table

_COLUMNS = (
    Column("algorithm", "algorithm"),
    Column("kind", "kind"),
    Column("key", "key"),
    Column("nonce", "nonce"),
    Column("tag", "tag"),
    Column("digest", "digest"),
    Column("status", "status"),
    Column("known_answers", "known answers"),
    Column("implementations", "impl."),
)


@click.command(
    "algorithms",
    cls=Command,
    examples=(
        "pennyweight algorithms",
        "pennyweight algorithms --format csv",
    ),
)
@format_option
def command(form: str) -> None:
    """List the algorithms: kind, sizes in bytes, status, known answers, implementations."""
    from pennyweight.api.listing import algorithm_rows
    from pennyweight.catalogue import load

    rows = algorithm_rows(load())
    if form == "json":
        print_json(rows)
    elif form == "csv":
        print_csv(rows)
    else:
        print_table(rows, _COLUMNS)
