"""Harmless deviations that third-party packages may have on these parts; each is noted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pennyweight.catalogue.algorithms import Earlier
from pennyweight.catalogue.implementation import Implementation
from pennyweight.model import Kind, Status
from pennyweight.verify.verdict import NOT_VERIFIED, Verdict


@dataclass(frozen=True, slots=True)
class Tolerance:
    """The allowed deviations; none by default.

    `reads`: reading words instead of bytes. `roomy`: decryption writes up to the ciphertext's
    length, which SUPERCOP allows. `aligned`: an AEAD that stores words at addresses that depend on
    lengths; only multiples of 8 bytes are tried. `odd_words`: words at odd addresses, on a part
    that ignores the lowest address bit. `earlier`: the answers of an earlier version. `own_only`:
    the answers that the package itself contains. `least`: a cipher for FELICS-AEAD, whose scenarios
    have 86 bytes and more, may need messages of at least this length.
    """

    reads: bool = False
    roomy: bool = False
    aligned: bool = False
    odd_words: bool = False
    earlier: Earlier | None = None
    own_only: bool = False
    least: int = 0


STRICT = Tolerance()


def verify_leniently(
    implementation: Implementation,
    first: Verdict,
    check: Callable[[Tolerance], Verdict],
    ignores_lowest_bit: bool = False,
) -> Verdict:
    """Repeats the checks, with one more deviation allowed each time, until that no longer helps.

    `first` is the verdict without any; `ignores_lowest_bit`: whether the part ignores the lowest
    bit of a word's address.
    """
    found = _verify_leniently(STRICT, implementation, first, check)
    if ignores_lowest_bit and found.status is Status.CRASHED and "unaligned" in found.reason:
        odd = replace(STRICT, odd_words=True)
        notes = [f"accesses words at odd addresses, which this part rounds down: {first.reason}"]
        for start in (odd, replace(odd, aligned=True)):
            begun = check(start)
            second = _verify_leniently(start, implementation, begun, check)
            if second.status is Status.OK:
                return replace(second, notes=[*notes, *second.notes])
            notes.append(f"takes multiples of 8 bytes only: {begun.reason}")
    return found


def _verify_leniently(
    allowed: Tolerance,
    implementation: Implementation,
    first: Verdict,
    check: Callable[[Tolerance], Verdict],
) -> Verdict:
    """Starts with allowed deviations and the verdict with them."""
    verdict = first
    notes: list[str] = []
    while (more := _one_more(allowed, implementation, verdict)) is not None:
        if more.reads and not allowed.reads:
            notes.append(f"reads outside its buffers: {verdict.reason}")
        elif more.roomy and not allowed.roomy:
            notes.append(f"needs room for the tag after the message: {verdict.reason}")
        elif more.aligned and not allowed.aligned:
            notes.append(f"takes multiples of 8 bytes only: {verdict.reason}")
        elif more.least > allowed.least:
            notes.append(f"takes messages longer than a block only: {verdict.reason}")
        allowed, verdict = more, check(more)
    if allowed.earlier is not None or allowed.own_only:
        if verdict.status is not Status.OK or verdict.verified.startswith(NOT_VERIFIED):
            return first
        if allowed.own_only:
            notes.append(f"its own test vector passes, the algorithm's fail: {first.reason}")
        elif allowed.earlier is not None:
            other = implementation.algorithm
            notes.append(f"gives the answers of {allowed.earlier.title}, not those of {other}")
    return replace(
        verdict,
        notes=[*notes, *verdict.notes],
        reads_outside=allowed.reads,
        writes_clen=allowed.roomy,
        odd_words=allowed.odd_words,
    )


def _one_more(
    allowed: Tolerance, implementation: Implementation, verdict: Verdict
) -> Tolerance | None:
    """The next deviation to allow, after a verdict with `allowed`."""
    status, reason = verdict.status, verdict.reason
    if status is Status.READ_OUTSIDE and not allowed.reads:
        return replace(allowed, reads=True)
    if status is Status.WROTE_OUTSIDE and not allowed.roomy and _in_message(reason):
        return replace(allowed, roomy=True)
    aead = implementation.kind is Kind.AEAD
    if status is Status.CRASHED and aead and not allowed.aligned and "unaligned" in reason:
        return replace(allowed, aligned=True)
    felics = implementation.felics
    if status is Status.CRASHED and felics is not None and not allowed.least:
        return replace(allowed, least=felics.block + 1)
    if status is Status.WRONG_ANSWER:
        if (felics or implementation.felics_ae) and not allowed.own_only:
            return replace(allowed, own_only=True)
        versions = implementation.known.variant.earlier if implementation.known else ()
        tried = 0 if allowed.earlier is None else versions.index(allowed.earlier) + 1
        if tried < len(versions) and not allowed.own_only:
            return replace(allowed, earlier=versions[tried])
    return None


def _in_message(reason: str) -> bool:
    """Whether decryption wrote outside the message that it returns."""
    return "decrypting" in reason and " the message" in reason
