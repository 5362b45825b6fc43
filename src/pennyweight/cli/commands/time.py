"""`pennyweight time`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from textwrap import fill

import click

from pennyweight.api.options import BUDGET
from pennyweight.cli.command import Command
from pennyweight.cli.options import board_option, flags_option
from pennyweight.cli.output import Column, format_option, print_csv, print_json, print_table, width
from pennyweight.cli.requests import option


def _number(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


_COLUMNS = (
    Column("function", "function"),
    Column("board", "board"),
    Column("flags", "flags"),
    Column("cycles", "cycles", _number),
    Column("cycles_cold", "first call", _number),
    Column("instructions", "instructions", _number),
    Column("stack", "stack bytes", _number),
    Column("flash", "flash bytes", _number),
    Column("ram", "RAM bytes", _number),
)


@click.command(
    "time",
    cls=Command,
    examples=(
        "pennyweight time keccak.c driver.c --board stm32f030 --function permute",
        "pennyweight time core.S --board atmega328p --function f --setup fill --flags -O3",
    ),
)
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@board_option(required=True)
@click.option("--function", required=True, metavar="F", help="Function to measure: void F(void).")
@click.option(
    "--setup", metavar="G", help="Function to call before each F, not counted: void G(void)."
)
@click.option(
    "--include",
    multiple=True,
    metavar="DIR",
    help="Additional header folder; repeatable.",
)
@flags_option
@option("budget", BUDGET)
@format_option
def command(
    sources: tuple[str, ...],
    boards: tuple[str, ...],
    function: str,
    setup: str | None,
    include: tuple[str, ...],
    flags: tuple[str, ...],
    budget: int | None,
    form: str,
) -> int:
    """Time one function of C or assembly files on boards: cycles, stack, flash and RAM.

    For permutations and block ciphers that have no package yet. The function takes no arguments; a
    three-line driver wraps any other function. It is called twice, and its output is not checked.
    The exit status is 1 if it cannot be measured on a board.
    """
    from pennyweight.api import measuring
    from pennyweight.api.compilers import build_missing
    from pennyweight.catalogue import load
    from pennyweight.job import DEFAULT_BUDGET
    from pennyweight.measure.single_function import find_sources, time_function

    found = find_sources([Path(source) for source in sources], [Path(each) for each in include])
    chosen = measuring.choose_boards(load(), boards)
    build_missing(chosen)
    rows = [
        asdict(
            time_function(
                found,
                board,
                each,
                function,
                setup,
                DEFAULT_BUDGET if budget is None else budget,
            )
        )
        for board in chosen
        for each in flags
    ]
    if form == "json":
        print_json(rows)
    elif form == "csv":
        print_csv(rows)
    else:
        measured = [row for row in rows if row["status"] == "ok"]
        if measured:
            print_table(measured, _COLUMNS)
        for row in rows:
            if row["reason"]:
                sentence = f"{row['function']} on {row['board']}, {row['flags']}: {row['reason']}"
                click.echo(fill(sentence, width(), subsequent_indent="  "))
    return 0 if all(row["status"] == "ok" for row in rows) else 1
