"""Modes that count blocks or store a length are correct beyond 16, 29 and 32 bits.

Up to 70,001 bytes, the very long answers of `host.long_answers` show it. Beyond that, one hash of a
length that hashlib can confirm in seconds; for lengths that would take too long, the block
functions are skipped.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from host.build import Bundled, ask, bundled, field_of, program_of
from host.inputs import inputs_of
from host.long_answers import cut_input, stream
from host.units import Program
from verdicts import Inputs, cached


def _bundled(name: str) -> Bundled:
    (found,) = (each for each in bundled() if each.id == name)
    return found


def unchecked(implementation: Bundled, runner: str) -> Program:
    """Without the sanitizers, for time."""
    return program_of(implementation, runner, *implementation.defines(), flags=("-O2",))


def sha256_inputs() -> Inputs:
    return Inputs(units=(unchecked(_bundled("sha-256/fast32"), "hash_runner.c"),))


@cached("limits", sha256_inputs)
def test_sha256_of_more_bits_than_a_word_counts(tmp_path: Path) -> None:
    """More than 2^29 bytes. The sanitizers would make seconds of them a minute: they see the same
    code in all other tests.
    """
    sha256 = _bundled("sha-256/fast32")
    program = unchecked(sha256, "hash_runner.c").link(tmp_path / "runner")
    piece, times = next(stream("sha-256 repeated", 1 << 20)), 513
    witness = hashlib.sha256()
    for _ in range(times):
        witness.update(piece)
    assert ask(program, [f"repeat {piece.hex()} {times}"]) == [witness.hexdigest()]


def _bits(size: int) -> Callable[[int, int], bytes]:
    return lambda before, more: (8 * (before + more)).to_bytes(size, "big")


def _gcm_lengths(before: int, more: int) -> bytes:
    return b"".join((8 * (before + each)).to_bytes(8, "big") for each in (more, MESSAGE))


def _chacha_lengths(before: int, more: int) -> bytes:
    return b"".join((before + each).to_bytes(8, "little") for each in (more, MESSAGE))


MESSAGE = 100
"""Bytes of message that an AEAD is given behind those before."""

ONE_CALL = [(0, 2**33 + 5), (2**32 - 128, 2**33 + 5)]
"""Bytes before, and in one call, for those that do not walk through them here."""

CARRIES = [(before - 128, 200) for before in (2**29, 2**32, 2**33, 3 * 2**33)]

ENCODED: dict[str, tuple[str, tuple[str, ...], list[tuple[int, int]], Callable[..., bytes]]] = {
    "sha-256/small": ("SHA_256", (), ONE_CALL + CARRIES, _bits(8)),
    "sha-512/small": ("SHA_512", (), [*CARRIES, (2**61 - 128, 200), (2**63 - 128, 200)], _bits(16)),
    "blake2s/small": ("BLAKE2", (), CARRIES, lambda *x: sum(x).to_bytes(8, "little")),
    "blake2b/small": (
        *("BLAKE2", (), [*CARRIES, (2**64 - 128, 200)]),
        lambda *x: sum(x).to_bytes(16, "little"),
    ),
    "chacha20-poly1305/small": (
        *("CHACHA20_POLY1305", ("chacha20.c", "block.c"), ONE_CALL + CARRIES),
        _chacha_lengths,
    ),
    "aes-128-gcm/small-table": ("GCM", (), ONE_CALL + CARRIES, _gcm_lengths),
}
"""By implementation: its name in `counts.c`, which of its sources are linked, bytes before and in
one call, and how they are encoded: FIPS 180-4, sections 5.1.1 and 5.1.2; RFC 7693, section 3.2;
RFC 8439, section 2.8; SP 800-38D, section 7.1."""


def counting(name: str) -> Program:
    """The part of an implementation that counts, without its block functions."""
    macro, linked, *_ = ENCODED[name]
    implementation = _bundled(name)
    sources = [each for each in implementation.sources() if each.name in linked]
    assert len(sources) == len(linked)
    options = ("-D_DEFAULT_SOURCE", f"-D{macro}")
    return program_of(implementation, "counts.c", *options, sources=sources)


@pytest.mark.parametrize("name", ENCODED)
@cached("limits", lambda name: Inputs(name, (counting(name),)))
def test_a_mode_encodes_the_length_of_very_long_messages(name: str, tmp_path: Path) -> None:
    *_, lengths, reported = ENCODED[name]
    program = counting(name).link(tmp_path / "runner")
    answers = ask(program, [f"{before} {more}" for before, more in lengths])
    assert answers == [reported(*each).hex() for each in lengths]


COUNTERS = {
    "aes-128-gcm": (16, "ae3c741a4e3a85ee80b64b9d52a7d428f66c644ba4e971ca320f6d3931c160a8"),
    "aes-128-ccm": (16, "b6fedc79149b69f96b95b1e8ebe8e0ee102b3d49d8795d2ada874b75ed306cb4"),
    "aes-128-eax": (16, "d5c382f28e1081eb33781e4148797f7f53dba37488cbc6f7e9d596cd34c80020"),
    "chacha20-poly1305": (64, "a0aac44b2fb50e23d24cb5e93f6b520b0fbc5992509cf6e8893583f76399deaa"),
    "paef-forkskinny-128-288": (
        *(16, "a7b298078ae3cc2df24099d71493e5d5eb946fe0b426684a20d2d0041651631b"),
    ),
    "pyjamask-128-aead": (16, "53ad3c9745accbe7c17f49c8189c0e4abf52b349f2be7917d349784fda9995ad"),
    "pyjamask-96-aead": (12, "5222cce03f3497c75716cfab447b5e09758ff7dce34f40f25083153a33c98392"),
    "saturnin-ctr-cascade": (
        *(32, "f18b57e803aa7aea74e01d5b55b44d1785ee5206f7f145c899971d8d1055ece5"),
    ),
}
"""Modes with a counter of blocks in what they compute: a block's bytes, and the SHA-256 of
ciphertext and tag for 2^16 blocks and 40 bytes. PyCryptodome 4.4.0 gave AES's and ChaCha20's,
pyca/cryptography 50.0.2 the same except for EAX; the packages' references of round 2 gave the
others, as in brailovskii/nist-lwc-benchmark@80f5c991."""


def counter_inputs(implementation: Bundled) -> Inputs:
    return inputs_of([implementation], [unchecked(implementation, "aead_runner.c")])


@pytest.mark.parametrize(
    "implementation",
    [each for each in bundled() if each.kind == "aead" and each.algorithm in COUNTERS],
    ids=lambda each: each.id,
)
@cached("limits", counter_inputs)
def test_blocks_are_counted_beyond_16_bits(implementation: Bundled, tmp_path: Path) -> None:
    """Without the sanitizers, for time."""
    block, digest = COUNTERS[implementation.algorithm]
    size = (block << 16) + 40
    text = next(stream(f"{implementation.algorithm} counter", 64 + 5 + size))
    given = cut_input(implementation.algorithm, text, size, 5)
    program = unchecked(implementation, "aead_runner.c").link(tmp_path / "runner")
    before = " ".join(map(field_of, (given.key, given.nonce, given.ad)))
    [sealed] = ask(program, [f"encrypt-long {before} {field_of(given.message)}"])
    assert hashlib.sha256(bytes.fromhex(sealed)).hexdigest() == digest
    assert ask(program, [f"decrypt-long {before} {sealed}"]) == [given.message.hex()]
