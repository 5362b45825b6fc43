"""`pennyweight profile`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from pennyweight.api.requests import CallRequest
from pennyweight.cli.command import Command
from pennyweight.cli.output import Column, print_json, print_table, write_integer
from pennyweight.cli.requests import asking

if TYPE_CHECKING:
    from pennyweight.measure.call_analysis import CallProfile


def _percent(value: Any) -> str:
    return f"{value:.1f} %"


_FUNCTIONS = (
    Column("function", "function"),
    Column("cycles", "cycles", write_integer),
    Column("share", "share", _percent),
    Column("with_callees", "with callees", write_integer, rank=1),
    Column("instructions", "instructions", write_integer, rank=2),
)
_MIX = (
    Column("instruction", "instruction"),
    Column("times", "times", write_integer),
    Column("cycles", "cycles", write_integer),
    Column("share", "share", _percent),
)
_MEMORY = (
    Column("memory", "memory"),
    Column("read", "bytes read", write_integer),
    Column("written", "bytes written", write_integer),
)


@click.command(
    "profile",
    cls=Command,
    pages=True,
    examples=(
        "pennyweight profile ascon-aead128 --board atmega328p",
        "pennyweight profile ./my-cipher --board stm32f030 --op dec --length 0:32 --flags -O3",
        "pennyweight profile aes-128-gcm/ct32 --board nrf52840 --format folded > aes.folded",
    ),
)
@asking(CallRequest)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "folded"]),
    default="table",
    show_default=True,
    help="Output format; json includes all data, folded is for flame graphs.",
)
def command(request: CallRequest, form: str) -> int:
    """Profile one call: cycles by function, instruction mix, and memory accesses.

    PATH_OR_NAME is algorithm/implementation, an algorithm, or the path of a package; all its
    implementations are profiled. Cycles are those of a call with warm caches and buffers. Folded
    stacks are lines `outer;inner cycles`, which flamegraph.pl, speedscope and inferno read. The
    exit status is 1 if a call fails.
    """
    from pennyweight.api import call_selection
    from pennyweight.measure.call_analysis import profile_case
    from pennyweight.target import Failure

    chosen = call_selection.calls(request)
    failed = False
    documents = []
    for job in chosen:
        found = profile_case(job)
        title = call_selection.title(job)
        if isinstance(found, Failure):
            failed = True
            click.echo(f"{title}: {found.status.value}: {found.reason}", err=True)
        elif form == "folded":
            _print_folded(found, title if len(chosen) > 1 else None)
        elif form == "json":
            documents.append({**call_selection.fields(job), **_document(found)})
        else:
            _print_tables(found, title)
    if form == "json":
        print_json(documents)
    return 1 if failed else 0


def _functions(found: CallProfile) -> list[dict[str, Any]]:
    """Cycles by function: self, and including callees, with recursion counted once."""
    own: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    inclusive: dict[str, int] = defaultdict(int)
    for functions, instructions, cycles in found.profile.stacks:
        own[functions[-1]][0] += cycles
        own[functions[-1]][1] += instructions
        for function in set(functions):
            inclusive[function] += cycles
    total = max(1, found.profile.outcome.cycles)
    rows = [
        {
            "function": function,
            "cycles": own[function][0],
            "share": 100 * own[function][0] / total,
            "with_callees": inclusive[function],
            "instructions": own[function][1],
        }
        for function in inclusive
    ]
    return sorted(rows, key=lambda row: (-int(row["cycles"]), str(row["function"])))


def _mix(found: CallProfile) -> list[dict[str, Any]]:
    total = max(1, found.profile.outcome.cycles)
    rows = [
        {"instruction": name, "times": times, "cycles": cycles, "share": 100 * cycles / total}
        for name, times, cycles in found.profile.mix
    ]
    return sorted(rows, key=lambda row: (-int(row["cycles"]), str(row["instruction"])))


def _memory(found: CallProfile) -> list[dict[str, Any]]:
    return [
        {"memory": part.name, "read": part.read, "written": part.written} for part in found.memory
    ]


def _document(found: CallProfile) -> dict[str, Any]:
    outcome = found.profile.outcome
    stacks = found.profile.stacks
    return {
        "cycles": outcome.cycles,
        "instructions": outcome.instructions,
        "stack": outcome.stack,
        "functions": _functions(found),
        "stacks": [
            {"functions": functions, "instructions": instructions, "cycles": cycles}
            for functions, instructions, cycles in stacks
        ],
        "mix": _mix(found),
        "memory": _memory(found),
    }


def _print_folded(found: CallProfile, root: str | None) -> None:
    for functions, _, cycles in found.profile.stacks:
        frames: Iterable[str] = functions if root is None else (root, *functions)
        click.echo(f"{';'.join(frames)} {cycles}")


def _print_tables(found: CallProfile, title: str) -> None:
    outcome = found.profile.outcome
    click.echo(title)
    click.echo(
        f"{outcome.cycles:,} cycles, {outcome.instructions:,} instructions, "
        f"{outcome.stack:,} bytes of stack"
    )
    for rows, columns in (
        (_functions(found), _FUNCTIONS),
        (_mix(found), _MIX),
        (_memory(found), _MEMORY),
    ):
        click.echo()
        print_table(rows, columns, indent="  ")
    click.echo()
