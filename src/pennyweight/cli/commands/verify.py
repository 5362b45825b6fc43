"""`pennyweight verify`."""

from __future__ import annotations

import click

from pennyweight.cli.command import Command
from pennyweight.cli.options import board_option, flags_option, jobs_option
from pennyweight.cli.output import Column, format_option, print_csv, print_json, print_table

_COLUMNS = (
    Column("name", "implementation"),
    Column("board", "board"),
    Column("status", "status"),
    Column("said", "what passed, or what went wrong"),
)


@click.command(
    "verify",
    cls=Command,
    examples=(
        "pennyweight verify",
        "pennyweight verify ascon-aead128 --board atmega328p",
        "pennyweight verify ./my-cipher --board stm32f030 --flags -O3",
    ),
)
@click.argument("names", nargs=-1, metavar="[PATH_OR_NAME]...")
@board_option(required=False)
@flags_option(multiple=False)
@jobs_option
@format_option
def command(
    names: tuple[str, ...], boards: tuple[str, ...], flags: str, jobs: int | None, form: str
) -> int:
    """Prove implementations right on boards; all bundled ones on all boards unless named.

    On the simulated part every known answer is encrypted and decrypted, forgeries are tried, and
    guards around all buffers report what is read or written outside. Exit status 1 if one fails.
    """
    from pennyweight.api import measuring, progress
    from pennyweight.api.listing import choose_implementations
    from pennyweight.catalogue import load

    catalogue = load()
    planned = measuring.verify_jobs(
        choose_implementations(catalogue, names),
        measuring.choose_boards(catalogue, boards),
        [flags],
    )
    with progress("Verifying") as bar:
        rows = [
            measuring.verdict_of(finished)
            for finished in measuring.finish_in_order(planned, jobs, bar)
        ]
    if form == "json":
        print_json(rows)
    elif form == "csv":
        print_csv(rows)
    else:
        print_table(
            [{**row, "name": _name(row), "said": row["reason"] or row["verified"]} for row in rows],
            _COLUMNS,
        )
    return 0 if all(row["status"] == "ok" for row in rows) else 1


def _name(row: dict[str, str]) -> str:
    return f"{row['algorithm']}/{row['implementation']}"
