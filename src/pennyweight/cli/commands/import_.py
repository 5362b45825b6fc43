"""`pennyweight import`."""

from __future__ import annotations

from dataclasses import asdict

import click

from pennyweight.cli.command import Command, Group
from pennyweight.cli.options import board_option, results_option
from pennyweight.cli.output import Column, print_table
from pennyweight.paths import expand_user

_ARCHIVE = "archive"


class _Import(Group):
    """A word that is not a command is the path of an archive or results folder."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As in click, with `archive` as the default command."""
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            args = [_ARCHIVE, *args]
        return super().resolve_command(ctx, args)


@click.group(
    "import",
    cls=_Import,
    subcommand_metavar="FILE|COMMAND [ARGS]...",
    examples=(
        "pennyweight import results.pennyweight",
        "pennyweight import ../other/results --results our-results",
        "pennyweight import nist Lightweight-Cryptography-Benchmarking --results nist",
        "pennyweight compare nist results --metric cycles,flash",
    ),
)
def command() -> None:
    """Import third-party results into a results folder.

    FILE is an archive that `pennyweight export` wrote, or a results folder.
    """


@command.command(
    _ARCHIVE,
    cls=Command,
    examples=("pennyweight import archive results.pennyweight --results our-results",),
)
@click.argument("path", metavar="FILE")
@results_option
def archive_command(path: str, results: str) -> int:
    """Import an archive or a results folder.

    `pennyweight import FILE` is short for this command. A job that exists already must have the
    same rows. If they differ, the existing rows are kept, the imported ones are stored in the
    folder 'disputed', and the difference is reported with compiler, versions and machine of both.
    The exit status is then 1.
    """
    from pathlib import Path

    from pennyweight.store import open_store
    from pennyweight.store.merging import merge

    merged = merge(Path(path), open_store(results))
    for finding in merged.findings:
        click.echo(f"pennyweight: {finding.text}", err=True)
    click.echo(
        f"{merged.added} jobs are new, {merged.same} existed with the same rows, "
        f"{len(merged.findings)} with different rows.",
        err=True,
    )
    return 1 if merged.findings else 0


_COLUMNS = (
    Column("board", "board"),
    Column("title", "measured on", prose=True),
    Column("builds", "builds"),
    Column("figures", "figures"),
)


@command.command(
    "nist",
    cls=Command,
    examples=(
        "pennyweight import nist Lightweight-Cryptography-Benchmarking --results nist",
        "pennyweight import nist ../lwc --board atmega328p --results nist",
        "pennyweight compare nist results --b board=atmega328p --metric cycles",
    ),
)
@click.argument("path")
@board_option(required=False)
@results_option
def nist_command(path: str, boards: tuple[str, ...], results: str) -> None:
    """Import NIST's measurements on real boards.

    PATH is a clone of github.com/usnistgov/Lightweight-Cryptography-Benchmarking. Its CSV files
    are converted to results with their source: cycles and flash of every package, level and
    length. Use a separate --results folder for them.
    """
    from pennyweight.benchmarks.nist import read_clone
    from pennyweight.benchmarks.nist_boards import choose_boards
    from pennyweight.catalogue import load
    from pennyweight.imports import refuse_simulated
    from pennyweight.imports.nist import import_nist
    from pennyweight.store import open_store

    catalogue = load()
    clone = read_clone(path, "PATH")
    chosen = choose_boards(boards, clone, catalogue)
    store = open_store(results)
    refuse_simulated(store)
    rows = [asdict(each) for each in import_nist(clone, chosen, catalogue, store)]
    print_table(rows, _COLUMNS)
    click.echo(f"Stored in {results}; compare with: pennyweight compare {results} YOUR-RESULTS")


@command.command(
    "felics",
    cls=Command,
    examples=(
        "pennyweight import felics felics-ae --results felics",
        "pennyweight import felics felics-ae/results/all.json --results felics",
        "pennyweight compare felics results --a implementation=opt32 --b implementation=esp32",
    ),
)
@click.argument("path")
@results_option
def felics_command(path: str, results: str) -> None:
    """Import the measurements of FELICS-AE.

    PATH is a clone of FELICS-AE or one of its result files (JSON). Cycles to encrypt 16 bytes with
    16 bytes of header, and code size, are converted to results with their source. Use a separate
    --results folder for them.
    """
    from pennyweight.catalogue import load
    from pennyweight.imports import refuse_simulated
    from pennyweight.imports.felics import import_felics
    from pennyweight.store import ResultStore

    store = ResultStore(results)
    refuse_simulated(store)
    rows = [asdict(each) for each in import_felics(expand_user(path), load(), store)]
    print_table(rows, _COLUMNS)
    click.echo(f"Stored in {results}; compare with: pennyweight compare {results} YOUR-RESULTS")
