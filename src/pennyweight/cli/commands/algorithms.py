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
    Column("output", "tag, digest", write_size, rank=5),
    Column("status", "status", rank=1),
    Column("known_answers", "known answers", rank=2),
    Column("implementations", "impl."),
    Column("family", "family", extra=True),
    Column("primary", "primary", extra=True),
    Column("year", "year", str, extra=True),
    Column("specification", "specification", prose=True, extra=True),
)


@click.command(
    "algorithms",
    cls=Command,
    examples=(
        "pennyweight algorithms",
        "pennyweight algorithms ascon 'aes-*'",
        "pennyweight algorithms --status finalist",
        "pennyweight algorithms --format csv",
    ),
)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--status", help="Only those of this status, such as standard, finalist or broken.")
@format_option
def command(names: tuple[str, ...], status: str | None, form: str) -> None:
    """List the algorithms: kind, sizes in bytes, status, known answers, implementations.

    NAME is an algorithm, a family, or a pattern such as 'aes-*'; all are listed without one. JSON
    and CSV have the digests of the official known answers, notes and other names too.
    """
    from pennyweight.api.listing import algorithm_rows, choose_algorithms
    from pennyweight.catalogue import load

    catalogue = load()
    rows = algorithm_rows(catalogue, choose_algorithms(catalogue, names, status))
    if form == "json":
        print_json(rows)
    elif form == "csv":
        print_csv(rows)
    else:
        print_table([{**row, "output": row["tag"] or row["digest"]} for row in rows], _COLUMNS)
