"""Calls the one-shot hash function of an implementation."""

from __future__ import annotations

from pennyweight.build.link import CXOF, HASH
from pennyweight.model import Status
from pennyweight.target.aead import MESSAGE, SEPARATE, Placement
from pennyweight.target.buffers import Layout, Request
from pennyweight.target.failure import Failure
from pennyweight.target.interface import Argument
from pennyweight.target.machine import Result, Target

DIGEST = "digest"
CUSTOM = "customisation string"


class Hash:
    """`crypto_hash` of one program on one board, or `crypto_cxof` if it is `customised`.

    `size` is the digest's in bytes.
    """

    def __init__(self, target: Target, size: int, customised: bool = False) -> None:
        self.target = target
        self.size = size
        self.customised = customised
        self.function = CXOF if customised else HASH

    def hashing(
        self, message: bytes, placement: Placement, custom: bytes = b""
    ) -> tuple[Layout, list[Argument]]:
        """Buffers and arguments of a call. Raises `DoesNotFitError`."""
        requests = [
            Request(DIGEST, self.size, b"", self.size, placement.offset),
            Request(MESSAGE, len(message), message, 0, placement.offset),
        ]
        if self.customised:
            requests.append(Request(CUSTOM, len(custom), custom, 0, placement.offset))
        layout = self.target.lay_out(requests, placement.gap)
        arguments: list[Argument] = [
            ("pointer", layout.address(MESSAGE)),
            ("u64", len(message)),
        ]
        if self.customised:
            arguments = [
                ("u64", self.size),
                *arguments,
                ("pointer", layout.address(CUSTOM)),
                ("u64", len(custom)),
            ]
        return layout, [("pointer", layout.address(DIGEST)), *arguments]

    def hash(
        self, message: bytes, placement: Placement = SEPARATE, custom: bytes = b""
    ) -> bytes | Failure:
        """The digest. Raises `DoesNotFitError`."""
        layout, arguments = self.hashing(message, placement, custom)
        return self.hashed(self.target.run(self.function, arguments, layout))

    def hashed(self, result: Result | Failure) -> bytes | Failure:
        """Interprets the result of a call."""
        if isinstance(result, Failure):
            return result
        if result.outcome.result != 0:
            reason = f"{self.function} returned {result.outcome.result} instead of 0"
            return Failure(Status.WRONG_ANSWER, reason)
        return result.content(DIGEST)
