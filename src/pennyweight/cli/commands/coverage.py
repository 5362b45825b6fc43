"""`pennyweight coverage`."""

from __future__ import annotations

from dataclasses import asdict
from itertools import groupby
from pathlib import Path

import click

from pennyweight.api.options import ONLY
from pennyweight.cli.command import Command
from pennyweight.cli.options import board_option, jobs_option
from pennyweight.cli.output import Column, format_option, print_csv, print_json, print_table
from pennyweight.cli.requests import option, positive
from pennyweight.model import UserError

_COLUMNS = (
    Column("package", "package"),
    Column("flags", "flags"),
    Column("status", "status"),
    Column("reason", "reason", prose=True),
)


@click.command(
    "coverage",
    cls=Command,
    pages=True,
    examples=(
        "pennyweight coverage --nist Lightweight-Cryptography-Benchmarking --board uno",
        "pennyweight coverage --nist ../lwc --board samd21 --level=-O2 --every 5",
        "pennyweight coverage --nist ../lwc --only 'xoodyak*' --format csv",
        "pennyweight coverage --felics felics-ae --board sam3x8e,atmega128",
    ),
)
@click.option(
    "--nist",
    metavar="PATH",
    help="A clone of github.com/usnistgov/Lightweight-Cryptography-Benchmarking.",
)
@click.option("--felics", metavar="PATH", help="A clone of FELICS-AE with its folder 'results'.")
@board_option(required=False)
@option("only", ONLY)
@click.option(
    "--level",
    "levels",
    multiple=True,
    type=click.Choice(["-Os", "-O1", "-O2", "-O3"]),
    help="Only this optimisation level, such as --level=-O2. [all]",
)
@click.option(
    "--every",
    type=int,
    default=1,
    callback=positive,
    metavar="N",
    help="Only every Nth pair of package and level.",
)
@jobs_option
@format_option
def command(
    nist: str | None,
    felics: str | None,
    boards: tuple[str, ...],
    only: tuple[str, ...],
    levels: tuple[str, ...],
    every: int,
    jobs: int | None,
    form: str,
) -> int:
    """Show how much of NIST's or FELICS-AE's benchmark runs.

    For the packages and optimisation levels in a board's CSV file (for FELICS-AE, in its result
    files), report how many build, pass 33 known-answer tests, and can be measured at six lengths on
    the simulated board, with the reason for each of the others. Builds and verification results
    are cached, so an interrupted command continues where it stopped.
    """
    from pennyweight.api import progress
    from pennyweight.benchmarks.nist import read_clone
    from pennyweight.benchmarks.nist_boards import choose_boards
    from pennyweight.catalogue import load
    from pennyweight.coverage import felics as felics_ae
    from pennyweight.coverage.nist import cover
    from pennyweight.coverage.pairs import ABSENT

    catalogue = load()
    asked = (only, levels, every, jobs)
    found = []
    if (nist is None) is (felics is None):
        raise UserError("pass either --nist or --felics with the path of a clone")
    if nist is not None:
        clone = read_clone(nist)
        for each in choose_boards(boards, clone, catalogue):
            with progress(f"Trying {each.id}") as bar:
                found.append(cover(clone, each, catalogue, *asked, bar))
    else:
        root = Path(felics or "")
        for board, figures in felics_ae.chosen(root, boards).items():
            with progress(f"Trying {board}") as bar:
                found.append(felics_ae.cover(root, board, figures, catalogue, *asked, bar))
    if form != "table":
        rows = [asdict(pair) for coverage in found for pair in coverage.pairs]
        (print_json if form == "json" else print_csv)(rows)
        return 0
    for coverage in found:
        present, fine = len(coverage.present), len(coverage.fine)
        click.echo(
            f"{coverage.title}: {fine:,} of {present:,} pairs of implementation and flags build, "
            f"pass verification and can be measured on {coverage.board}"
        )
        if coverage.faulty:
            click.echo(
                f"  {len(coverage.faulty):,} give wrong results on the real part too, where their "
                f"output was not checked; {100 * coverage.share:.1f} % of the others run"
            )
        absent = len(coverage.pairs) - present
        if absent:
            click.echo(f"  {absent:,} more belong to packages that are {ABSENT}")
        others = [pair for pair in coverage.present if pair not in coverage.fine]
        lines = []
        for (package, status, reason), group in groupby(
            others, lambda pair: (f"{pair.variant}/{pair.implementation}", pair.status, pair.reason)
        ):
            flags = ", ".join(pair.flags for pair in group)
            lines.append({"package": package, "flags": flags, "status": status, "reason": reason})
        if lines:
            print_table(lines, _COLUMNS, indent="  ")
        click.echo()
    return 0
