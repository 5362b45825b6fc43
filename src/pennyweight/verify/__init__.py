"""Proves an implementation right on the part before anything of it is measured."""

from __future__ import annotations

import contextlib
from typing import Literal

from pennyweight.catalogue.implementations import Implementation
from pennyweight.model import Kind, Status
from pennyweight.target import Target
from pennyweight.target.aead import Aead
from pennyweight.target.hash import Hash
from pennyweight.target.parts import AeadParts, HashParts
from pennyweight.verify.aead import AeadChecks
from pennyweight.verify.hash import HashChecks
from pennyweight.verify.verdict import NOT_VERIFIED, Verdict

Level = Literal["full", "quick", "none"]

__all__ = ["NOT_VERIFIED", "Level", "Verdict", "verify"]


def verify(
    target: Target,
    parts: Target | None,
    implementation: Implementation,
    level: Level = "full",
) -> Verdict:
    """Runs the checks of `level` on booted targets with the one-shot and the incremental functions.

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
        return _checked(target, parts, implementation, level)


def _checked(
    target: Target, parts: Target | None, implementation: Implementation, level: Level
) -> Verdict:
    if implementation.kind is Kind.HASH:
        size = implementation.digest
        hash_parts = HashParts(parts, size) if parts else None
        return HashChecks(Hash(target, size), hash_parts, implementation, level).verdict()
    tag = implementation.tag
    aead_parts = AeadParts(parts, tag) if parts else None
    return AeadChecks(Aead(target, tag), aead_parts, implementation, level).verdict()
