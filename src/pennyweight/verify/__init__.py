"""Proves an implementation right on the part before anything of it is measured."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import Literal

from pennyweight.catalogue.algorithms import Earlier
from pennyweight.catalogue.implementations import Implementation
from pennyweight.model import Kind, Status
from pennyweight.target import Target
from pennyweight.target.aead import Aead
from pennyweight.target.hash import Hash
from pennyweight.target.mac import Mac
from pennyweight.target.parts import HashParts, MacParts, aead_parts
from pennyweight.verify.aead import AeadChecks
from pennyweight.verify.hash import HashChecks
from pennyweight.verify.mac import MacChecks
from pennyweight.verify.verdict import NOT_VERIFIED, Verdict

Level = Literal["every", "full", "quick", "none"]

__all__ = ["NOT_VERIFIED", "Level", "Verdict", "verify"]


def verify(
    target: Target,
    parts: Target | None,
    implementation: Implementation,
    level: Level = "full",
) -> Verdict:
    """Runs the checks of `level` on booted targets with the one-shot and the incremental functions.

    `every`: `full`, and the whole of the Monte Carlo chains, of which the other levels run less.
    `full`: every record of every known-answer set, decrypted too, forgeries, in-place and
    unaligned buffers. `quick`: 33 records that stand for all, and whatever single answers are
    written down. `none`: nothing is run. Raises `UserError` for a bad known-answer file of ours.
    """
    for each in (target, parts):
        if each is not None and each.boot_failure is not None:
            return Verdict(each.boot_failure.status, each.boot_failure.reason)
    if level == "none":
        return Verdict(Status.OK, in_place=implementation.manifest.in_place is True)
    with contextlib.ExitStack() as patience:
        for each in filter(None, (target, parts)):
            patience.enter_context(each.patient())
        verdict = _checked(target, parts, implementation, level)
        if not implementation.bundled:
            verdict = _leniently(target, parts, implementation, level, verdict)
        return verdict


def _leniently(
    target: Target,
    parts: Target | None,
    implementation: Implementation,
    level: Level,
    verdict: Verdict,
) -> Verdict:
    """Checks a package of others again without what harms nobody on these parts: reading words
    where bytes would do, and decryption that writes up to the ciphertext's length, for which
    SUPERCOP leaves room; and for the answers of an earlier version, or for its own. Each is told.
    """
    notes: list[str] = []
    reads = writes = False
    earlier = list(implementation.known.variant.earlier) if implementation.known else []
    version: Earlier | None = None
    own_only = False
    first = verdict
    while True:
        if verdict.status is Status.READ_OUTSIDE and not reads:
            reads = True
            notes.append(f"reads outside its buffers: {verdict.reason}")
        elif verdict.status is Status.WROTE_OUTSIDE and not writes and _in_message(verdict):
            writes = True
            notes.append(f"needs room for the tag behind the message: {verdict.reason}")
        elif verdict.status is Status.WRONG_ANSWER and earlier:
            version = earlier.pop(0)
        elif verdict.status is Status.WRONG_ANSWER and implementation.felics and not own_only:
            own_only = True
        else:
            break
        for each in filter(None, (target, parts)):
            each.reset()
            each.lets_read = reads
        verdict = _checked(target, parts, implementation, level, writes, version, own_only)
    if own_only and verdict.status is Status.OK and verdict.verified.startswith(NOT_VERIFIED):
        verdict = first
    elif own_only and verdict.status is Status.OK:
        notes.append(f"its own test vector is right, {first.reason}: another version or byte order")
    if version is not None and verdict.status is not Status.OK:
        verdict = first
    elif version is not None:
        notes.append(
            f"gives the answers of {version.title}, not those of {implementation.algorithm}"
        )
    notes += verdict.notes
    return replace(verdict, notes=notes, reads_outside=reads, writes_clen=writes)


def _in_message(verdict: Verdict) -> bool:
    """Did decryption write beside or behind the message that it gives?"""
    return "decrypting" in verdict.reason and " the message" in verdict.reason


def _checked(
    target: Target,
    parts: Target | None,
    implementation: Implementation,
    level: Level,
    roomy: bool = False,
    earlier: Earlier | None = None,
    own_only: bool = False,
) -> Verdict:
    tag = implementation.tag
    if implementation.kind is Kind.HASH:
        size = implementation.digest
        function = Hash(target, size, implementation.customised)
        hash_parts = HashParts(parts, size) if parts else None
        return HashChecks(function, hash_parts, implementation, level).verdict()
    if implementation.kind is Kind.AUTH:
        mac_parts = MacParts(parts, tag) if parts else None
        return MacChecks(Mac(target, tag), mac_parts, implementation, level).verdict()
    own_parts = aead_parts(parts, implementation) if parts else None
    aead = Aead(target, tag, roomy)
    return AeadChecks(aead, own_parts, implementation, level, earlier, own_only).verdict()
