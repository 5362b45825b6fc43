"""One job from sources to rows."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Literal

from pennyweight import _simulator, cache
from pennyweight import toolchains as compilers
from pennyweight.build import Build, BuildError, build
from pennyweight.build.crate import compiler_of
from pennyweight.build.flag_check import check_flags
from pennyweight.catalogue.boards import Board
from pennyweight.catalogue.flags import parse_flags, spelled
from pennyweight.catalogue.implementations import (
    KEY_SETUP,
    ONE_SHOT,
    PARTS,
    Implementation,
)
from pennyweight.measure.counts import Counts, Function
from pennyweight.measure.fitting import SEPARATE, Fitter, Measured
from pennyweight.measure.key import (
    compiler_digest,
    firmware_digest,
    job_hash,
    proof_hash,
    sources_digest,
    verdict_hash,
)
from pennyweight.measure.one_shot import OneShot
from pennyweight.measure.parts import (
    AeadPartsFunction,
    HashPartsFunction,
    MacPartsFunction,
    state_size,
)
from pennyweight.model import (
    Case,
    JobResult,
    Kind,
    Measurement,
    Operation,
    Provenance,
    Sizes,
    Status,
    SymbolSize,
    printable,
)
from pennyweight.snapshot import snapshot_scope
from pennyweight.target import Failure, RefusedImageError, Target
from pennyweight.target.board_check import check_board
from pennyweight.verify import NOT_VERIFIED, Verdict
from pennyweight.verify import verify as run_checks
from pennyweight.version import __version__

Level = Literal["every", "full", "quick", "none"]

DEFAULT_BUDGET = 200_000_000
"""Cycles after which one call is given up."""

_SLOWEST = 16
"""So many times slower than in one board's memories a call might be in those of another, of the
same sizes.
"""


def job_key(
    implementation: Implementation,
    board: Board,
    flags: str,
    cases: Sequence[Case],
    verify: Level = "full",
    *,
    budget: int = DEFAULT_BUDGET,
) -> str:
    """The content hash that names the job: 64 hexadecimal digits.

    Equal keys give equal rows: sources, headers, firmware, board file, compiler identity, flags,
    cases, simulator version, known answers, `verify` and our own code all enter it. Raises
    `UserError` for flags that no measurement may use and for a board without a known compiler.
    """
    return job_hash(implementation, board, flags, cases, verify, budget)


def run_job(
    implementation: Implementation,
    board: Board,
    flags: str,
    cases: Sequence[Case],
    *,
    verify: Level = "full",
    budget: int = DEFAULT_BUDGET,
) -> JobResult:
    """Builds, verifies and measures; one row per case, in the order of `cases`.

    Whatever the implementation does wrong, and a compiler that is not there (`skipped`), becomes
    the rows' status with a reason. Raises `UserError` only for what the caller did wrong: a flag
    that no measurement may use or that the compiler refuses, a board that the simulator refuses,
    a known-answer file of ours that is not whole.
    """
    with snapshot_scope():
        return _run(implementation, board, spelled(flags), cases, verify, budget)


def _run(
    implementation: Implementation,
    board: Board,
    flags: str,
    cases: Sequence[Case],
    verify: Level,
    budget: int,
) -> JobResult:
    key = job_key(implementation, board, flags, cases, verify, budget=budget)
    job = _Job(implementation, board, flags, key)
    if implementation.problem:
        return job.failed(cases, Failure(Status.SKIPPED, implementation.problem_anywhere))
    try:
        check_flags(compilers.for_board(board), board, parse_flags(flags))
        check_board(board)
        built = build(implementation, board, flags, sources_digest(implementation))
    except compilers.MissingToolchainError as error:
        return job.failed(cases, Failure(Status.SKIPPED, str(error)))
    except BuildError as error:
        return job.failed(cases, Failure(error.status, error.reason))
    targets = _Targets(built, board, budget)
    try:
        verdict = _verdict(targets, implementation, board, flags, verify, budget)
        targets.get("full")
    except RefusedImageError as error:
        return job.failed(cases, Failure(Status.BUILD_FAILED, str(error)), built)
    if verdict.status is not Status.OK:
        failure = Failure(verdict.status, verdict.reason)
        return job.failed(cases, failure, built, verdict)
    targets.allow(verdict)
    buffered = board.has_memory_effects
    functions = _Functions(targets, implementation, buffered, verdict)
    parts = targets.parts
    if parts is not None and any(case.op not in ONE_SHOT[implementation.kind] for case in cases):
        note = f"the state between parts takes {state_size(parts, implementation)} bytes of RAM"
        verdict = replace(verdict, notes=[*verdict.notes, note])
    return job.finished([functions.measure(case) for case in cases], cases, built, verdict)


class _Targets:
    """The programs of a build on a board, each booted when it is first needed."""

    def __init__(self, built: Build, board: Board, budget: int) -> None:
        self.built = built
        self._board = board
        self._budget = budget
        self._booted: dict[str, Target] = {}
        self._verdict = Verdict(Status.OK)

    def get(self, name: str) -> Target:
        """Raises `UserError`, `RefusedImageError`."""
        if name not in self._booted:
            program = self.built.programs[name]
            self._booted[name] = Target(self._board, program, self._budget)
            self._allow(self._booted[name])
        return self._booted[name]

    def allow(self, verdict: Verdict) -> None:
        """What verification had to allow, in these programs and those to come."""
        self._verdict = verdict
        for target in self._booted.values():
            self._allow(target)

    def _allow(self, target: Target) -> None:
        target.allows_stray_reads = self._verdict.reads_outside
        target.allow_odd_words(self._verdict.odd_words)

    @property
    def longest(self) -> int:
        """The cycles of the longest call so far."""
        return max(target.longest for target in self._booted.values())

    @property
    def parts(self) -> Target | None:
        """The incremental program, if there is one and it fits."""
        return self.get("parts") if "parts" in self.built.programs else None


def _verdict(
    targets: _Targets,
    implementation: Implementation,
    board: Board,
    flags: str,
    level: Level,
    budget: int,
) -> Verdict:
    """What verification finds, or found before: it does not depend on the cases, and on the
    board's timing only where a slower one could run out of cycles.

    A proof of one of ours holds for its images, whatever they are made of. A failure may name a
    line, and others' folders may hold answers: they go by the sources.
    """
    of_sources = verdict_hash(implementation, board, flags, level, budget)
    names = [of_sources]
    if implementation.bundled:
        names.append(proof_hash(implementation, board, targets.built, level, budget))
    for name in names:
        for key in (_alone(name, board), name):
            cached = _cached_verdict(key)
            if cached is not None and (name == of_sources or cached.status is Status.OK):
                return cached
    verdict = run_checks(targets.get("full"), targets.parts, implementation, level)
    name = names[-1] if verdict.status is Status.OK else of_sources
    key = name if targets.longest * _SLOWEST < budget else _alone(name, board)
    cache.write("verdicts", key, json.dumps(asdict(verdict)).encode())
    return verdict


def _alone(name: str, board: Board) -> str:
    """The name of a verdict that holds for no other board."""
    return hashlib.sha256(f"{name} {board.sha256}".encode()).hexdigest()


def _cached_verdict(key: str) -> Verdict | None:
    """A verdict that was kept, if it can be read."""
    cached = cache.read("verdicts", key)
    if cached is not None:
        with contextlib.suppress(ValueError, KeyError, TypeError):
            fields = json.loads(cached)
            return Verdict(**(fields | {"status": Status(fields["status"])}))
    return None


class _Functions:
    """What the cases of a job call."""

    def __init__(
        self, targets: _Targets, implementation: Implementation, buffered: bool, verdict: Verdict
    ) -> None:
        self._targets = targets
        self._implementation = implementation
        self._buffered = buffered
        self._overlap = verdict.in_place
        self._roomy = verdict.writes_clen
        self._fitters: dict[bool, Fitter] = {}

    def measure(self, case: Case) -> Measured:
        """One case; one that the implementation does not offer is skipped."""
        implementation = self._implementation
        incremental = case.op in implementation.parts()
        if not incremental and case.op not in implementation.operations():
            return Measured(Failure(Status.SKIPPED, self._why_not(case.op)))
        if incremental and "parts" in self._targets.built.unfit:
            reason = self._targets.built.unfit["parts"]
            return Measured(Failure(Status.DOES_NOT_FIT, f"the incremental functions: {reason}"))
        if incremental not in self._fitters:
            function = self._function(incremental)
            overlap = self._overlap and implementation.kind is Kind.AEAD
            self._fitters[incremental] = Fitter(function, overlap)
        return self._fitters[incremental].measure(case)

    def _function(self, incremental: bool) -> Function:
        implementation = self._implementation
        if not incremental:
            full = self._targets.get("full")
            return OneShot(full, implementation, self._buffered, self._roomy)
        target = self._targets.get("parts")
        if implementation.kind is Kind.HASH:
            return HashPartsFunction(target, implementation, self._buffered)
        if implementation.kind is Kind.AUTH:
            return MacPartsFunction(target, implementation, self._buffered)
        return AeadPartsFunction(target, implementation, self._buffered)

    def _why_not(self, operation: Operation) -> str:
        implementation = self._implementation
        kind = implementation.kind
        if operation in KEY_SETUP and kind is not Kind.HASH:
            return f"{implementation.id} sets up the key with the nonce: 'init' is both"
        if operation in PARTS[kind]:
            return f"{implementation.id} has no incremental API"
        return f"{implementation.id} is of kind '{kind}', which has no operation '{operation}'"


class _Job:
    """Turns what was found into rows."""

    def __init__(self, implementation: Implementation, board: Board, flags: str, key: str) -> None:
        self._implementation = implementation
        self._board = board
        self._flags = flags
        self._key = key

    def failed(
        self,
        cases: Sequence[Case],
        failure: Failure,
        built: Build | None = None,
        verdict: Verdict | None = None,
    ) -> JobResult:
        """Every case has the same failure."""
        return self.finished([Measured(failure)] * len(cases), cases, built, verdict)

    def finished(
        self,
        found: Sequence[Measured],
        cases: Sequence[Case],
        built: Build | None,
        verdict: Verdict | None,
    ) -> JobResult:
        """One row per case."""
        sizes = built.sizes if built else Sizes()
        symbols: list[SymbolSize] = built.symbols if built else []
        return JobResult(
            provenance=self._provenance(verdict.verified if verdict else NOT_VERIFIED),
            measurements=[
                self._row(case, measured, sizes)
                for case, measured in zip(cases, found, strict=True)
            ],
            symbols=symbols,
            notes=[printable(note) for note in verdict.notes] if verdict else [],
        )

    def _row(self, case: Case, measured: Measured, sizes: Sizes) -> Measurement:
        found = measured.found
        counts = found if isinstance(found, Counts) else None
        failure = found if isinstance(found, Failure) else None
        return Measurement(
            algorithm=self._implementation.algorithm,
            implementation=self._implementation.name,
            board=self._board.id,
            flags=self._flags,
            op=case.op.value,
            ad=case.ad,
            m=case.m,
            cycles=counts.cycles if counts else None,
            cycles_cold=counts.cycles_cold if counts else None,
            instructions=counts.instructions if counts else None,
            stack=counts.stack if counts else None,
            flash=sizes.flash,
            flash_enc=sizes.flash_enc,
            flash_dec=sizes.flash_dec,
            ram=sizes.ram,
            buffers=measured.buffers if counts else SEPARATE,
            status=(failure.status if failure else Status.OK).value,
            reason=failure.reason if failure else "",
        )

    def _provenance(self, verified: str) -> Provenance:
        try:
            identity = compilers.for_board(self._board).identity
            name = identity.name
            version = identity.version
            if self._implementation.crate:
                crate = compiler_of(self._board.file.compiler.flags)
                version = ", ".join(filter(None, (version, crate)))
        except compilers.MissingToolchainError:
            name, version = self._board.file.compiler.toolchain, ""
        return Provenance(
            job=self._key,
            sources_sha256=sources_digest(self._implementation),
            board_sha256=self._board.sha256,
            firmware_sha256=firmware_digest(self._board),
            compiler=name,
            compiler_version=version,
            compiler_sha256=compiler_digest(self._board),
            simulator_version=_simulator.__version__,
            pennyweight_version=__version__,
            verified=printable(verified),
        )
