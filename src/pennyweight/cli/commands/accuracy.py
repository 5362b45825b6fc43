"""`pennyweight accuracy`."""

from __future__ import annotations

import click

from pennyweight.api.requests import AccuracyRequest
from pennyweight.cli.command import Command
from pennyweight.cli.output import Column, print_prose, print_table
from pennyweight.cli.requests import asking
from pennyweight.model import UserError

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
@asking(AccuracyRequest)
def command(request: AccuracyRequest) -> int:
    """Compare simulated boards with real ones: NIST's measurements, or a connected board.

    With --on, measure a fixed set of implementations in the simulator and on the connected board,
    and write a page with the errors by instruction mix and the largest errors. The measurements are
    stored, so an interrupted command continues, and `pennyweight report` shows both.

    With --nist, build the packages of the clone as for the real boards, run the lengths of the
    boards' CSV files, and write a page with the errors of calibration and evaluation rows. Builds
    and runs are cached, so an interrupted command (Ctrl-C) continues where it stopped.
    """
    if (request.nist is None) == (request.on is None):
        raise UserError("give either --nist PATH or --on PLACE")
    return _compare_board(request) if request.nist is None else _compare_nist(request)


def _compare_nist(request: AccuracyRequest) -> int:
    from pennyweight.accuracy import page
    from pennyweight.api import progress
    from pennyweight.api.nist_accuracy import compare_nist
    from pennyweight.catalogue import load

    with progress("Comparing") as bar:
        compared = compare_nist(request, load(), bar)
    rows = [
        dict(zip(page.SUMMARY, cells, strict=True))
        for cells in page.summaries(compared.results, "marginal")
    ]
    for row in rows:
        row["target"] = row["target"].replace(" %", "")
    if rows:
        click.echo("Absolute errors of steady marginals:")
        print_table(rows, [Column(name, _SHORT.get(name, name)) for name in _PRINTED])
    for result in compared.results:
        if not result.comparisons:
            click.echo(
                f"{result.nist.board}: no row could be compared; the page lists the reasons."
            )
    for path in compared.files:
        click.echo(path.resolve())
    return 0


def _compare_board(request: AccuracyRequest) -> int:
    """The comparison with a connected board. The exit status is 1 if no call could be compared."""
    from pennyweight.accuracy.board_errors import by_class, summary, warning
    from pennyweight.api import progress
    from pennyweight.api.board_accuracy import compare_board
    from pennyweight.catalogue import load

    with progress("Comparing", in_logs=True) as bar:
        results = compare_board(request, load(), bar)
    for result in results:
        found = summary(result.errors) if result.errors else "no call could be compared."
        print_prose(f"{result.board.title}: {found}")
        if result.errors and (warned := warning(result.errors)):
            print_prose(warned)
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
        click.echo(f"Details: {result.path.resolve()}")
    return 0 if all(result.errors for result in results) else 1
