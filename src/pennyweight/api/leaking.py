"""Checks the calls of a request for leakage."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, Literal

from pennyweight.api import call_selection
from pennyweight.api.options import count
from pennyweight.api.requests import LeakageRequest
from pennyweight.job import Job
from pennyweight.measure.leakage import (
    LARGEST_SEED,
    MOST_TRACES,
    USUAL_TRACES,
    Finding,
    Question,
    Report,
    Value,
    check_leakage,
)
from pennyweight.model import UserError
from pennyweight.progress import Progress
from pennyweight.target import Failure


def question(request: LeakageRequest) -> Question:
    """What to trace. Raises `UserError` for values out of range."""
    if str(request.order) not in ("1", "2"):
        raise UserError(f"order: {request.order!r} is not supported; use 1 or 2.")
    order: Literal[1, 2] = 2 if str(request.order) == "2" else 1
    traces = count(request.traces, "traces") or USUAL_TRACES[order]
    if traces > MOST_TRACES:
        raise UserError(f"--traces: {traces} are too many; use at most {MOST_TRACES}.")
    if request.vary not in ("key", "data"):
        raise UserError(f"vary: {request.vary!r} is not an input; use key or data.")
    threads = count(request.jobs, "jobs") or len(os.sched_getaffinity(0))
    seed, calls = count(request.seed, "seed") or 1, count(request.calls, "calls")
    if seed > LARGEST_SEED:
        raise UserError(f"--seed: {seed} is too large; use at most {LARGEST_SEED}.")
    if request.function is not None and not request.function.strip():
        raise UserError("--function: the name is empty; name a function, or omit the option.")
    if calls is not None and request.function is None:
        raise UserError("--calls: it counts calls of a function; add --function.")
    return Question(request.vary, traces, order, seed, request.function, calls or 1, threads)


def checks(request: LeakageRequest, progress: Progress) -> Iterator[tuple[Job, Report | Failure]]:
    """The result for each call of the request. Raises `UserError`."""
    asked = question(request)
    for job in call_selection.calls(request):
        progress.working_on(call_selection.title(job))
        yield job, check_leakage(job, asked, progress)


def rows_of(job: Job, report: Report) -> list[dict[str, Any]]:
    """A row for each finding, in the order of the program."""
    asked = report.question
    common = {
        **call_selection.fields(job),
        "vary": asked.vary,
        "order": asked.order,
        "seed": asked.seed,
        "traces": report.traces,
        "confirmed": report.confirmed,
    }
    return [{**common, **_finding(each)} for each in report.findings]


def all_rows(request: LeakageRequest, progress: Progress) -> list[dict[str, Any]]:
    """The rows of all calls. Raises `UserError` for a call that fails, or whose traces do not
    decide.
    """
    rows = []
    for job, found in checks(request, progress):
        title = call_selection.title(job)
        if isinstance(found, Failure):
            raise UserError(f"{title}: {found.status.value}: {found.reason}")
        problem = undecided(found)
        if problem:
            raise UserError(f"{title}: {problem}")
        if found.interrupted:
            raise KeyboardInterrupt
        rows += rows_of(job, found)
    return rows


def undecided(report: Report) -> str:
    """Why the traces do not decide, in a sentence; empty if they do."""
    if report.diverged:
        return (
            f"{report.diverged}: samples cannot be compared; make the code constant-time, or "
            "select a part with --function"
        )
    if not report.decides:
        many = "1 trace is" if report.traces == 1 else f"{report.traces} traces are"
        kind = " by their variances" if report.question.order == 2 else ""
        return f"{many} too few to decide{kind}; use --traces {report.fewest} or more"
    return ""


def _finding(found: Finding) -> dict[str, Any]:
    return {
        "pc": found.pc,
        "instruction": found.instruction,
        "location": found.location,
        "place": found.place,
        "kind": found.kind,
        "unmasked": found.is_unmasked,
        "t": found.t,
        "times": found.times,
        **_value("old", found.old),
        **_value("new", found.new),
    }


def _value(name: str, value: Value) -> dict[str, Any]:
    return {
        f"{name}_from": value.place,
        f"{name}_instruction": value.instruction,
        f"{name}_location": value.location,
        f"{name}_input": value.has_input,
        f"{name}_words": list(value.words),
    }
