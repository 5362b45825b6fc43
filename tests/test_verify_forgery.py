"""Forged messages differ from valid ones in one bit, in every part, in every bit in turn."""

from __future__ import annotations

from collections import Counter

from pennyweight.target.buffers import FILL
from pennyweight.verify.forgery import Part, forge, forgeries, leaves_plaintext
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
            assert sum(changes) == 1


def test_all_parts_are_forged_at_block_boundaries_and_each_in_turn_elsewhere() -> None:
    seen: Counter[Part] = Counter()
    for record in aead_grid(16, 16, Starts()):
        parts = [forged.part for forged in forgeries(record, sealed(record), TAG, 16)]
        boundary = len(record.message) % 16 == 0 and len(record.ad) % 16 == 0
        assert len(parts) == (4 if boundary else 1)
        seen.update(parts)
    assert min(seen.values()) > 200


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
