"""`pennyweight accuracy`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pennyweight.api.options import ON, REPEATS, SUPPLY, YES
from pennyweight.cli.command import Command
from pennyweight.cli.options import board_option, jobs_option
from pennyweight.cli.output import Column, print_table
from pennyweight.cli.requests import option
from pennyweight.model import UserError

if TYPE_CHECKING:
    from pennyweight.api.board_accuracy import AccuracyRequest

_PRINTED = ("board", "set", "code", "compared", "median", "90th percentile", "maximum", "target")
_CLASSES = (
    Column("class", "instructions"),
    Column("share", "median share, %", lambda value: f"{value:.1f}"),
    Column("more", "error, larger shares, %", lambda value: f"{value:.2f}"),
    Column("less", "error, smaller shares, %", lambda value: f"{value:.2f}"),
)
_SHORT = {"compared": "rows", "90th percentile": "90th", "maximum": "max", "target": "target, %"}


@click.command(
    "accuracy",
    cls=Command,
    examples=(
        "pennyweight accuracy --nist Lightweight-Cryptography-Benchmarking",
        "pennyweight accuracy --nist ../lwc --board atmega328p --only 'ascon*' --output /tmp/page",
        "pennyweight accuracy --on probe --board nrf52840",
    ),
)
@click.option(
    "--nist",
    metavar="PATH",
    help="A clone of github.com/usnistgov/Lightweight-Cryptography-Benchmarking.",
)
@option("on", ON)
@option("yes", YES, False)
@option("repeats", REPEATS)
@option("supply", SUPPLY)
@board_option(required=False)
@click.option(
    "--only",
    multiple=True,
    metavar="PATTERN",
    help="Only matching variants, such as 'ascon*'; repeatable. [all]",
)
@click.option(
    "--every",
    default="1",
    show_default=True,
    metavar="[B=]N[,...]",
    help="Compare only every Nth row of all boards, or of named boards, such as "
    "samd21=3,esp8266=24.",
)
@click.option(
    "--output",
    metavar="DIR",
    help="Folder for accuracy.md and images/accuracy.svg and .png [docs], or with --on for "
    "accuracy-BOARD.md [the current folder].",
)
@click.option(
    "--results",
    metavar="DIR",
    help="With --on, the results folder in which the measurements are stored. [results]",
)
@jobs_option
def command(
    nist: str | None,
    on: str | None,
    yes: bool,
    repeats: int | None,
    supply: str | None,
    boards: tuple[str, ...],
    only: tuple[str, ...],
    every: str,
    output: str | None,
    results: str | None,
    jobs: int | None,
) -> int:
    """Compare simulated boards with real ones: NIST's measurements, or a connected board.

    With --on, measure a fixed set of implementations in the simulator and on the connected board,
    and write a page with the errors by instruction mix and the largest errors. The measurements are
    stored, so an interrupted command continues, and `pennyweight report` shows both.

    With --nist, build the packages of the clone as for the real boards, run the lengths of the
    boards' CSV files, and write a page with the errors of calibration and evaluation rows. Builds
    and runs are cached, so an interrupted command (Ctrl-C) continues where it stopped.
    """
    from pennyweight.accuracy import page, run
    from pennyweight.api import progress
    from pennyweight.api.board_accuracy import AccuracyRequest
    from pennyweight.api.real_boards import refuse_without_place
    from pennyweight.benchmarks.nist import read_clone
    from pennyweight.benchmarks.nist_boards import choose_boards
    from pennyweight.catalogue import load

    if (nist is None) == (on is None):
        raise UserError("give either --nist PATH or --on PLACE")
    catalogue = load()
    if on is not None:
        if every != "1":
            raise UserError("--every works with --nist only; remove it")
        request = AccuracyRequest(
            on, yes, repeats, supply, only, Path(output or "."), results or "results"
        )
        return _compare_board(boards, request, jobs)
    if results is not None:
        raise UserError("--results works with --on only; remove it")
    refuse_without_place(on, yes, repeats, supply)
    assert nist is not None
    clone = read_clone(nist)
    chosen = choose_boards(boards, clone, catalogue)
    samples = run.read_every(every, chosen)
    with progress("Comparing") as bar:
        compared = run.run(clone, chosen, catalogue, only, jobs, bar, samples)
    written = page.write(compared, Path(output or "docs"), only)
    rows = [
        dict(zip(page.SUMMARY, cells, strict=True))
        for cells in page.summaries(compared, "marginal")
    ]
    for row in rows:
        row["target"] = row["target"].replace(" %", "")
    if rows:
        click.echo("Absolute errors of steady marginals:")
        print_table(rows, [Column(name, _SHORT.get(name, name)) for name in _PRINTED])
    for result in compared:
        if not result.comparisons:
            click.echo(
                f"{result.nist.board}: no row could be compared; the page lists the reasons."
            )
    for path in written:
        click.echo(path.resolve())
    return 0


def _compare_board(names: tuple[str, ...], request: AccuracyRequest, jobs: int | None) -> int:
    """The comparison with a connected board. The exit status is 1 if no call could be compared."""
    from pennyweight.accuracy.board_errors import by_class
    from pennyweight.api import progress
    from pennyweight.api.board_accuracy import compare_board
    from pennyweight.api.measuring import choose_boards
    from pennyweight.catalogue import load

    catalogue = load()
    boards = choose_boards(catalogue, names)
    with progress("Comparing") as bar:
        results = compare_board(catalogue, boards, request, jobs, bar)
    for result in results:
        click.echo(f"{result.board.title}: {len(result.errors)} calls compared")
        rows = [
            {
                "class": each.name,
                "share": 100 * each.share,
                "more": 100 * each.more,
                "less": 100 * each.less,
            }
            for each in by_class(result.errors)
        ]
        if rows:
            print_table(rows, _CLASSES)
        click.echo(result.path.resolve())
    return 0 if all(result.errors for result in results) else 1
