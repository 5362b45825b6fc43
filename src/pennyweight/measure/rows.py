"""From what was found of a job to its rows."""

from __future__ import annotations

from collections.abc import Sequence

from pennyweight import _simulator
from pennyweight import toolchains as compilers
from pennyweight.build import Build
from pennyweight.build.crate import compiler_of
from pennyweight.job import Job
from pennyweight.measure.counts import Counts
from pennyweight.measure.fitting import SEPARATE, Measured
from pennyweight.measure.key import compiler_digest, firmware_digest, sources_digest
from pennyweight.model import (
    Case,
    JobResult,
    Measurement,
    Provenance,
    Sizes,
    Status,
    SymbolSize,
    printable,
)
from pennyweight.target import Failure
from pennyweight.verify import NOT_VERIFIED, Verdict
from pennyweight.version import __version__


class Rows:
    """Turns what was found of a job into its result; `key` is the job's name."""

    def __init__(self, job: Job, key: str) -> None:
        self._job = job
        self._key = key

    def failed(
        self, failure: Failure, built: Build | None = None, verdict: Verdict | None = None
    ) -> JobResult:
        """Every case has the same failure."""
        return self.finished([Measured(failure)] * len(self._job.cases), built, verdict)

    def finished(
        self, found: Sequence[Measured], built: Build | None, verdict: Verdict | None
    ) -> JobResult:
        """One row per case."""
        sizes = built.sizes if built else Sizes()
        symbols: list[SymbolSize] = built.symbols if built else []
        return JobResult(
            provenance=self._provenance(verdict.verified if verdict else NOT_VERIFIED),
            measurements=[
                self._row(case, measured, sizes)
                for case, measured in zip(self._job.cases, found, strict=True)
            ],
            symbols=symbols,
            notes=[printable(note) for note in verdict.notes] if verdict else [],
        )

    def _row(self, case: Case, measured: Measured, sizes: Sizes) -> Measurement:
        found = measured.found
        counts = found if isinstance(found, Counts) else None
        failure = found if isinstance(found, Failure) else None
        return Measurement(
            algorithm=self._job.implementation.algorithm,
            implementation=self._job.implementation.name,
            board=self._job.board.id,
            flags=self._job.flags,
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
            identity = compilers.for_job(self._job).identity
            name = identity.name
            version = identity.version
            if self._job.implementation.crate:
                crate = compiler_of(self._job.board.file.compiler.flags)
                version = ", ".join(filter(None, (version, crate)))
        except compilers.MissingToolchainError:
            name, version = self._job.board.file.compiler.toolchain, ""
        return Provenance(
            job=self._key,
            sources_sha256=sources_digest(self._job.implementation),
            board_sha256=self._job.board.sha256,
            firmware_sha256=firmware_digest(self._job.board),
            compiler=name,
            compiler_version=version,
            compiler_sha256=compiler_digest(self._job),
            simulator_version=_simulator.__version__,
            pennyweight_version=__version__,
            verified=printable(verified),
        )
