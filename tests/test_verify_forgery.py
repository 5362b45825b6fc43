"""Forged messages differ from valid ones in one bit, in every part, in every bit in turn, or in a
pair of bits of the tag.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from typing import Literal

import pytest

from pennyweight.target.buffers import FILL
from pennyweight.verify.forgery import (
    Part,
    forge,
    forgeries,
    leaves_plaintext,
    pairs,
    wronged,
)
from pennyweight.verify.records import AeadRecord, Starts, aead_grid, in_spread
from verdicts import cached_by_project

pytestmark = cached_by_project("verification on boards")

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
        more = 7 * (boundary and not record.ad) + 8 * (not record.message and not record.ad)
        assert len(parts) == (4 + more if boundary else 1)
        seen.update(parts)
    assert min(count for part, count in seen.items() if part is not Part.PAIR) > 200
    assert seen[Part.PAIR] == 3 * 7


def test_an_empty_ciphertext_is_left_to_its_tag() -> None:
    record = next(iter(aead_grid(16, 16, Starts())))
    assert forge(record, sealed(record), TAG, Part.CIPHERTEXT, 0).part is Part.TAG


def test_without_a_nonce_its_turn_is_the_tags() -> None:
    record = next(iter(aead_grid(16, 0, Starts())))
    forged = forge(record, sealed(record), TAG, Part.NONCE, 0)
    assert (forged.part, forged.nonce) == (Part.TAG, b"")
    assert bits_changed(forged.sealed, sealed(record)) == 1


@pytest.mark.parametrize("tag", [8, 16, 24, 32])
@pytest.mark.parametrize("block", [0, 4, 8, 16, 48])
def test_every_bit_of_a_tag_has_its_turn(block: int, tag: int) -> None:
    bits = set()
    for record in aead_grid(16, 16, Starts()):
        answer = bytes(len(record.message) + tag)
        for forged in forgeries(record, answer, tag, block):
            if forged.part is Part.TAG:
                bits.add(int.from_bytes(forged.sealed[-tag:]))
    assert bits == {1 << bit for bit in range(8 * tag)}


@pytest.mark.parametrize("block", [4, 8, 16, 48])
def test_every_bit_of_a_nonce_has_its_turn(block: int) -> None:
    bits = set()
    for record in aead_grid(16, 12, Starts()):
        for forged in forgeries(record, sealed(record), TAG, block):
            if forged.part is Part.NONCE:
                bits.add(int.from_bytes(forged.nonce) ^ int.from_bytes(record.nonce))
    assert bits == {1 << bit for bit in range(96)}


@pytest.mark.parametrize("block", [4, 8, 16, 48])
@pytest.mark.parametrize("bit", range(8))
def test_a_comparison_without_one_bit_of_all_bytes_is_found_quickly(block: int, bit: int) -> None:
    left = [
        forged.sealed[-TAG:]
        for record in filter(in_spread, aead_grid(16, 16, Starts()))
        for forged in forgeries(record, sealed(record), TAG, block)
        if forged.part is Part.TAG
    ]
    assert any(all(byte & ~(1 << bit) == 0 for byte in tag) for tag in left)


def test_plaintext_is_what_is_neither_zero_nor_untouched() -> None:
    assert not leaves_plaintext(b"")
    assert not leaves_plaintext(bytes(5) + bytes((FILL,)) * 3)
    assert leaves_plaintext(bytes(5) + b"\x01")


def xored(total: int, one: int, other: int) -> int:
    return total ^ one ^ other


def summed(total: int, one: int, other: int) -> int:
    return total + (one ^ other)


def subtracted(total: int, one: int, other: int) -> int:
    return total + one - other


@pytest.mark.parametrize("join", [xored, summed, subtracted])
@pytest.mark.parametrize("order", ["little", "big"])
@pytest.mark.parametrize(
    ("word", "size"), [(1, 2), (1, 16), (2, 4), (2, 8), (4, 8), (4, 16), (4, 32), (8, 16), (8, 32)]
)
def test_a_comparison_that_adds_differences_up_accepts_a_pair(
    word: int,
    size: int,
    order: Literal["little", "big"],
    join: Callable[[int, int, int], int],
) -> None:
    for turn in range(50):
        tag = hashlib.shake_128(bytes((turn,))).digest(size)
        assert any(_total(tag, other, word, order, join) == 0 for other in pairs(tag))


def _total(
    tag: bytes,
    other: bytes,
    word: int,
    order: Literal["little", "big"],
    join: Callable[[int, int, int], int],
) -> int:
    total = 0
    for at in range(0, len(tag), word):
        words = (int.from_bytes(each[at : at + word], order) for each in (tag, other))
        total = join(total, *words)
    return total % (1 << 8 * word)


def test_a_sum_in_more_bits_than_the_bytes_have_accepts_a_pair_too() -> None:
    tag = hashlib.shake_128(b"tag").digest(TAG)
    assert any(sum(other) == sum(tag) for other in pairs(tag))


def test_pairs_change_the_uppermost_bits_of_two_bytes() -> None:
    tag = hashlib.shake_128(b"tag").digest(TAG)
    apart = []
    for other in pairs(tag):
        one, two = (at for at in range(TAG) if other[at] != tag[at])
        assert (other[one] ^ tag[one], other[two] ^ tag[two]) == (0x80, 0x80)
        apart.append(two - one)
    assert apart == [1, 2, 2, 4, 4, 8, 8]


def test_a_short_tag_has_the_pairs_that_it_has_room_for() -> None:
    assert list(pairs(b"\x5a")) == []
    assert list(pairs(bytes(2))) == [b"\x80\x80"]
    assert len(list(pairs(bytes(4)))) == 3


@pytest.mark.parametrize("block", [4, 8, 16, 48])
def test_a_quick_verification_has_all_pairs(block: int) -> None:
    seen = [
        forged.sealed[-TAG:]
        for record in filter(in_spread, aead_grid(16, 16, Starts()))
        for forged in forgeries(record, sealed(record), TAG, block)
        if forged.part is Part.PAIR
    ]
    assert set(seen) == set(pairs(bytes(TAG)))


def test_other_tags_have_one_bit_or_a_pair_changed_in_turn() -> None:
    tag = bytes(range(16))
    others = [wronged(tag, turn) for turn in range(1024)]
    assert {bits_changed(other, tag) for other in others[::2]} == {1}
    assert set(others[1::2]) == set(pairs(tag))
    assert len(set(others[::2])) == 8 * len(tag)


def test_another_tag_of_one_byte_has_one_bit_changed() -> None:
    assert {bits_changed(wronged(b"\x5a", turn), b"\x5a") for turn in range(32)} == {1}
