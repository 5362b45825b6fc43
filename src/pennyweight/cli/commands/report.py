"""`pennyweight report`."""

from __future__ import annotations

import click

from pennyweight.cli.command import Command
from pennyweight.cli.options import results_option


@click.command(
    "report",
    cls=Command,
    examples=(
        "pennyweight report --open",
        "pennyweight report --results my-results --output my-report",
    ),
)
@results_option
@click.option(
    "--output", default="report", show_default=True, metavar="DIR", help="Folder of the report."
)
@click.option("--open", "show", is_flag=True, help="Open the report in a browser.")
def command(results: str, output: str, show: bool) -> None:
    """Write a report of stored results: a folder of HTML pages that need no server.

    Prints the path of its first page.
    """
    from pennyweight import api

    page = api.report(results, output).resolve()
    click.echo(page)
    if show:
        import webbrowser

        webbrowser.open(page.as_uri())
