"""Analyses one call: its profile, and where secrets affect its timing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from pennyweight._simulator import Profile
from pennyweight.build import BuildError, Program, build
from pennyweight.build.flag_check import check_flags
from pennyweight.catalogue.implementation import Implementation
from pennyweight.job import Job
from pennyweight.measure.one_shot import Call, OneShot
from pennyweight.model import Case, Kind, Operation, Status
from pennyweight.target import DoesNotFitError, Failure, RefusedImageError, Target
from pennyweight.target.aead import CIPHERTEXT, KEY, MESSAGE
from pennyweight.target.board_check import check_board
from pennyweight.target.machine import Leak
from pennyweight.toolchains import MissingToolchainError, for_job

T = TypeVar("T")

_SECRET = {
    Operation.ENC: (KEY, MESSAGE),
    Operation.DEC: (KEY, CIPHERTEXT),
    Operation.HASH: (MESSAGE,),
    Operation.AUTH: (KEY, MESSAGE),
    Operation.AUTH_VERIFY: (KEY, MESSAGE),
}
"""The secrets of each operation. In decryption the ciphertext is secret, because the plaintext,
which is computed from it, is."""


@dataclass(frozen=True, slots=True)
class Part:
    """Named memory, with the bytes that a call read or wrote."""

    name: str
    read: int
    written: int


@dataclass(frozen=True, slots=True)
class CallProfile:
    """The profile of one call."""

    profile: Profile
    memory: list[Part]
    """The memory it accessed: its buffers, static data by symbol, stack, code and constants."""


def profile_case(job: Job) -> CallProfile | Failure:
    """Builds the job's first case, checks its answers, and calls it once under observation.

    Raises `UserError` for flags that the compiler rejects and for an invalid board file.
    """

    def observe(target: Target, call: Call, _: Program) -> CallProfile | Failure:
        found = target.profile(call.function, call.arguments, call.layout)
        if isinstance(found, Failure):
            return found
        return CallProfile(found, _memory(target, call, found.touched))

    return prepared(job, observe)


def follow_case(job: Job) -> list[Leak] | Failure:
    """Builds and calls the job's first case once, tracks the key and the message (of a hash the
    message, of a decryption the ciphertext), and reports where they affect timing.

    Raises `UserError` for flags that the compiler rejects and for an invalid board file.
    """
    case = job.cases[0]

    def observe(target: Target, call: Call, _: Program) -> list[Leak] | Failure:
        secret = [name for name in _SECRET[case.op] if name in call.layout]
        return target.follow_secrets(call.function, call.arguments, call.layout, secret)

    return prepared(job, observe)


def prepared(job: Job, observe: Callable[[Target, Call, Program], T | Failure]) -> T | Failure:
    """Builds, boots, calls once to check the answer, then calls `observe` for a second call.

    Raises `UserError` for flags that the compiler rejects and for an invalid board file.
    """
    implementation, board = job.implementation, job.board
    if implementation.problem:
        return Failure(Status.SKIPPED, implementation.problem)
    try:
        toolchain = for_job(job)
        check_flags(toolchain, board, job.options)
        check_board(board, toolchain)
        program = build(job).programs["full"]
        target = Target(board, program, job.budget)
        if target.boot_failure is not None:
            return target.boot_failure
        target.allows_stray_reads = not implementation.bundled
        target.allow_odd_words(not implementation.bundled)
        call = _call(target, implementation, job.cases[0])
        if isinstance(call, Failure):
            return call
        target.reset()
        result = target.run(call.function, call.arguments, call.layout)
        failure = result if isinstance(result, Failure) else call.check(result)
        return failure or observe(target, call, program)
    except MissingToolchainError as error:
        return Failure(Status.SKIPPED, str(error))
    except BuildError as error:
        return Failure(error.status, error.reason)
    except RefusedImageError as error:
        return Failure(Status.BUILD_FAILED, str(error))
    except DoesNotFitError as error:
        return Failure(Status.DOES_NOT_FIT, f"{error.missing} bytes too many: buffers and stack")


def _call(target: Target, implementation: Implementation, case: Case) -> Call | Failure:
    """The call of a case, in place if the buffers do not fit otherwise."""
    function = OneShot(target, implementation, buffered=False, roomy=not implementation.bundled)
    try:
        return function.prepared(case)
    except DoesNotFitError:
        if implementation.kind is not Kind.AEAD:
            raise
        return function.prepared(case, in_place=True)


def _memory(target: Target, call: Call, touched: list[tuple[int, int, bool, bool]]) -> list[Part]:
    """Bytes read and written, by the name of the memory, in the order of addresses."""
    named = [(each.address, each.end, each.name) for each in call.layout.buffers.values()]
    named.append((call.layout.end, target.top + 1, "stack"))
    named += [(at, at + size, name) for name, at, size in target.symbols()]
    counts: dict[str, list[int]] = {}
    for start, end, read, written in touched:
        for address in range(start, end):
            name = next((name for low, high, name in named if low <= address < high), "other")
            count = counts.setdefault(name, [0, 0])
            count[0] += read
            count[1] += written
    return [Part(name, read, written) for name, (read, written) in counts.items()]
