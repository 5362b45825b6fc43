"""`pennyweight watch`."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import click

from pennyweight.api.requests import MeasureRequest
from pennyweight.cli.command import Command
from pennyweight.cli.output import print_prose
from pennyweight.cli.requests import asking

if TYPE_CHECKING:
    from pennyweight.api.watching import Round
    from pennyweight.cli.watchtable import History


@click.command(
    "watch",
    cls=Command,
    examples=(
        "pennyweight watch ./my-cipher --board atmega328p",
        "pennyweight watch ./my-cipher --board stm32f030 --lengths 16:64 --verify quick",
    ),
)
@asking(MeasureRequest)
def command(request: MeasureRequest) -> int:
    """Measure again whenever a file changes, and show the difference.

    Takes the arguments and options of `measure`. The sources of the implementations, all headers
    that they include, and the board files are watched. The table shows the change since the last
    measurement and since the start. A build that fails is reported, and the last figures are kept.
    Ctrl-C ends it.
    """
    from pennyweight.api.watching import rounds
    from pennyweight.cli.watchtable import History

    history = History({}, {})
    try:
        for each in rounds(request):
            _show(each, history)
    except KeyboardInterrupt:
        click.echo("")
    return 0


def _show(each: Round, history: History) -> None:
    from pennyweight.cli.resulttable import failures
    from pennyweight.cli.watchtable import figures_of

    if sys.stdout.isatty():
        click.clear()
    # Editors write to temporary files, which are gone by now.
    files = [path.name for path in each.changed if path.exists()] or ["a file"]
    names = ", ".join(files[:5]) if each.changed else ""
    if len(files) > 5:
        names += f" and {len(files) - 5} more"
    when = time.strftime("%H:%M:%S")
    click.echo(f"{when}: {names} changed" if names else f"{when}: first measurement")
    history.print(figures_of(each.results))
    for sentence in [each.problem, *failures(each.results)]:
        if sentence:
            print_prose(sentence)
    click.echo("Waiting for changes; Ctrl-C ends.")
    sys.stdout.flush()
