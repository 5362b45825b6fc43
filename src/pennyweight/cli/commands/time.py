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
_WARM = Column("warm", "calls before", _number)


@click.command(
    "time",
    cls=Command,
    pages=True,
    examples=(
        "pennyweight time keccak.c driver.c --board stm32f030 --function permute",
        "pennyweight time core.S --board atmega328p --function f --setup fill --flags -O3",
        "pennyweight time aes.S --board stm32f407-24mhz --call 'aes(out:16, in:16, rk:176, 10)'",
    ),
)
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@board_option(required=True)
@click.option("--function", metavar="F", help="Function to measure: void F(void).")
@click.option(
    "--call",
    metavar="'F(ARG, ...)'",
    help="Function to measure, with arguments: NAME:BYTES for a buffer, or a number.",
)
@click.option(
    "--setup",
    metavar="G",
    help="Function to call before each F; its cycles are not counted; arguments as for --call.",
)
@click.option(
    "--allow-below-stack",
    is_flag=True,
    help="Measure code that accesses memory below its stack pointer, with a remark.",
)
@click.option(
    "--warm",
    type=click.IntRange(1, 1000),
    default=1,
    metavar="N",
    show_default=True,
    help="Calls before the counted one, for branch prediction that learns slowly.",
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
    function: str | None,
    call: str | None,
    setup: str | None,
    allow_below_stack: bool,
    warm: int,
    include: tuple[str, ...],
    flags: tuple[str, ...],
    budget: int | None,
    form: str,
) -> int:
    """Time one function of C or assembly files on boards: cycles, stack, flash and RAM.

    For permutations and block ciphers that have no package yet. Buffers of a call contain
    arbitrary bytes, the same in each run; those with the same name are the same buffer. The
    function is called once more than --warm, and its output is not checked. The exit status is 1
    if it cannot be measured on a board.
    """
    from pennyweight.api import measuring
    from pennyweight.api.compilers import build_missing
    from pennyweight.catalogue import load
    from pennyweight.job import DEFAULT_BUDGET
    from pennyweight.measure.function_call import FunctionCall, parse_call, requests_of
    from pennyweight.measure.single_function import find_sources, time_function
    from pennyweight.model import UserError

    if (function is None) == (call is None):
        raise UserError(
            "give the function to measure with --function, or with its arguments with --call"
        )
    measured = FunctionCall(function) if function is not None else parse_call(call or "", "--call")
    before = None if setup is None else parse_call(setup, "--setup")
    if before is None:
        requests_of([measured], "--call")
    else:
        requests_of([measured, before], "--setup")
    found = find_sources([Path(source) for source in sources], [Path(each) for each in include])
    chosen = measuring.choose_boards(load(), boards)
    build_missing(chosen)
    rows = [
        asdict(
            time_function(
                found,
                board,
                each,
                measured,
                before,
                DEFAULT_BUDGET if budget is None else budget,
                allow_below_stack,
                warm,
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
        complete = [row for row in rows if row["status"] == "ok"]
        if complete:
            print_table(complete, (*_COLUMNS, _WARM) if warm > 1 else _COLUMNS)
        for row in rows:
            note = row["reason"] or row["remark"]
            if note:
                sentence = f"{row['function']} on {row['board']}, {row['flags']}: {note}"
                click.echo(fill(sentence, width(), subsequent_indent="  "))
    return 0 if all(row["status"] == "ok" for row in rows) else 1
