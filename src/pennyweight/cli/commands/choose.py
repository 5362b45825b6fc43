"""`pennyweight choose`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from pennyweight.cli.command import Command
from pennyweight.cli.options import flags_option, jobs_option
from pennyweight.cli.output import Column, format_option, print_csv, print_json, print_table
from pennyweight.model import Kind, UserError

if TYPE_CHECKING:
    from pennyweight.analysis.advice import Exclusion

_SIZE = re.compile(r"(\d+)([kK]i?)?[bB]?")
_AIMS = ("speed", "flash", "ram", "stack")
_LONGEST = 1 << 20


def _size(_: click.Context, parameter: click.Parameter, text: str | None) -> int | None:
    """Bytes, or kilobytes of 1024 with a k."""
    if text is None:
        return None
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise UserError(f"{parameter.opts[0]}: '{text}' is no size; write bytes, as 4096 or 4k")
    return int(found[1]) * (1024 if found[2] else 1)


def _length(_: click.Context, parameter: click.Parameter, value: int) -> int:
    if not 0 <= value <= _LONGEST:
        raise UserError(f"{parameter.opts[0]}: {value} is no length; give 0 to {_LONGEST} bytes")
    return value


@click.command(
    "choose",
    cls=Command,
    examples=(
        "pennyweight choose --board atmega328p --message 64 --ad 8 --max-flash 4k --max-stack 512",
        "pennyweight choose --board stm32f030 --message 16 --standard-only --min-tag 16",
        "pennyweight choose --board stm32f030 --kind hash --message 1024 --by flash",
    ),
)
@click.argument("names", nargs=-1, metavar="[NAME...]")
@click.option("--board", required=True, metavar="B", help="A board, or the path of a board file.")
@click.option("--message", default=64, show_default=True, callback=_length, help="Bytes to send.")
@click.option(
    "--ad", default=0, show_default=True, callback=_length, help="Bytes only authenticated."
)
@click.option(
    "--kind",
    type=click.Choice([each.value for each in Kind]),
    default=Kind.AEAD.value,
    show_default=True,
)
@click.option(
    "--op", metavar="enc,dec", help="What counts; several are added. [the first of its kind]"
)
@flags_option(multiple=True)
@click.option(
    "--max-flash", callback=_size, metavar="BYTES", help="As 4096 or 4k; both directions."
)
@click.option("--max-ram", callback=_size, metavar="BYTES", help="Static RAM, without the stack.")
@click.option("--max-stack", callback=_size, metavar="BYTES", help="High-water mark of the stack.")
@click.option("--min-tag", callback=_size, metavar="BYTES", help="Tag, or digest of a hash.")
@click.option("--standard-only", is_flag=True, help="Only what a standards body has published.")
@click.option("--constant-time", is_flag=True, help="Nothing that looks up tables by secrets.")
@click.option(
    "--by",
    type=click.Choice(_AIMS),
    default="speed",
    show_default=True,
    help="What to rank by.",
)
@click.option(
    "--battery",
    type=float,
    metavar="MAH",
    help="Messages from a battery of so many mAh, estimated.",
)
@jobs_option
@format_option
def command(
    names: tuple[str, ...],
    board: str,
    message: int,
    ad: int,
    kind: str,
    op: str | None,
    flags: tuple[str, ...],
    max_flash: int | None,
    max_ram: int | None,
    max_stack: int | None,
    min_tag: int | None,
    standard_only: bool,
    constant_time: bool,
    by: str,
    battery: float | None,
    jobs: int | None,
    form: str,
) -> int:
    """Rank algorithms for one's own traffic and limits on a board.

    Each algorithm competes with its best implementation and flags that keep the limits; whoever
    is left out is told with the reason. Without NAME all bundled implementations compete; a NAME
    may also be the path of one's own. The first time measures; asked again, it answers at once.
    Energy and battery figures are estimates from the part's typical supply current. Exit status 1
    if nothing keeps the limits.
    """
    from pennyweight.api import choosing, measuring, progress
    from pennyweight.api.listing import choose_implementations
    from pennyweight.catalogue import load

    battery = choosing.charge(battery)
    traffic = choosing.traffic(kind, ad, message, op)
    catalogue = load()
    implementations = choose_implementations(catalogue, names)
    (chosen,) = measuring.choose_boards(catalogue, [board])
    with progress("Measuring") as bar:
        ranking, excluded = choosing.choose(
            implementations,
            catalogue,
            chosen,
            traffic,
            flags,
            choosing.limits(max_flash, max_ram, max_stack, min_tag, standard_only, constant_time),
            aim=choosing.aim(by),
            battery_mah=battery,
            jobs=jobs,
            progress=bar,
        )
    rows = choosing.rows_of(ranking, excluded)
    if form == "table":
        loose = {
            (each.algorithm, each.name)
            for each in implementations
            if each.manifest.constant_time is False
        }
        _print(rows[: len(ranking)], excluded, battery, loose, chosen.id)
    else:
        print_json(rows) if form == "json" else print_csv(rows)
    return 0 if ranking else 1


def _print(
    rows: list[dict[str, Any]],
    excluded: list[Exclusion],
    battery: float | None,
    loose: set[tuple[str, str]],
    board: str,
) -> None:
    """`loose` are implementations that do not run in constant time."""
    marked = False
    for row in rows:
        row["status"] = row["status"] or "no known answers"
        if (row["algorithm"], row["implementation"]) in loose:
            row["implementation"] += " †"
            marked = True
    columns = [
        Column("rank", "#"),
        Column("algorithm", "algorithm"),
        Column("implementation", "implementation", rank=1),
        Column("flags", "flags", rank=3),
        Column("cycles", "cycles"),
        Column("times_the_best", "times best", _decimals(2), rank=5),
        Column("time_us", "µs", _decimals(0), rank=6),
        Column("bytes_per_second", "B/s", _decimals(0), rank=7),
        Column("energy_uj_estimate", "~µJ", _decimals(1), rank=7),
        Column("flash", "flash"),
        Column("ram", "RAM"),
        Column("stack", "stack"),
        Column("tag", "tag", rank=4),
        Column("status", "status", rank=2),
    ]
    if battery is not None:
        columns.insert(9, Column("messages_per_battery_estimate", "~messages"))
    if rows:
        print_table(rows, columns)
        if marked:
            click.echo("† not in constant time; --constant-time leaves it out")
        if all(row["energy_uj_estimate"] is None for row in rows):
            click.echo(f"No energy figures: the file of {board} names no supply current.")
    else:
        click.echo("Nothing keeps these limits.")
    if excluded:
        click.echo("\nLeft out:")
        for each in excluded:
            click.echo(f"  {each.algorithm}: {each.reason}.")


def _decimals(digits: int) -> Any:
    def write(value: float | None) -> str:
        return "-" if value is None else f"{value:,.{digits}f}"

    return write
