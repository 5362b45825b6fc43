"""Forged messages: one bit of tag, AD, nonce or ciphertext is flipped, or two bits of the tag."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from pennyweight.target.buffers import FILL
from pennyweight.verify.records import AeadRecord

_NOTHING = bytes((0, FILL))

_STRIDE = 37
"""Bits between one turn and the next; coprime to all sizes of tags and nonces."""

_WORDS = (1, 2, 4, 8)
"""Sizes in bytes of words in which tags are compared."""


class Part(StrEnum):
    """The part to forge."""

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
    """Single-bit forgeries in turn; every part if both lengths are multiples of `block`.

    Records without associated data also get all `pairs` of the tag, and the empty record gets each
    of a byte's eight bits, so that a quick verification covers all of them.
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
    """The record with one bit of `part` flipped, a different one for every `turn`.

    Empty associated data gets a byte; for an empty ciphertext or nonce, the tag is changed instead.
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
    """Whether the output of a rejected message contains anything but zeros and its previous
    content.
    """
    return bool(output.strip(_NOTHING))


def flipped(value: bytes, turn: int) -> bytes:
    """`value` with one bit flipped. Eight consecutive turns flip each bit of a byte, and growing
    `turn` reaches every bit of `value`.
    """
    position = turn * _STRIDE % (8 * len(value))
    changed = bytearray(value)
    changed[position // 8] ^= 1 << (position % 8)
    return bytes(changed)


def pairs(value: bytes) -> Iterator[bytes]:
    """`value` with the highest bit flipped in each of two bytes, 1, 2, 4 or 8 apart.

    A comparison that adds the differences of words instead of ORing them misses some of these,
    because twice the highest bit of a word is zero. In little-endian words that bit is in the last
    byte, otherwise in the first. Of the pairs of words, the first one whose bits differ is taken,
    if there is one: the differences then have opposite signs and cancel out.
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
    """Another tag: one bit or a pair of bits flipped, in turn."""
    turn, has_pair = divmod(turn, 2)
    choice = list(pairs(tag)) if has_pair else []
    return choice[turn % len(choice)] if choice else flipped(tag, turn)
