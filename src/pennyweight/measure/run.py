"""Runs one job from sources to rows."""

from __future__ import annotations

from dataclasses import replace

from pennyweight import toolchains as compilers
from pennyweight.build import BuildError, build
from pennyweight.build.flag_check import check_flags
from pennyweight.catalogue.implementation import ONE_SHOT
from pennyweight.devices.errors import DeviceError
from pennyweight.job import Job, RandomSource
from pennyweight.measure.functions import Functions
from pennyweight.measure.naming import Names, sources_of
from pennyweight.measure.parts import state_size
from pennyweight.measure.rows import Rows
from pennyweight.measure.targets import Targets
from pennyweight.measure.verdicts import verdict_of
from pennyweight.model import JobResult, Status
from pennyweight.snapshot import snapshot_scope
from pennyweight.target import Failure, RefusedImageError
from pennyweight.target.board_check import check_board
from pennyweight.verify import Verdict


def run_job(job: Job) -> JobResult:
    """Builds, verifies and measures; returns one row per case, in the order of the job's cases.

    Any fault of the implementation, and a missing compiler (`skipped`), becomes the rows' status
    with a reason. Raises `UserError` only for errors of the caller: flags that the compiler
    rejects, a board that the simulator rejects, an incomplete known-answer file of the catalogue.
    Raises `DeviceError` if a real board or the connection to it fails.
    """
    with snapshot_scope():
        try:
            return _run(job)
        except DeviceError:
            from pennyweight.devices.connect import drop

            # The next job connects again.
            drop(job.on, job.board)
            raise


_VERIFIED_WITH: RandomSource = "lfsr"
"""The source that `pennyweight verify` uses too, so that it shares its verdicts."""


def _verified(job: Job, names: Names, targets: Targets) -> Verdict:
    """The verdict on the job's build. If it draws from the part's generator, that on the build with
    words from software, which the known answers do not depend on: thousands of calls would wait for
    the generator. Each measured call's answer is checked anyway.
    """
    waits = job.random_source == "trng" and sources_of(job.implementation).uses_random
    if not waits or job.verify == "none":
        return verdict_of(job, names, targets)
    other = replace(job, random=_VERIFIED_WITH)
    try:
        built = build(other, sources_of(job.implementation).sha256)
    except BuildError:
        # For example, it needs a few bytes of RAM that the part does not have.
        return verdict_of(job, names, targets)
    return verdict_of(other, Names(other), Targets(other, built))


def _run(job: Job) -> JobResult:
    implementation = job.implementation
    names = Names(job)
    rows = Rows(job, names.key)
    if implementation.problem:
        return rows.failed(Failure(Status.SKIPPED, implementation.problem_anywhere))
    try:
        toolchain = compilers.for_job(job)
        check_flags(toolchain, job.board, job.options)
        check_board(job.board, toolchain)
        built = build(job, sources_of(implementation).sha256)
    except compilers.MissingToolchainError as error:
        return rows.failed(Failure(Status.SKIPPED, str(error)))
    except BuildError as error:
        return rows.failed(Failure(error.status, error.reason))
    targets = Targets(job, built)
    try:
        verdict = _verified(job, names, targets)
        targets.get("full")
    except RefusedImageError as error:
        return rows.failed(Failure(Status.BUILD_FAILED, str(error)), built)
    if verdict.status is not Status.OK:
        return rows.failed(Failure(verdict.status, verdict.reason), built, verdict)
    targets.allow(verdict)
    functions = Functions(job, targets, verdict)
    parts = targets.parts
    if parts is not None and any(
        case.op not in ONE_SHOT[implementation.kind] for case in job.cases
    ):
        note = f"the state between parts takes {state_size(parts, implementation)} bytes of RAM"
        verdict = replace(verdict, notes=[*verdict.notes, note])
    if job.warm != 1:
        note = f"cycles are those of a call after {job.warm} others (--warm)"
        verdict = replace(verdict, notes=[*verdict.notes, note])
    return rows.finished([functions.measure(case) for case in job.cases], built, verdict)
