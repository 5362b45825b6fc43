"""`pennyweight measure`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pennyweight.cli.command import Command
from pennyweight.cli.options import board_option, flags_option, jobs_option, positive
from pennyweight.cli.output import format_option, print_csv, print_json
from pennyweight.model import Status

if TYPE_CHECKING:
    from pennyweight.campaign.engine import Finished
    from pennyweight.campaign.plan import Level


@click.command(
    "measure",
    cls=Command,
    examples=(
        "pennyweight measure ascon-aead128 --board atmega328p,stm32f030",
        "pennyweight measure ./my-cipher --board stm32f030 --lengths 16:64,16:0-256/4",
        "pennyweight measure sha-256 --board atmega328p --lengths 0:1024 --format json",
        "pennyweight measure 'aes-*' --board my-board.toml --flags -Os --flags \"-O3 -flto\"",
    ),
)
@click.argument("names", nargs=-1, required=True, metavar="PATH_OR_NAME...")
@board_option(required=True)
@flags_option(multiple=True)
@click.option(
    "--lengths",
    default="16:64",
    show_default=True,
    metavar="[AD:]M[,...]",
    help="Bytes of associated data and message; 16:0-256/4 is a range, a number alone the message.",
)
@click.option(
    "--op",
    metavar="OP[,OP...]",
    help="What to call: enc, dec, hash, auth, auth-verify. [all that the kind of algorithm has]",
)
@click.option("--parts", is_flag=True, help="Also the functions of the incremental API.")
@click.option(
    "--budget",
    type=int,
    callback=positive,
    metavar="CYCLES",
    help="Give up a call after so many cycles. [200,000,000]",
)
@click.option(
    "--verify",
    type=click.Choice(["full", "quick", "none"]),
    default="full",
    show_default=True,
    help="Run all known answers first, a spread of 33, or none.",
)
@click.option("--no-verify", is_flag=True, help="As --verify none.")
@jobs_option
@format_option
def command(
    names: tuple[str, ...],
    boards: tuple[str, ...],
    flags: tuple[str, ...],
    lengths: str,
    op: str | None,
    parts: bool,
    budget: int | None,
    verify: Level,
    no_verify: bool,
    jobs: int | None,
    form: str,
) -> int:
    """Measure implementations on boards: cycles, instructions, stack, flash and RAM.

    PATH_OR_NAME is an algorithm, algorithm/implementation, a pattern such as 'aes-*', or the path
    of a folder with api.h and sources in the layout of SUPERCOP and NIST packages, or of a tree.
    Known answers are run first, on the same build. Exit status 1 if a row has no measurement; the
    row says why.
    """
    from pennyweight.api import measuring, progress
    from pennyweight.api.listing import choose_implementations
    from pennyweight.catalogue import load
    from pennyweight.lengths import parse_pairs
    from pennyweight.measure import DEFAULT_BUDGET

    catalogue = load()
    planned = measuring.measure_jobs(
        choose_implementations(catalogue, names),
        measuring.choose_boards(catalogue, boards),
        flags,
        parse_pairs(lengths),
        None if op is None else measuring.parse_operations(op),
        parts=parts,
        verify="none" if no_verify else verify,
        budget=DEFAULT_BUDGET if budget is None else budget,
    )
    ended: list[Finished] = []
    with progress("Measuring") as bar:
        ended.extend(measuring.finish_in_order(planned, jobs, bar))
    rows = [row for finished in ended for row in measuring.rows_of(finished)]
    if form == "json":
        print_json(rows)
    elif form == "csv":
        print_csv(rows)
    else:
        from pennyweight.cli.jobtable import print_job

        for finished in ended:
            print_job(finished.result)
    for finished in ended:
        for note in finished.result.notes:
            click.echo(f"{finished.job.title}: {note}", err=True)
    return 0 if all(row["status"] == Status.OK for row in rows) else 1
