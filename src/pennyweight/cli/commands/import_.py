"""`pennyweight import`."""

from __future__ import annotations

from dataclasses import asdict

import click

from pennyweight.cli.command import Command, Group
from pennyweight.cli.options import board_option, results_option
from pennyweight.cli.output import Column, print_table


@click.group(
    "import",
    cls=Group,
    examples=(
        "pennyweight import nist Lightweight-Cryptography-Benchmarking --results nist",
        "pennyweight compare nist results --metric cycles,flash",
    ),
)
def command() -> None:
    """Take over results of others into a results folder."""


_NIST_COLUMNS = (
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
    """Take over what NIST measured on real boards.

    PATH is a clone of github.com/usnistgov/Lightweight-Cryptography-Benchmarking. Its boards'
    CSV files become results with their source: cycles and flash of every package, level and
    length. Give a --results folder of their own.
    """
    from pennyweight.accuracy import run
    from pennyweight.catalogue import load
    from pennyweight.imports import refuse_simulated
    from pennyweight.imports.nist import import_nist
    from pennyweight.store import ResultStore

    catalogue = load()
    clone = run.read_clone(path, "PATH")
    chosen = run.choose_boards(boards, clone, catalogue)
    store = ResultStore(results)
    refuse_simulated(store)
    rows = [asdict(each) for each in import_nist(clone, chosen, catalogue, store)]
    print_table(rows, _NIST_COLUMNS)
    click.echo(f"In {results}: compare them with pennyweight compare {results} YOUR-RESULTS")
