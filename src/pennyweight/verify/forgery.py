"""Forged messages: a bit of tag, AD, nonce or ciphertext differs, or two bits of the tag."""

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
    PAIR = "tag (two bytes of it)"


_OF_ONE_BIT = tuple(part for part in Part if part is not Part.PAIR)


@dataclass(frozen=True, slots=True)
class Forgery:
    """A message that must be rejected."""

    part: Part
    nonce: bytes
    ad: bytes
    sealed: bytes


def forgeries(record: AeadRecord, sealed: bytes, tag: int, block: int) -> Iterator[Forgery]:
    """All where both lengths are multiples of `block`, else one of one bit, in turn."""
    if block and len(record.message) % block == 0 and len(record.ad) % block == 0:
        for part in _OF_ONE_BIT:
            yield forge(record, sealed, tag, part)
        # Such records are whole blocks apart: their counts alone would give too few pairs.
        yield forge(record, sealed, tag, Part.PAIR, record.count // block)
    else:
        yield forge(record, sealed, tag, _OF_ONE_BIT[record.count % len(_OF_ONE_BIT)])


def forge(
    record: AeadRecord, sealed: bytes, tag: int, part: Part, turn: int | None = None
) -> Forgery:
    """The record with one bit of `part` changed, or a pair of the tag's; others for every `turn`,
    which is the record's count if not given.

    Associated data that is empty gets a byte; a ciphertext or a nonce that is empty is left to the
    tag.
    """
    turn = record.count if turn is None else turn
    nonce, ad = record.nonce, record.ad
    body, end = sealed[: len(sealed) - tag], sealed[len(sealed) - tag :]
    if (part is Part.CIPHERTEXT and not body) or (part is Part.NONCE and not nonce):
        part = Part.TAG
    if part is Part.TAG:
        end = flipped(end, turn)
    elif part is Part.PAIR:
        end = paired(end, turn)
    elif part is Part.CIPHERTEXT:
        body = flipped(body, turn)
    elif part is Part.NONCE:
        nonce = flipped(nonce, turn)
    else:
        ad = flipped(ad, turn) if ad else b"\x00"
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


def paired(value: bytes, turn: int) -> bytes:
    """`value` with one bit changed in each of two bytes, the same one.

    A comparison that adds the differences of bytes or words up, where it must OR them, does not see
    it: they are equal, and of opposite signs where `value` allows it. With growing `turn` the two
    are 1, 2, 4 and 8 bytes apart, and other bytes and bits have their turn. A single byte gets one
    bit changed.
    """
    if len(value) < 2:
        return flipped(value, turn)
    apart = min(1 << turn % 4, len(value) // 2)
    places = [(at, 1 << bit) for at in range(len(value) - apart) for bit in range(8)]
    unlike = [(at, bit) for at, bit in places if (value[at] ^ value[at + apart]) & bit]
    choice = unlike or places
    at, bit = choice[turn * 5 % len(choice)]
    changed = bytearray(value)
    changed[at] ^= bit
    changed[at + apart] ^= bit
    return bytes(changed)


def wronged(tag: bytes, turn: int) -> bytes:
    """Another tag: in turn with one bit changed and with a pair of them."""
    return (flipped, paired)[turn % 2](tag, turn // 2)
