"""Converts the findings on a job to its rows."""

from __future__ import annotations

from collections.abc import Sequence

from pennyweight.build import Build
from pennyweight.job import Job
from pennyweight.measure.buffer_placement import SEPARATE, Measured
from pennyweight.measure.case_costs import Counts
from pennyweight.measure.naming import provenance_of, sources_of
from pennyweight.model import (
    Case,
    JobResult,
    Measurement,
    Sizes,
    Status,
    SymbolSize,
    printable,
)
from pennyweight.target import Failure
from pennyweight.verify import NOT_VERIFIED, Verdict


class Rows:
    """Converts the findings on a job to its result; `key` is the job's name."""

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
            provenance=provenance_of(
                self._job, self._key, verdict.verified if verdict else NOT_VERIFIED
            ),
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
        uses_random = sources_of(self._job.implementation).uses_random
        drawn = counts if counts and (uses_random or counts.random_words) else None
        return Measurement(
            algorithm=self._job.implementation.algorithm,
            implementation=self._job.implementation.name,
            board=self._job.board.id,
            flags=self._job.label(uses_random),
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
            cycles_spread=counts.spread if counts else None,
            cycles_least=counts.least if counts else None,
            shares=self._job.implementation.manifest.shares,
            random=self._job.random_source if uses_random else None,
            random_words=drawn.random_words if drawn else None,
            random_wait_cycles=drawn.random_wait if drawn else None,
            buffers=measured.buffers if counts else SEPARATE,
            status=(failure.status if failure else Status.OK).value,
            reason=failure.reason if failure else "",
        )
