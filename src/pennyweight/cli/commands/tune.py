"""`pennyweight tune`."""

from __future__ import annotations

import click

from pennyweight.api.requests import TuneRequest
from pennyweight.cli.command import Command
from pennyweight.cli.output import (
    Column,
    format_option,
    print_csv,
    print_json,
    print_prose,
    print_table,
    write_integer,
)
from pennyweight.cli.requests import asking


@click.command(
    "tune",
    cls=Command,
    pages=True,
    examples=(
        "pennyweight tune ascon-aead128/bi32 --board stm32f407-24mhz --for cycles",
        "pennyweight tune sha-256/small --board atmega328p --for flash --into sha.flags",
        "pennyweight measure sha-256/small --board atmega328p --flags-from sha.flags",
    ),
)
@asking(TuneRequest)
@format_option
def command(request: TuneRequest, form: str) -> int:
    """Search for the compiler flags that minimise an implementation's cycles, flash or RAM.

    Tries levels, unrolling, inlining, scheduling, register allocation, link-time optimisation and
    more, and prints the gain of each step. A build that fails verification is never accepted. The
    flags of the best build so far are always in the file, even after an interruption (Ctrl-C);
    `measure --flags-from FILE` reads it.
    """
    from pennyweight.api import progress
    from pennyweight.api.options import count
    from pennyweight.api.tuning import prepare
    from pennyweight.catalogue import load
    from pennyweight.tuning.tune import tune

    state = prepare(request, load())
    is_whole = True
    try:
        with progress("Tuning", in_logs=True) as bar:
            for _ in tune(state, count(request.jobs, "jobs"), bar):
                pass
    except KeyboardInterrupt:
        if not state.steps:
            raise
        is_whole = False
    rows = state.rows()
    if form == "json":
        print_json(rows)
    elif form == "csv":
        print_csv(rows)
    else:
        click.echo(f"{state.job.implementation.id} on {state.job.board.id}")
        print_table(rows, _columns(state.aim))
        print_prose(state.summary())
    click.echo(f"{state.path}: for `pennyweight measure --flags-from {state.path}`", err=True)
    if is_whole:
        return 0
    click.echo("pennyweight: interrupted; the best flags so far are kept.", err=True)
    return 130


def _columns(aim: str) -> list[Column]:
    return [
        Column("change", "change", prose=True),
        Column(aim, {"ram": "RAM"}.get(aim, aim), lambda value: f"{value:,.0f}"),
        Column("ratio", "ratio", lambda value: "-" if value is None else f"{value:.3f}"),
        Column("builds", "builds", write_integer),
    ]
