"""`pennyweight gc`."""

from __future__ import annotations

from collections import defaultdict

import click

from pennyweight.cli.command import Command
from pennyweight.cli.options import results_option
from pennyweight.cli.output import Column, print_table
from pennyweight.model import UserError

_COLUMNS = (
    Column("what", "location"),
    Column("why", "reason"),
    Column("files", "files"),
    Column("bytes", "bytes"),
)


_DAYS_IN_USE = 2
"""Entries are marked as used at most once a day, so those of a current run are newer."""


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
    help="Remove cache entries that have not been used for this many days.",
)
@click.option("--dry-run", is_flag=True, help="Only list what would be removed.")
def command(results: str, days: int, dry_run: bool) -> None:
    """Remove unreferenced results and cache entries, and partially written files.

    A result is removed if newer sources, compilers, boards or simulators have replaced all of it
    and no study of the folder planned it in its last run. Deleting the cache loses no results.
    """
    from pennyweight import cache
    from pennyweight.store import open_store
    from pennyweight.store.garbage import find_garbage, remove

    if days < 0:
        raise UserError(f"--days: {days} is less than 0; use a number of days.")
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
        why = "its process died" if entry.abandoned else f"not used for {kept} days"
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
            f"A run is in progress: cache entries used in the last {_DAYS_IN_USE} days are kept.",
            err=True,
        )
    size = sum(freed for _, freed in totals.values())
    verb = "would be removed" if dry_run else "removed"
    click.echo(f"{size:,} bytes {verb}." if rows else "Nothing to remove.", err=True)
