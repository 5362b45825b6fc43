"""Checks the calls of a request for leakage."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
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
from pennyweight.model import Status, UserError
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


def rows_of(job: Job, result: Report | Failure) -> list[dict[str, Any]]:
    """A row for each finding, in the order of the program; one without a `pc` if there is none.

    `status` is ``"ok"``, ``"undecided"`` or the kind of failure, with the `reason`; `findings` is
    the number of rows with a `pc`.
    """
    common = {**call_selection.fields(job), **asdict(_facts(result))}
    found: list[Finding] = [] if isinstance(result, Failure) else result.findings
    return [{**common, **_finding(each)} for each in found] or [{**common, **_finding(None)}]


def _facts(result: Report | Failure) -> _Facts:
    if isinstance(result, Failure):
        return _Facts(result.status.value, result.reason)
    asked, problem = result.question, undecided(result)
    return _Facts(
        status="undecided" if problem or result.interrupted else Status.OK.value,
        reason=problem or ("interrupted" if result.interrupted else ""),
        vary=asked.vary,
        order=asked.order,
        seed=asked.seed,
        function=asked.function,
        calls=None if asked.function is None else asked.calls,
        model=result.model,
        instructions=result.instructions,
        samples=result.samples,
        random_words=result.words,
        traces=result.traces,
        repeated=result.repeated,
        confirmed=result.confirmed,
        unconfirmed=result.unconfirmed,
        findings=len(result.findings),
    )


@dataclass(frozen=True, slots=True)
class _Facts:
    """The columns that state what was tested; of a failed call, only why."""

    status: str
    reason: str
    vary: str | None = None
    order: int | None = None
    seed: int | None = None
    function: str | None = None
    calls: int | None = None
    model: str | None = None
    instructions: int | None = None
    samples: int | None = None
    random_words: int | None = None
    traces: int | None = None
    repeated: int | None = None
    confirmed: bool | None = None
    unconfirmed: int | None = None
    findings: int = 0


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


def _finding(found: Finding | None) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(
        ("pc", "instruction", "location", "place", "kind", "unmasked", "t", "times")
    )
    if found is not None:
        row |= {name: getattr(found, name) for name in row if name != "unmasked"}
        row["unmasked"] = found.is_unmasked
    old, new = (None, None) if found is None else (found.old, found.new)
    return {**row, **_value("old", old), **_value("new", new)}


def _value(name: str, value: Value | None) -> dict[str, Any]:
    facts: tuple[object, ...] = (None,) * len(_OF_A_VALUE)
    if value is not None:
        where = (value.place, value.instruction, value.location)
        facts = (*where, value.has_input, list(value.words))
    return {f"{name}_{column}": fact for column, fact in zip(_OF_A_VALUE, facts, strict=True)}


_OF_A_VALUE = ("from", "instruction", "location", "input", "words")
