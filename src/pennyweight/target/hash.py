"""Calls the one-shot hash function of an implementation."""

from __future__ import annotations

from pennyweight.build.link import HASH
from pennyweight.model import Status
from pennyweight.target.aead import MESSAGE, SEPARATE, Placement
from pennyweight.target.buffers import Layout, Request
from pennyweight.target.failure import Failure
from pennyweight.target.machine import Argument, Result, Target

DIGEST = "digest"


class Hash:
    """`crypto_hash` of one program on one board; `size` is the digest's in bytes."""

    def __init__(self, target: Target, size: int) -> None:
        self.target = target
        self.size = size

    def hashing(self, message: bytes, placement: Placement) -> tuple[Layout, list[Argument]]:
        """Buffers and arguments of a call. Raises `DoesNotFitError`."""
        layout = self.target.lay_out(
            [
                Request(DIGEST, self.size, b"", self.size, placement.offset),
                Request(MESSAGE, len(message), message, 0, placement.offset),
            ],
            placement.gap,
        )
        return layout, [
            ("pointer", layout.address(DIGEST)),
            ("pointer", layout.address(MESSAGE)),
            ("u64", len(message)),
        ]

    def hash(self, message: bytes, placement: Placement = SEPARATE) -> bytes | Failure:
        """The digest. Raises `DoesNotFitError`."""
        layout, arguments = self.hashing(message, placement)
        return self.hashed(self.target.run(HASH, arguments, layout))

    def hashed(self, result: Result | Failure) -> bytes | Failure:
        """What a call's result means."""
        if isinstance(result, Failure):
            return result
        if result.outcome.result != 0:
            reason = f"{HASH} returned {result.outcome.result} instead of 0"
            return Failure(Status.WRONG_ANSWER, reason)
        return result.content(DIGEST)
