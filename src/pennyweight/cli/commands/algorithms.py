"""`pennyweight algorithms`."""

from __future__ import annotations

import click

from pennyweight.cli.command import Command
from pennyweight.cli.output import (
    Column,
    format_option,
    print_csv,
    print_json,
    print_table,
    write_size,
)

_COLUMNS = (
    Column("algorithm", "algorithm"),
    Column("kind", "kind"),
    Column("key", "key", write_size, rank=3),
    Column("nonce", "nonce", write_size, rank=4),
    Column("tag", "tag", write_size, rank=5),
    Column("digest", "digest", write_size, rank=6),
    Column("status", "status", rank=1),
    Column("known_answers", "known answers", rank=2),
    Column("implementations", "impl."),
    Column("year", "year", str, extra=True),
    Column("specification", "specification", extra=True),
    Column("primary", "primary", extra=True),
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
