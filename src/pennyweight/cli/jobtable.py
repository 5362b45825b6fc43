"""Prints a job as text: its build in two lines, then its cases."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

from pennyweight.cli.output import Column, print_prose, print_table, write_integer
from pennyweight.model import JobResult, Measurement, Operation, Status

_COLUMNS = (
    Column("op", "op"),
    Column("ad", "AD bytes"),
    Column("m", "message bytes"),
    Column("cycles", "cycles"),
    Column("per_byte", "per byte", lambda v: "-" if v is None else f"{v:,.1f}", rank=1),
    Column("instructions", "instructions", rank=2),
    Column("stack", "stack bytes"),
)

_REAL_COLUMNS = (
    *_COLUMNS[:4],
    Column("cycles_spread", "spread"),
    *(each for each in _COLUMNS[4:] if each.name != "instructions"),
)
"""A real board counts no instructions; how much its cycles vary is shown."""

_RANDOM_COLUMNS = (
    Column("shares", "shares", rank=2),
    Column("random_words", "random words", write_integer, rank=1),
    Column("random_wait_cycles", "waiting", write_integer, rank=1),
)
"""For implementations that use random words: how many, and cycles of waiting for them."""

_ONCE = (
    Operation.INIT,
    Operation.KEY,
    Operation.START,
    Operation.FINALIZE,
    Operation.TAG,
    Operation.VERIFY,
)
"""Parts whose cycles do not depend on the message length."""


def print_job(result: JobResult) -> None:
    """Prints the build, the measurements, and the failed cases with their reasons."""
    first = result.measurements[0]
    click.echo(f"{first.algorithm}/{first.implementation} on {first.board}, {first.flags}")
    _print_origin(result)
    measured = [row for row in result.measurements if row.status == Status.OK]
    if measured:
        columns = _REAL_COLUMNS if result.provenance.device else _COLUMNS
        if first.random:
            columns = (*columns, *_RANDOM_COLUMNS)
        print_table([_cells(row) for row in measured], columns, indent="  ")
    failed = Counter(
        (row.status, row.reason) for row in result.measurements if row.status != Status.OK
    )
    for (status, reason), count in failed.items():
        which = "all cases" if count == len(result.measurements) else _cases(count)
        print_prose(f"{which}: {status}; {reason}" if reason else f"{which}: {status}", indent="  ")
    click.echo()


def _print_origin(result: JobResult) -> None:
    first, origin = result.measurements[0], result.provenance
    if first.flash is not None:
        directions = ""
        if first.flash_enc is not None and first.flash_dec is not None:
            directions = f" (enc only {first.flash_enc:,}, dec only {first.flash_dec:,})"
        static = write_integer(first.ram)
        print_prose(
            f"flash {first.flash:,} bytes{directions}, static RAM {static} bytes", indent="  "
        )
    if origin.compiler_version:
        where = origin.device or f"simulator {origin.simulator_version}"
        print_prose(f"{origin.compiler_version}; {where}", indent="  ")
    print_prose(origin.verified, indent="  ")


def _cells(row: Measurement) -> dict[str, Any]:
    from pennyweight.analysis.rates import cycles_per_byte

    cells = row.as_dict()
    if row.op in _ONCE:
        return {**cells, "per_byte": None}
    return {**cells, "per_byte": cycles_per_byte(row.cycles, row.ad, row.m)}


def _cases(count: int) -> str:
    return "one case" if count == 1 else f"{count} cases"
