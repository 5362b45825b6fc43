"""`pennyweight gc`."""

from __future__ import annotations

from collections import defaultdict

import click

from pennyweight.cli.command import Command
from pennyweight.cli.options import results_option
from pennyweight.cli.output import Column, print_table
from pennyweight.model import UserError

_COLUMNS = (
    Column("what", "what"),
    Column("why", "why nothing needs it"),
    Column("files", "files"),
    Column("bytes", "bytes"),
)


_DAYS_IN_USE = 2
"""An entry is marked as used once a day at most: what a run needs now is younger than this."""


@click.command(
    "gc",
    cls=Command,
    examples=(
        "pennyweight gc --dry-run",
        "pennyweight gc --results my-results --days 7",
    ),
)
@results_option
@click.option(
    "--days",
    type=int,
    default=30,
    show_default=True,
    metavar="N",
    help="Clear what was not used for so long from the cache of builds and figures.",
)
@click.option("--dry-run", is_flag=True, help="Only tell what would be cleared.")
def command(results: str, days: int, dry_run: bool) -> None:
    """Clear what nothing refers to: superseded results, half-written files, unused builds.

    A result goes if newer sources, compilers, boards or simulators have superseded all of it and
    no study of the folder planned it when it last ran. The cache is only there to save time.
    """
    from pennyweight import cache
    from pennyweight.store import open_store
    from pennyweight.store.garbage import find_garbage, remove

    if days < 0:
        raise UserError(f"--days: {days} is less than 0; give a number of days.")
    store = open_store(results)
    found = find_garbage(store)
    in_use = days < _DAYS_IN_USE and cache.is_in_use()
    unused = cache.unused(_DAYS_IN_USE if in_use else days)
    totals: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for each in found:
        totals["results", each.why][0] += 1
        totals["results", each.why][1] += each.bytes
    for entry in unused:
        kept = _DAYS_IN_USE if in_use else days
        why = "a process died making it" if entry.abandoned else f"not used for {kept} days"
        totals["cache", why][0] += 1
        totals["cache", why][1] += entry.bytes
    if not dry_run:
        remove(store, found)
        cache.clear(unused)
    rows = [
        {"what": what, "why": why, "files": files, "bytes": size}
        for (what, why), (files, size) in totals.items()
    ]
    if rows:
        print_table(rows, _COLUMNS)
    if in_use:
        click.echo(
            f"A run is going on: entries of the cache used in the last {_DAYS_IN_USE} days stay.",
            err=True,
        )
    size = sum(freed for _, freed in totals.values())
    verb = "would be cleared" if dry_run else "cleared"
    click.echo(f"{size:,} bytes {verb}." if rows else "There is nothing to clear.", err=True)
