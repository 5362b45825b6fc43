"""A forgery that the catalogue lists succeeds: that of C. Dobraunig, F. Mendel and B. Mennink
(Practical Forgeries for ORANGE, ePrint 2020/108) on ORANGE-Zest as measured here, the second
round's.

From two ciphertexts of one message under two nonces comes a third that is valid. In both, what is
added to the second half of the first block's key stream is the same, made of the key alone, so that
the ciphertexts show how the states differ; a first block that makes up for it leads from one state
to the other, and everything that follows is the other's, with its tag.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from host.build import Bundled, build, bundled
from host.inputs import inputs_of
from host.known_answers import Aead
from host.requests import decrypt, encrypt
from verdicts import Inputs, cached

HALF = 16


def _xor(*texts: bytes) -> bytes:
    return bytes(x ^ y ^ z for x, y, z in zip(*texts, strict=True))


def _rotated_right(half: bytes) -> bytes:
    """By a bit, of bits that begin at the lowest of byte 0: what undoes rho's rotation."""
    value = int.from_bytes(half, "little")
    return (value >> 1 | (value & 1) << (8 * HALF - 1)).to_bytes(HALF, "little")


def inputs(implementation: Bundled) -> Inputs:
    return inputs_of([implementation])


@pytest.mark.parametrize(
    "implementation",
    [each for each in bundled() if each.algorithm in ("orange-zest", "orange-zest-spec")],
    ids=lambda each: each.id,
)
@cached("forgeries", inputs)
def test_two_ciphertexts_of_a_message_make_a_third_for_orange_zest(
    implementation: Bundled, tmp_path: Path
) -> None:
    runner = build(implementation, tmp_path)
    key, ad, message = bytes(range(7, 23)), b"header", bytes(range(100, 180))
    nonces = bytes(range(16)), bytes(range(50, 66))
    one, other = encrypt(runner, [Aead(key, nonce, ad, message, b"") for nonce in nonces])
    stream = _xor(one, other, bytes(len(one)))  # the difference of key streams
    state = _rotated_right(stream[:HALF]) + stream[HALF : 2 * HALF]
    first = _xor(state, other[: 2 * HALF], bytes(2 * HALF))
    forged = Aead(key, nonces[0], ad, b"", first + other[2 * HALF :])
    assert forged.sealed not in (one, other)
    (opened,) = decrypt(runner, [forged])
    assert opened != "rejected"
    assert bytes.fromhex(opened) != message
