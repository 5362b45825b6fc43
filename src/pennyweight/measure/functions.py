"""The functions that a job's cases call: one-shot functions and the incremental API."""

from __future__ import annotations

from pennyweight.catalogue.implementation import KEY_SETUP, PARTS
from pennyweight.job import Job
from pennyweight.measure.buffer_placement import Fitter, Measured
from pennyweight.measure.case_costs import Function
from pennyweight.measure.one_shot import OneShot
from pennyweight.measure.parts import AeadPartsFunction, HashPartsFunction, MacPartsFunction
from pennyweight.measure.targets import Targets
from pennyweight.model import Case, Kind, Operation, Status
from pennyweight.target import Failure
from pennyweight.verify import Verdict


class Functions:
    """The functions that a job's cases call."""

    def __init__(self, job: Job, targets: Targets, verdict: Verdict) -> None:
        self._targets = targets
        self._implementation = job.implementation
        self._buffered = job.board.has_memory_effects
        self._overlap = verdict.in_place
        self._roomy = verdict.writes_clen
        self._fitters: dict[bool, Fitter] = {}

    def measure(self, case: Case) -> Measured:
        """Measures one case; skips it if the implementation does not have the function."""
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
            return f"{implementation.id} has no separate key setup: 'init' includes it"
        if operation in PARTS[kind]:
            return f"{implementation.id} has no incremental API"
        return f"{implementation.id} is of kind '{kind}', which has no operation '{operation}'"
