"""Checks that the shares of an AEAD combine to what they were generated from."""

from __future__ import annotations

from pennyweight.catalogue import shared_api
from pennyweight.model import Status
from pennyweight.target import Failure
from pennyweight.target.aead import CIPHERTEXT, MESSAGE
from pennyweight.target.shared_aead import SharedAead
from pennyweight.verify.records import AeadRecord
from pennyweight.verify.verdict import Failed, must_fit

_DIRECTIONS = (
    (shared_api.GENERATE_ENCRYPT, shared_api.COMBINE_DECRYPT, MESSAGE),
    (shared_api.GENERATE_DECRYPT, shared_api.COMBINE_ENCRYPT, CIPHERTEXT),
)


def check_shares(aead: SharedAead, record: AeadRecord, notes: list[str]) -> None:
    """Generates shares of a message and of a ciphertext, and combines them. Notes shares that are
    made without random words. Raises `Failed`, `DoesNotFitError`.
    """
    data = bytes(range(1, 22)) + bytes(range(aead.tag))
    for generate, combine, name in _DIRECTIONS:
        shares = must_fit(
            aead.target,
            aead.generate(generate, record.key, record.nonce, record.ad, data),
            f"sharing a {name} of {len(data)} bytes",
        )
        found = must_fit(
            aead.target, aead.combine(combine, shares[name], len(data)), f"sharing a {name}"
        )
        if found != data:
            reason = (
                f"the shares that {generate} makes of a {name} do not combine to it in {combine}: "
                f"{data.hex()} becomes {found.hex()}"
            )
            raise Failed(Failure(Status.WRONG_ANSWER, reason))
    if aead.is_masked and not aead.drawn:
        notes.append("it generates shares without random words: they are not random")
