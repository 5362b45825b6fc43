"""Forged messages differ from valid ones in one bit, in every part, in every bit in turn, or in a
pair of bits of the tag.
"""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from pennyweight.target.buffers import FILL
from pennyweight.verify.forgery import (
    Part,
    forge,
    forgeries,
    leaves_plaintext,
    paired,
    wronged,
)
from pennyweight.verify.records import AeadRecord, Starts, aead_grid

TAG = 16


def sealed(record: AeadRecord) -> bytes:
    return bytes(len(record.message)) + bytes(TAG)


def bits_changed(one: bytes, other: bytes) -> int:
    assert len(one) == len(other)
    return sum((a ^ b).bit_count() for a, b in zip(one, other, strict=True))


def test_every_forgery_changes_one_thing() -> None:
    for record in aead_grid(16, 16, Starts()):
        for forged in forgeries(record, sealed(record), TAG, 16):
            if forged.part is Part.AD and not record.ad:
                assert forged.ad == b"\0"
                continue
            changes = (
                bits_changed(forged.nonce, record.nonce),
                bits_changed(forged.ad, record.ad),
                bits_changed(forged.sealed, sealed(record)),
            )
            assert sum(changes) == (2 if forged.part is Part.PAIR else 1)


def test_all_parts_are_forged_at_block_boundaries_and_each_in_turn_elsewhere() -> None:
    seen: Counter[Part] = Counter()
    for record in aead_grid(16, 16, Starts()):
        parts = [forged.part for forged in forgeries(record, sealed(record), TAG, 16)]
        boundary = len(record.message) % 16 == 0 and len(record.ad) % 16 == 0
        assert len(parts) == (5 if boundary else 1)
        seen.update(parts)
    assert min(count for part, count in seen.items() if part is not Part.PAIR) > 200
    assert seen[Part.PAIR] == 9


def test_an_empty_ciphertext_is_left_to_its_tag() -> None:
    record = next(iter(aead_grid(16, 16, Starts())))
    assert forge(record, sealed(record), TAG, Part.CIPHERTEXT).part is Part.TAG


def test_without_a_nonce_its_turn_is_the_tags() -> None:
    record = next(iter(aead_grid(16, 0, Starts())))
    forged = forge(record, sealed(record), TAG, Part.NONCE)
    assert (forged.part, forged.nonce) == (Part.TAG, b"")
    assert bits_changed(forged.sealed, sealed(record)) == 1


def test_every_bit_of_a_tag_has_its_turn() -> None:
    forged = {
        forge(record, sealed(record), TAG, Part.TAG).sealed[-TAG:]
        for record in aead_grid(16, 16, Starts())
    }
    assert len(forged) == 8 * TAG


def test_plaintext_is_what_is_neither_zero_nor_untouched() -> None:
    assert not leaves_plaintext(b"")
    assert not leaves_plaintext(bytes(5) + bytes((FILL,)) * 3)
    assert leaves_plaintext(bytes(5) + b"\x01")


@pytest.mark.parametrize("size", [2, 4, 8, 16, 32])
def test_a_pair_cancels_in_the_words_of_a_tag(size: int) -> None:
    tag = hashlib.shake_128(bytes((size,))).digest(size)
    seen = set()
    for turn in range(256):
        changed = paired(tag, turn)
        one, other = (at for at in range(size) if changed[at] != tag[at])
        assert bits_changed(changed, tag) == 2
        assert changed[one] ^ tag[one] == changed[other] ^ tag[other]
        assert sum(changed) == sum(tag)
        seen.add(other - one)
    assert seen == {apart for apart in (1, 2, 4, 8) if apart <= size // 2}


@pytest.mark.parametrize("block", [4, 8, 16])
def test_pairs_of_all_distances_are_forged(block: int) -> None:
    seen = set()
    for record in aead_grid(16, 16, Starts()):
        for forged in forgeries(record, sealed(record), TAG, block):
            if forged.part is Part.PAIR:
                tag = forged.sealed[-TAG:]
                one, other = (at for at in range(TAG) if tag[at])
                seen.add(other - one)
    assert seen == {1, 2, 4, 8}


def test_a_pair_of_a_tag_of_one_byte_is_one_bit() -> None:
    assert bits_changed(paired(b"\x5a", 3), b"\x5a") == 1


def test_a_pair_of_equal_bytes_changes_two_bits() -> None:
    assert bits_changed(paired(bytes(16), 7), bytes(16)) == 2


def test_other_tags_have_one_bit_or_a_pair_changed_in_turn() -> None:
    tag = bytes(range(16))
    others = [wronged(tag, turn) for turn in range(1024)]
    assert {bits_changed(other, tag) for other in others[::2]} == {1}
    assert {bits_changed(other, tag) for other in others[1::2]} == {2}
    assert len(set(others[::2])) == 8 * len(tag)
