"""`pennyweight accuracy`."""

from __future__ import annotations

from pathlib import Path

import click

from pennyweight.cli.command import Command
from pennyweight.cli.options import board_option, jobs_option
from pennyweight.cli.output import Column, print_table

_PRINTED = ("board", "set", "code", "compared", "median", "90th percentile", "maximum", "target")
_SHORT = {"compared": "rows", "90th percentile": "90th", "maximum": "max", "target": "target, %"}


@click.command(
    "accuracy",
    cls=Command,
    examples=(
        "pennyweight accuracy --nist Lightweight-Cryptography-Benchmarking",
        "pennyweight accuracy --nist ../lwc --board atmega328p --only 'ascon*' --output /tmp/page",
    ),
)
@click.option(
    "--nist",
    required=True,
    metavar="PATH",
    help="A clone of github.com/usnistgov/Lightweight-Cryptography-Benchmarking.",
)
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
    default="docs",
    show_default=True,
    metavar="DIR",
    help="Folder for accuracy.md and images/accuracy.svg and .png.",
)
@jobs_option
def command(
    nist: str,
    boards: tuple[str, ...],
    only: tuple[str, ...],
    every: str,
    output: str,
    jobs: int | None,
) -> int:
    """Compare simulated boards with NIST's measurements on real ones.

    Build the packages of the clone as for the real boards, run the lengths of the boards' CSV
    files, and write a page with the errors of calibration and evaluation rows. Builds and runs are
    cached, so an interrupted command (Ctrl-C) continues where it stopped.
    """
    from pennyweight.accuracy import page, run
    from pennyweight.api import progress
    from pennyweight.benchmarks.nist import read_clone
    from pennyweight.benchmarks.nist_boards import choose_boards
    from pennyweight.catalogue import load

    catalogue = load()
    clone = read_clone(nist)
    chosen = choose_boards(boards, clone, catalogue)
    samples = run.read_every(every, chosen)
    with progress("Comparing") as bar:
        results = run.run(clone, chosen, catalogue, only, jobs, bar, samples)
    written = page.write(results, Path(output), only)
    rows = [
        dict(zip(page.SUMMARY, cells, strict=True)) for cells in page.summaries(results, "marginal")
    ]
    for row in rows:
        row["target"] = row["target"].replace(" %", "")
    if rows:
        click.echo("Absolute errors of steady marginals:")
        print_table(rows, [Column(name, _SHORT.get(name, name)) for name in _PRINTED])
    for result in results:
        if not result.comparisons:
            click.echo(
                f"{result.nist.board}: no row could be compared; the page lists the reasons."
            )
    for path in written:
        click.echo(path.resolve())
    return 0
