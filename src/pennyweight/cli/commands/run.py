"""`pennyweight run`."""

from __future__ import annotations

from pathlib import Path

import click

from pennyweight.api.requests import RunRequest
from pennyweight.cli.command import Command
from pennyweight.cli.requests import asking
from pennyweight.model import UserError

_SHOWN = 10
"""Failures that are printed one by one."""


def _refuse(_: click.Context, __: click.Parameter, words: tuple[str, ...]) -> None:
    """Rejects a bare word with a message that shows how to pass a study."""
    if not words:
        return
    from pennyweight.studies import study_names

    known = study_names()
    study = next((word for word in words if word in known or word.endswith(".toml")), None)
    hint = f"--study {study}" if study else f"--study NAME, one of {', '.join(known)}, or a file"
    raise UserError(f"run: unexpected argument '{words[0]}'; select a study with {hint}.")


def _jobs(number: int) -> str:
    return "1 job" if number == 1 else f"{number} jobs"


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
@asking(RunRequest)
def command(extra: None, request: RunRequest) -> int:
    """Run a study: build, verify and measure its implementations, and store the results.

    Jobs with results in the folder are not run again, so an interrupted run (Ctrl-C) continues
    where it stopped. The exit status is 1 if a job fails or is skipped. Boards that are skipped,
    because the compiler is missing or another board is connected (--on), do not change it.
    """
    from pennyweight import api
    from pennyweight.campaign.engine import Tally
    from pennyweight.campaign.outcome import outcomes_of
    from pennyweight.devices.errors import DeviceError
    from pennyweight.report.output_folder import check_output_folder
    from pennyweight.store import open_store

    tally, store, report = Tally(), open_store(request.results), request.report
    if report is not None:
        check_output_folder(Path(report))

    def ended(how: str) -> None:
        click.echo(
            f"pennyweight: {how} with {tally.left(store)} of {tally.planned} jobs left; "
            "finished jobs are kept, and the same command continues.",
            err=True,
        )

    try:
        absent = api.run_study(request, tally)
    except KeyboardInterrupt:
        if not tally.jobs:
            raise
        ended("interrupted")
        return 130
    except DeviceError:
        if tally.jobs:
            ended("stopped")
        raise
    for reason in absent.values():
        click.echo(f"pennyweight: {reason}; skipped.", err=True)
    outcomes = outcomes_of(store, tally.jobs)
    for failure in outcomes.failures[:_SHOWN]:
        click.echo(f"pennyweight: {failure.sentence()}", err=True)
    if len(outcomes.failures) > _SHOWN:
        more = len(outcomes.failures) - _SHOWN
        click.echo(f"pennyweight: {more} more failures are in the report.", err=True)
    click.echo(
        f"{_jobs(tally.planned)}, {tally.finished} done now: {outcomes.sentence()}", err=True
    )
    if report is not None:
        click.echo(Path(api.report(request.results, report)).resolve())
    return 0 if outcomes.is_complete else 1
