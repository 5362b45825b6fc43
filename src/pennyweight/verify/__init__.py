"""Verifies an implementation on the part before it is measured."""

from __future__ import annotations

import contextlib
from dataclasses import replace

from pennyweight.catalogue.implementation import Implementation
from pennyweight.job import Job
from pennyweight.model import Kind, Status
from pennyweight.target import Target
from pennyweight.target.hash import Hash
from pennyweight.target.mac import Mac
from pennyweight.target.parts import HashParts, MacParts, aead_parts
from pennyweight.target.shared_aead import aead_of
from pennyweight.verify.aead import AeadChecks
from pennyweight.verify.hash import HashChecks
from pennyweight.verify.mac import MacChecks
from pennyweight.verify.tolerance import STRICT, Tolerance, verify_leniently
from pennyweight.verify.verdict import NOT_VERIFIED, Verdict

__all__ = ["NOT_VERIFIED", "Verdict", "verify"]


def verify(job: Job, target: Target, parts: Target | None) -> Verdict:
    """Runs the checks of a job's level on booted targets with its one-shot functions and, if they
    fit the part, the incremental ones.

    At the levels `every` and `full`, every record is decrypted too, and forgeries, in-place and
    unaligned buffers are tried. Raises `UserError` for an invalid known-answer file of the
    catalogue.
    """
    implementation = job.implementation
    for each in (target, parts):
        if each is not None and each.boot_failure is not None:
            return Verdict(each.boot_failure.status, each.boot_failure.reason)
    if job.verify == "none":
        return Verdict(Status.OK, in_place=implementation.manifest.in_place is True)
    with contextlib.ExitStack() as limits:
        for each in filter(None, (target, parts)):
            limits.enter_context(each.extended_limits())
        verdict = _checked(job, target, parts)
        if implementation.bundled:
            return verdict

        def again(allowed: Tolerance) -> Verdict:
            for each in filter(None, (target, parts)):
                each.reset()
                each.allows_stray_reads = allowed.reads
                each.allow_odd_words(allowed.odd_words)
            return _checked(job, target, parts, allowed)

        lenient = verify_leniently(implementation, verdict, again, target.allow_odd_words(False))
    return _without_secret(lenient, implementation)


_WITHOUT_NUMBER = (Status.WRONG_ANSWER, Status.REJECTED_VALID, Status.CRASHED)
"""How it can fail without the number: wrong answers, and a read outside the buffers."""


def _without_secret(verdict: Verdict, implementation: Implementation) -> Verdict:
    """Remark for an AEAD with a secret message number, which no other package has or passes."""
    if not implementation.nsec:
        return verdict
    note = f"it takes a secret message number of {implementation.nsec} bytes; none is passed"
    if verdict.status is Status.OK:
        return replace(verdict, notes=[*verdict.notes, note])
    if verdict.status not in _WITHOUT_NUMBER:
        return verdict
    return replace(verdict, status=Status.SKIPPED, reason=f"{note}: {verdict.reason}")


def _checked(
    job: Job, target: Target, parts: Target | None, allowed: Tolerance = STRICT
) -> Verdict:
    implementation, level = job.implementation, job.verify
    tag = implementation.tag
    if implementation.kind is Kind.HASH:
        size = implementation.digest
        function = Hash(target, size, implementation.customised)
        hash_parts = HashParts(parts, size) if parts else None
        return HashChecks(function, hash_parts, implementation, level).verdict()
    if implementation.kind is Kind.AUTH:
        mac_parts = MacParts(parts, tag, implementation.manifest.key_setup) if parts else None
        return MacChecks(Mac(target, tag), mac_parts, implementation, level).verdict()
    own_parts = aead_parts(parts, implementation) if parts else None
    aead = aead_of(target, implementation, allowed.roomy)
    return AeadChecks(aead, own_parts, implementation, level, allowed).verdict()
