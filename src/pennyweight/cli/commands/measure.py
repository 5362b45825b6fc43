"""`pennyweight measure`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from pennyweight.api.requests import MeasureRequest
from pennyweight.cli.command import Command
from pennyweight.cli.output import format_option, print_csv, print_json
from pennyweight.cli.requests import asking
from pennyweight.model import Status

if TYPE_CHECKING:
    from pennyweight.campaign.engine import Finished
    from pennyweight.job import Level
    from pennyweight.model import JobResult


@click.command(
    "measure",
    cls=Command,
    pages=True,
    examples=(
        "pennyweight measure ascon-aead128 --board atmega328p,stm32f030",
        "pennyweight measure ./my-cipher --board stm32f030 --lengths 16:64,16:0-256/4",
        "pennyweight measure sha-256 --board atmega328p --lengths 0:1024 --long",
        "pennyweight measure 'aes-*' --board my-board.toml --flags -Os --flags \"-O3 -flto\"",
    ),
)
@asking(MeasureRequest)
@click.option("--no-verify", is_flag=True, help="Short for --verify none.")
@click.option(
    "--long",
    "is_long",
    is_flag=True,
    help="Print each build separately: its compiler, known-answer tests, sizes and cases.",
)
@format_option
def command(request: MeasureRequest, no_verify: bool, is_long: bool, form: str) -> int:
    """Measure implementations on boards: cycles, instructions, stack, flash and RAM.

    PATH_OR_NAME is an algorithm, algorithm/implementation, a pattern such as 'aes-*', or the path
    of a folder, or tree of folders, with api.h and sources in the layout of SUPERCOP and NIST
    packages. Known-answer tests run first, on the same build; if it draws random words from the
    part's generator, on one that draws them from software. The table has one row for each
    implementation, board, flags and lengths, with the ratio to the fastest; its stack is the
    maximum over the operations. The exit status is 1 if a case has no measurement; the reason is
    printed. Boards that are skipped because another one is connected (--on) do not change it.
    """
    from pennyweight.api import measuring, progress
    from pennyweight.catalogue import load

    if no_verify:
        request = replace(request, verify=False)
    planned = measuring.measure_jobs(request, load())
    ended: list[Finished] = []
    with progress("Measuring") as bar:
        ended.extend(measuring.finish_in_order(planned, request.jobs, bar))
    rows = [row for finished in ended for row in measuring.rows_of(finished)]
    if form == "json":
        print_json(rows)
    elif form == "csv":
        print_csv(rows)
    else:
        _print([finished.result for finished in ended], planned[0].verify, is_long)
    _print_notes(ended)
    return 0 if all(row["status"] == Status.OK for row in rows) else 1


def _print_notes(ended: list[Finished]) -> None:
    """Prints each note once, with the first of the builds that it is about."""
    titles: dict[str, list[str]] = {}
    for finished in ended:
        for note in finished.result.notes:
            titles.setdefault(note, []).append(finished.job.title)
    for note, (first, *others) in titles.items():
        more = f" and {len(others)} more" if others else ""
        click.echo(f"{first}{more}: {note}", err=True)


def _print(results: list[JobResult], level: Level, is_long: bool) -> None:
    """Compact tables; the long form on request."""
    from pennyweight.cli.jobtable import print_job
    from pennyweight.cli.resulttable import print_results

    if not is_long:
        print_results(results, level)
        return
    for result in results:
        print_job(result)
