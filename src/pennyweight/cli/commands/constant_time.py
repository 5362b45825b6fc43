"""`pennyweight constant-time`."""

from __future__ import annotations

from typing import Any

import click

from pennyweight.api.requests import CallRequest
from pennyweight.cli.command import Command
from pennyweight.cli.output import Column, format_option, print_csv, print_json, print_table
from pennyweight.cli.requests import asking

_KINDS = {
    "branch": "a branch depends on a secret",
    "address": "a memory address depends on a secret",
    "time": "the duration of the instruction depends on a secret",
}

_COLUMNS = (
    Column("implementation", "implementation"),
    Column("board", "board", rank=2),
    Column("flags", "flags", rank=3),
    Column("op", "op", rank=1),
    Column("kind", "secret in"),
    Column("location", "where", prose=True),
    Column("times", "times"),
)


@click.command(
    "constant-time",
    cls=Command,
    pages=True,
    examples=(
        "pennyweight constant-time aes-128-gcm --board atmega328p,stm32f030",
        "pennyweight constant-time ./my-cipher --board sam3x8e --flags -O3 --format json",
    ),
)
@asking(CallRequest)
@format_option
def command(request: CallRequest, form: str) -> int:
    """Detect secret-dependent timing: branches, addresses, and instructions.

    The key and the message (for decryption, the ciphertext) are tracked through the registers and
    memory of the compiled program on the simulated part; associated data, nonce and all lengths
    are public. Every instruction whose timing can depend on a secret is reported with its function
    and line. Only code that runs with the given lengths is checked. The branch that accepts or
    rejects a message is reported too. The exit status is 1 if anything is reported or a call
    fails.
    """
    from pennyweight.api import call_selection
    from pennyweight.measure.call_analysis import follow_case
    from pennyweight.target import Failure

    rows: list[dict[str, Any]] = []
    failed = False
    for job in call_selection.calls(request):
        found = follow_case(job)
        if isinstance(found, Failure):
            failed = True
            click.echo(
                f"{call_selection.title(job)}: {found.status.value}: {found.reason}", err=True
            )
            continue
        if not found:
            click.echo(
                f"{call_selection.title(job)}: no secret-dependent timing", err=form != "table"
            )
        rows += [
            {
                **call_selection.fields(job),
                "kind": leak.kind,
                "location": leak.location,
                "pc": leak.pc,
                "times": leak.times,
            }
            for leak in found
        ]
    if form == "json":
        print_json(rows)
    elif form == "csv":
        print_csv(rows)
    elif rows:
        print_table(rows, _COLUMNS)
        kinds = {row["kind"] for row in rows}
        for kind, meaning in _KINDS.items():
            if kind in kinds:
                click.echo(f"{kind}: {meaning}.")
    return 1 if rows or failed else 0
