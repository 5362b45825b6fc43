"""`pennyweight status`."""

from __future__ import annotations

import shlex
from dataclasses import asdict

import click

from pennyweight.api.options import STUDY
from pennyweight.cli.command import Command
from pennyweight.cli.options import results_option
from pennyweight.cli.output import Column, format_option, print_csv, print_json, print_table
from pennyweight.cli.requests import option

_COLUMNS = (
    Column("board", "board"),
    Column("jobs", "jobs"),
    Column("done", "done"),
    Column("to_do", "to do"),
    Column("failed", "failed"),
    Column("skipped", "skipped"),
    Column("lost", "lost"),
)

_SHOWN = 20
"""Failures that are printed one by one."""


@click.command(
    "status",
    cls=Command,
    pages=True,
    examples=(
        "pennyweight status",
        "pennyweight status --study everything --results my-results --format json",
    ),
)
@option("study", STUDY, "default")
@click.option("--quick", is_flag=True, help="Only the subset that `run --quick` measures.")
@results_option
@format_option
def command(study: str, quick: bool, results: str, form: str) -> int:
    """Show a study's progress: jobs done, to do, failed and skipped, by board, with the reasons.

    A job whose sources, compiler, board or simulator have changed counts as 'to do'; on a real
    board, the jobs of the last `run --on` are counted. The exit status is 1 if a job failed or was
    skipped.
    """
    from pennyweight.api.studies import find_study
    from pennyweight.campaign.plan import plan_study
    from pennyweight.campaign.status import state_of
    from pennyweight.catalogue import load
    from pennyweight.store import open_store

    store, chosen = open_store(results), find_study(study)
    if quick:
        chosen = chosen.quick_subset()
    state = state_of(chosen.id, plan_study(chosen, load()), store)
    rows = [asdict(board) for board in state.boards]
    if form == "json":
        print_json(rows)
    elif form == "csv":
        print_csv(rows)
    else:
        print_table(rows, _COLUMNS)
    failures = state.outcomes.failures
    for failure in failures[:_SHOWN]:
        click.echo(f"pennyweight: {failure.sentence()}", err=True)
    if len(failures) > _SHOWN:
        more = len(failures) - _SHOWN
        click.echo(f"pennyweight: {more} more failures are in the report.", err=True)
    for reason in state.absent.values():
        click.echo(f"pennyweight: {reason}; skipped.", err=True)
    again = (
        f"run: pennyweight run --study {shlex.quote(study)}"
        f"{' --quick' if quick else ''} --results {shlex.quote(results)}"
    )
    if state.to_do:
        click.echo(f"{state.to_do} jobs to do; {again}", err=True)
    for place, jobs in state.to_do_at.items():
        click.echo(
            f"{jobs} jobs to do on a real board; {again} --on {shlex.quote(place)}", err=True
        )
    return 0 if state.outcomes.is_complete else 1
