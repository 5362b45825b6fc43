"""Forged messages: a bit of tag, AD, nonce or ciphertext differs, or two bits of the tag."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from pennyweight.target.buffers import FILL
from pennyweight.verify.records import AeadRecord

_NOTHING = bytes((0, FILL))

_STRIDE = 37
"""Bits between one turn and the next: no common factor with any size of a tag or of a nonce."""

_WORDS = (1, 2, 4, 8)
"""Bytes of the words in which tags are compared."""


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
    """One of one bit, in turn; every part where both lengths are multiples of `block`.

    Without associated data those have all `pairs` of the tag, too, and the record of nothing at all
    each of a byte's eight bits, so that a quick verification leaves none of them out.
    """
    turn, part_turn = divmod(record.count, len(_OF_ONE_BIT))
    if block == 0 or len(record.message) % block or len(record.ad) % block:
        yield forge(record, sealed, tag, _OF_ONE_BIT[part_turn], turn)
        return
    for part in _OF_ONE_BIT:
        yield forge(record, sealed, tag, part, turn)
    if record.ad:
        return
    body, end = sealed[: len(sealed) - tag], sealed[len(sealed) - tag :]
    for changed in pairs(end):
        yield Forgery(Part.PAIR, record.nonce, record.ad, body + changed)
    if not record.message:
        for bit in range(8):
            yield forge(record, sealed, tag, Part.TAG, bit)


def forge(record: AeadRecord, sealed: bytes, tag: int, part: Part, turn: int) -> Forgery:
    """The record with one bit of `part` changed, another for every `turn`.

    Associated data that is empty gets a byte; a ciphertext or a nonce that is empty is left to the
    tag.
    """
    nonce, ad = record.nonce, record.ad
    body, end = sealed[: len(sealed) - tag], sealed[len(sealed) - tag :]
    if (part is Part.CIPHERTEXT and not body) or (part is Part.NONCE and not nonce):
        part = Part.TAG
    if part is Part.TAG:
        end = flipped(end, turn)
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
    """`value` with one bit changed; eight turns in a row change each of a byte's bits, and with
    growing `turn` every bit of `value` has its turn.
    """
    position = turn * _STRIDE % (8 * len(value))
    changed = bytearray(value)
    changed[position // 8] ^= 1 << (position % 8)
    return bytes(changed)


def pairs(value: bytes) -> Iterator[bytes]:
    """`value` with the uppermost bit changed in each of two bytes, 1, 2, 4 or 8 apart.

    A comparison that adds the differences of words up, where it must OR them, does not see some of
    these: twice the uppermost bit of a word is nothing. In words that are read with the lowest byte
    first it is in their last byte, else in their first. Of pairs of words the first is taken whose
    bits are unlike, if there is one: their differences have opposite signs, and no sum sees them.
    """
    for apart in _WORDS:
        for within in sorted({0, apart - 1}):
            places = range(within, len(value) - apart, apart)
            unlike = [at for at in places if (value[at] ^ value[at + apart]) & 0x80]
            for at in (*unlike, *places)[:1]:
                changed = bytearray(value)
                changed[at] ^= 0x80
                changed[at + apart] ^= 0x80
                yield bytes(changed)


def wronged(tag: bytes, turn: int) -> bytes:
    """Another tag: in turn with one bit changed and with a pair of them."""
    turn, has_pair = divmod(turn, 2)
    choice = list(pairs(tag)) if has_pair else []
    return choice[turn % len(choice)] if choice else flipped(tag, turn)
