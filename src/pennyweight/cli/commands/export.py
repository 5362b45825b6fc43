"""`pennyweight export`."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from pennyweight.cli.command import Command
from pennyweight.cli.options import results_option
from pennyweight.model import UserError


@click.command(
    "export",
    cls=Command,
    examples=(
        "pennyweight export",
        "pennyweight export --results my-results --output mine.pennyweight --no-report",
        "pennyweight import mine.pennyweight --results our-results",
    ),
)
@results_option
@click.option(
    "--output",
    default="results.pennyweight",
    show_default=True,
    metavar="FILE",
    help="Archive to write.",
)
@click.option("--no-report", is_flag=True, help="Omit the report.")
def command(results: str, output: str, no_report: bool) -> None:
    """Export results, their provenance and the report to one file.

    `pennyweight import` reads it. The archive is a ZIP file, and the report in it opens without
    Pennyweight. Prints the path of the archive.
    """
    from pennyweight import api
    from pennyweight.store import open_store
    from pennyweight.store.archive import export

    target = Path(output)
    if target.is_dir():
        raise UserError(f"--output: {target} is a folder; use the name of a file.")
    store = open_store(results)
    with tempfile.TemporaryDirectory(prefix="pennyweight-") as folder:
        pages = None
        if not no_report and store.job_files():
            api.report(results, Path(folder) / "report")
            pages = Path(folder) / "report"
        done = export(store, target, pages)
    click.echo(target.resolve())
    click.echo(
        f"{done.jobs:,} jobs with {done.rows:,} rows, {done.pages:,} files of the report, "
        f"{done.bytes:,} bytes",
        err=True,
    )
