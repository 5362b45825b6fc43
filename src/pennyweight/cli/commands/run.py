"""`pennyweight run`."""

from __future__ import annotations

from pathlib import Path

import click

from pennyweight.cli.command import Command
from pennyweight.cli.options import jobs_option, results_option
from pennyweight.model import UserError

_SHOWN = 10
"""Failures that are told one by one."""


def _refuse(_: click.Context, __: click.Parameter, words: tuple[str, ...]) -> None:
    """A study is an option, and so are its parts: whoever gives a bare word is told how."""
    if not words:
        return
    from pennyweight.studies import study_names

    known = study_names()
    study = next((word for word in words if word in known or word.endswith(".toml")), None)
    hint = f"--study {study}" if study else f"--study NAME, one of {', '.join(known)}, or a file"
    raise UserError(f"run: '{words[0]}' is no option; a study is named with {hint}.")


@click.command(
    "run",
    cls=Command,
    examples=(
        "pennyweight run --report report",
        "pennyweight run --study felics-aead --quick --report felics",
        "pennyweight run --study my-study.toml --results my-results",
        "pennyweight run --study everything --dask tcp://cluster.example:8786",
    ),
)
@click.argument("extra", nargs=-1, metavar="", callback=_refuse)
@click.option(
    "--study",
    default="default",
    show_default=True,
    metavar="NAME|FILE",
    help="A study by name (default, everything, one-euro, ao-ae, felics-aead, nist-lwc, "
    "chachapoly-units), or your own as the path of a TOML file.",
)
@click.option("--quick", is_flag=True, help="Only the subset that the study's table [quick] names.")
@results_option
@click.option("--report", metavar="DIR", help="Write the report there afterwards.")
@jobs_option
@click.option(
    "--dask",
    metavar="ADDRESS",
    help="Do the jobs on the workers of this Dask scheduler, such as tcp://host:8786.",
)
def command(
    extra: None,
    study: str,
    quick: bool,
    results: str,
    report: str | None,
    jobs: int | None,
    dask: str | None,
) -> int:
    """Run a study: build, prove right and measure, and keep what comes out.

    What is in the results folder already is not done again, so a run may be interrupted at any
    moment (Ctrl-C) and started again. Exit status 1 if a job has failed.
    """
    from pennyweight import api
    from pennyweight.campaign.engine import Tally
    from pennyweight.campaign.outcome import outcomes_of
    from pennyweight.report.output_folder import check_output_folder
    from pennyweight.store import open_store

    tally, store = Tally(), open_store(results)
    if report is not None:
        check_output_folder(Path(report))
    try:
        absent = api.run_study(study, results, tally, jobs, quick, dask)
    except KeyboardInterrupt:
        if not tally.jobs:
            raise
        click.echo(
            f"pennyweight: interrupted with {tally.left(store)} of {tally.planned} jobs left; "
            "what is finished is kept, and the same command carries on.",
            err=True,
        )
        return 130
    for reason in absent.values():
        click.echo(f"pennyweight: {reason}; it was left out.", err=True)
    outcomes = outcomes_of(store, tally.jobs)
    for failure in outcomes.failures[:_SHOWN]:
        click.echo(f"pennyweight: {failure.sentence()}", err=True)
    if len(outcomes.failures) > _SHOWN:
        more = len(outcomes.failures) - _SHOWN
        click.echo(f"pennyweight: {more} more reasons for failures are in the report.", err=True)
    click.echo(
        f"{tally.planned} jobs, {tally.finished} of them done now: {outcomes.sentence()}", err=True
    )
    if report is not None:
        click.echo(Path(api.report(results, report)).resolve())
    return 1 if outcomes.failed_jobs else 0
