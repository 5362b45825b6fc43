"""Forged messages: one bit of tag, associated data, nonce or ciphertext differs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from pennyweight.target.buffers import FILL
from pennyweight.verify.records import AeadRecord

_NOTHING = bytes((0, FILL))


class Part(StrEnum):
    """What is forged."""

    TAG = "tag"
    AD = "associated data"
    NONCE = "nonce"
    CIPHERTEXT = "ciphertext"


@dataclass(frozen=True, slots=True)
class Forgery:
    """A message that must be rejected."""

    part: Part
    nonce: bytes
    ad: bytes
    sealed: bytes


def forgeries(record: AeadRecord, sealed: bytes, tag: int, block: int) -> Iterator[Forgery]:
    """All four where both lengths are multiples of `block`, else one, in turn."""
    parts = tuple(Part)
    if block and len(record.message) % block == 0 and len(record.ad) % block == 0:
        for part in parts:
            yield forge(record, sealed, tag, part)
    else:
        yield forge(record, sealed, tag, parts[record.count % len(parts)])


def forge(record: AeadRecord, sealed: bytes, tag: int, part: Part) -> Forgery:
    """The record with one bit of `part` changed, another bit for every record.

    Associated data that is empty gets a byte; a ciphertext or a nonce that is empty is left to the
    tag.
    """
    nonce, ad = record.nonce, record.ad
    body, end = sealed[: len(sealed) - tag], sealed[len(sealed) - tag :]
    if (part is Part.CIPHERTEXT and not body) or (part is Part.NONCE and not nonce):
        part = Part.TAG
    if part is Part.TAG:
        end = flipped(end, record.count)
    elif part is Part.CIPHERTEXT:
        body = flipped(body, record.count)
    elif part is Part.NONCE:
        nonce = flipped(nonce, record.count)
    else:
        ad = flipped(ad, record.count) if ad else b"\x00"
    return Forgery(part, nonce, ad, body + end)


def leaves_plaintext(output: bytes) -> bool:
    """Does the output of a rejected message hold anything but zeros and what was there before?"""
    return bool(output.strip(_NOTHING))


def flipped(value: bytes, turn: int) -> bytes:
    """`value` with one bit changed; with growing `turn` every bit has its turn."""
    position = turn * 5 % (8 * len(value))
    changed = bytearray(value)
    changed[position // 8] ^= 1 << (position % 8)
    return bytes(changed)
