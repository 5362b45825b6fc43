"""What implementations do on other machines, chosen by a macro, gives the known answers on this one
under the sanitizers, too: limbs of Poly1305 for cores without long products, its sums of 16 bits,
blocks as bytes for cores without registers of 32 bits, words whose bytes memory has in another
order, lanes and words of 64 bits as bytes, KNOT by bytes, and SHA-256's rounds over a window.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import test_host_implementations as answers
from host.build import Bundled, build, bundled, program
from host.inputs import inputs_of
from verdicts import Inputs, cached

FORCED = {
    "poly1305/fast32": "POLY1305_LIMBS=1",
    "poly1305/small": "POLY1305_LONG_SUM=0",
    "kmac128/small": "KECCAK1600_WORD=8",
    "kmac256/small": "KECCAK1600_WORD=16",
    "sha-256/small": "SHA256_WINDOW=1",
    "sha-512/small": "SHA512_BYTES=1",
    "aes-128-eax/table32": "BLOCK_WORDS=0",
    "aes-128-ccm/table32": "BLOCK_WORDS=0",
    "aes-128-gcm/table32": "BLOCK_WORDS=0",
    "aes-128-cmac/table32": "BLOCK_WORDS=0",
    "blake2b/fast8": "BLAKE2_LITTLE_ENDIAN=0",
    "blake2b-keyed/fast8": "BLAKE2_LITTLE_ENDIAN=0",
    "blake2s/fast32": "BLAKE2_LITTLE_ENDIAN=0",
    "knot-aead-128-256/small": "KNOT_BY_BYTES=1",
    "knot-aead-192-384/small": "KNOT_BY_BYTES=1",
    "knot-aead-256-512/small": "KNOT_BY_BYTES=1",
    "knot-hash-512-512/small": "KNOT_BY_BYTES=1",
}
"""The macro with which each is built."""
CHOSEN = [each for each in bundled() if each.id in FORCED]


def test_every_forced_implementation_exists() -> None:
    assert {each.id for each in CHOSEN} == set(FORCED)


def inputs(implementation: Bundled) -> Inputs:
    return inputs_of([implementation], [program(implementation, FORCED[implementation.id])])


@pytest.mark.parametrize("implementation", CHOSEN, ids=lambda each: each.id)
@cached("known answers", inputs)
def test_the_choice_of_another_machine_gives_the_known_answers(
    implementation: Bundled, tmp_path: Path
) -> None:
    runner = build(implementation, tmp_path, FORCED[implementation.id])

    def built(_: Bundled) -> Path:
        return runner

    checks: dict[str, list[Callable[[Bundled, Callable[[Bundled], Path]], None]]] = {
        "aead": [
            answers.test_aead_gives_the_known_answers,
            answers.test_aead_rejects_every_forgery_of_a_bit_or_a_pair,
        ],
        "auth": [
            answers.test_mac_gives_the_known_answers,
            answers.test_mac_rejects_every_forgery_of_a_bit_or_a_pair,
        ],
        "hash": [answers.test_hash_gives_the_known_answers],
    }
    for check in checks[implementation.kind]:
        check(implementation, built)
