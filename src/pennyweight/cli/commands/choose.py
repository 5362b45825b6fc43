"""`pennyweight choose`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from pennyweight.api.requests import ChooseRequest
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

if TYPE_CHECKING:
    from pennyweight.analysis.advice import Exclusion


@click.command(
    "choose",
    cls=Command,
    pages=True,
    examples=(
        "pennyweight choose --board atmega328p --message 64 --ad 8 --max-flash 4k --max-stack 512",
        "pennyweight choose --board stm32f030 --message 16 --standard-only --min-tag 16",
        "pennyweight choose --board stm32f030 --kind hash --message 1024 --by flash",
        "pennyweight choose --board stm32f030 --status standard,round-2",
        "pennyweight choose --board stm32f407-24mhz --message 64 --protected 1",
    ),
)
@asking(ChooseRequest)
@format_option
def command(request: ChooseRequest, form: str) -> int:
    """Rank algorithms for your message lengths and limits on a board.

    Each algorithm is represented by its best implementation and flags within the limits. Excluded
    algorithms are listed with the limit they exceed. Default: the bundled standards and finalists,
    and algorithms in wide use; --status ranks others, such as broken ones. NAME restricts the
    ranking to algorithms or implementations of any status, or is the path of your own. The list
    below the table states the best known attack on each algorithm. The first run measures;
    measurements are cached. Energy and battery figures are estimates from the part's typical supply
    current. With --protected, masked implementations are ranked instead, with random words from the
    source of --random. The exit status is 1 if no
    algorithm meets the limits.
    """
    from pennyweight.api import choosing, progress
    from pennyweight.catalogue import load

    catalogue = load()
    asked = choosing.question(request, catalogue)
    with progress("Measuring") as bar:
        ranking, excluded = choosing.choose(asked, catalogue, request.jobs, bar)
    rows = choosing.rows_of(ranking, excluded)
    if form == "table":
        _print(rows[: len(ranking)], excluded, request.battery, asked.loose, asked.board.id)
    else:
        print_json(rows) if form == "json" else print_csv(rows)
    return 0 if ranking else 1


_MASKED = (
    Column("shares", "shares"),
    Column("masked", "masked"),
    Column("leakage", "leakage", rank=1),
    Column("random_words", "random words", write_integer, rank=1),
    Column("random_wait_cycles", "waiting", write_integer, rank=2),
)
"""Of masked implementations."""


def _print(
    rows: list[dict[str, Any]],
    excluded: list[Exclusion],
    battery: float | None,
    loose: set[tuple[str, str]],
    board: str,
) -> None:
    """Prints the table. `loose` are implementations that are not constant-time."""
    marked = False
    for row in rows:
        if (row["algorithm"], row["implementation"]) in loose:
            row["implementation"] += " †"
            marked = True
    columns = [
        Column("rank", "#"),
        Column("algorithm", "algorithm"),
        Column("implementation", "implementation"),
        Column("flags", "flags", rank=3),
        Column("cycles", "cycles"),
        Column("times_the_best", "times best", _decimals(2), rank=5),
        Column("time_us", "µs", _decimals(0), rank=6),
        Column("bytes_per_second", "B/s", _decimals(0), rank=7),
        Column("energy_uj_estimate", "~µJ", _decimals(1), rank=7),
        Column("flash", "flash"),
        Column("ram", "RAM", rank=2),
        Column("stack", "stack", rank=2),
        *(_MASKED if any(row["shares"] for row in rows) else ()),
        Column("tag", "tag", rank=5),
        Column("status", "status", rank=4 if len({row["status"] for row in rows}) > 1 else 8),
    ]
    if battery is not None:
        columns.insert(9, Column("messages_per_battery_estimate", "~messages"))
    if rows:
        print_table(rows, columns)
        if marked:
            click.echo("† not constant-time; --constant-time excludes it")
        if all(row["energy_uj_estimate"] is None for row in rows):
            click.echo(f"No energy figures: the board file of {board} has no supply current.")
        if any(row["shares"] for row in rows):
            print_prose(
                "masked: all blocks, or the ends only, which are initialization and finalization; "
                "they are ranked separately. leakage: the shares of bundled C with two shares meet "
                "by the models of all cores that were checked; the results of other bundled "
                "implementations are in the documentation; packages are not checked. Check one "
                f"with `pennyweight leakage NAME --board {board}`."
            )
        _print_attacks(rows)
    else:
        click.echo("No algorithm meets these limits.")
    over = [each for each in excluded if not each.status and not each.unprotected]
    if over:
        click.echo("\nExcluded:")
    for each in over:
        print_prose(f"{each.algorithm}: {each.reason}.", indent="  ")
    counts = Counter(each.status for each in excluded if each.status)
    if counts:
        click.echo()
        print_prose(
            "Excluded by status: "
            + ", ".join(f"{count} {status}" for status, count in counts.most_common())
            + ". --status all ranks them too."
        )
    unprotected = [each for each in excluded if each.unprotected]
    if unprotected:
        click.echo()
        number = "1 algorithm" if len(unprotected) == 1 else f"{len(unprotected)} algorithms"
        print_prose(f"{number}: {unprotected[0].reason}.")


def _print_attacks(rows: list[dict[str, Any]]) -> None:
    """Prints the best known attack on each algorithm, the same one once, after their ranks."""
    ranks: dict[str, list[int]] = {}
    for row in rows:
        ranks.setdefault(row["attack"] or "None recorded.", []).append(row["rank"])
    click.echo("\nBest known attacks, by rank:")
    for summary, numbers in ranks.items():
        print_prose(f"{_ranges(numbers)}: {summary}", indent="  ")


def _ranges(numbers: list[int]) -> str:
    """Ascending numbers, of which three or more in a row become a range: 1, 4-6."""
    runs: list[list[int]] = []
    for each in numbers:
        if runs and each == runs[-1][-1] + 1:
            runs[-1].append(each)
        else:
            runs.append([each])
    return ", ".join(
        f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs
    )


def _decimals(digits: int) -> Any:
    def write(value: float | None) -> str:
        return "-" if value is None else f"{value:,.{digits}f}"

    return write
