"""Calls the one-shot MAC functions of an implementation."""

from __future__ import annotations

from pennyweight.build.link import AUTH, AUTH_VERIFY
from pennyweight.model import Status
from pennyweight.target.aead import KEY, MESSAGE, SEPARATE, Placement
from pennyweight.target.buffers import Layout, Request
from pennyweight.target.failure import Failure
from pennyweight.target.interface import Argument
from pennyweight.target.machine import Result, Target

TAG = "tag"
REFUSED = f"{AUTH} returned"
"""End of the reason for an unknown return value."""


class Mac:
    """The two functions of one program on one board; `size` is the tag's in bytes."""

    def __init__(self, target: Target, size: int) -> None:
        self.target = target
        self.size = size

    def signing(
        self, key: bytes, message: bytes, placement: Placement
    ) -> tuple[Layout, list[Argument]]:
        """Buffers and arguments of `crypto_auth`. Raises `DoesNotFitError`."""
        return self._laid_out(key, message, Request(TAG, self.size, b"", self.size), placement)

    def checking(
        self, key: bytes, message: bytes, tag: bytes, placement: Placement
    ) -> tuple[Layout, list[Argument]]:
        """Buffers and arguments of `crypto_auth_verify`. Raises `DoesNotFitError`."""
        return self._laid_out(key, message, Request(TAG, len(tag), tag), placement)

    def sign(self, key: bytes, message: bytes, placement: Placement = SEPARATE) -> bytes | Failure:
        """The tag. Raises `DoesNotFitError`."""
        layout, arguments = self.signing(key, message, placement)
        return self.signed(self.target.run(AUTH, arguments, layout))

    def check(
        self, key: bytes, message: bytes, tag: bytes, placement: Placement = SEPARATE
    ) -> bool | Failure:
        """Whether it is the message's tag. Raises `DoesNotFitError`."""
        layout, arguments = self.checking(key, message, tag, placement)
        return self.checked(self.target.run(AUTH_VERIFY, arguments, layout))

    def signed(self, result: Result | Failure) -> bytes | Failure:
        """Interprets the result of `crypto_auth`."""
        if isinstance(result, Failure):
            return result
        if result.outcome.result != 0:
            reason = f"{REFUSED} {result.outcome.result} instead of 0"
            return Failure(Status.WRONG_ANSWER, reason)
        return result.content(TAG)

    def checked(self, result: Result | Failure) -> bool | Failure:
        """Interprets the result of `crypto_auth_verify`."""
        return result if isinstance(result, Failure) else result.outcome.result == 0

    def _laid_out(
        self, key: bytes, message: bytes, tag: Request, placement: Placement
    ) -> tuple[Layout, list[Argument]]:
        offset = placement.offset
        layout = self.target.lay_out(
            [
                Request(tag.name, tag.size, tag.content, tag.writable, offset),
                Request(KEY, len(key), key, 0, offset),
                Request(MESSAGE, len(message), message, 0, offset),
            ],
            placement.gap,
        )
        return layout, [
            ("pointer", layout.address(TAG)),
            ("pointer", layout.address(MESSAGE)),
            ("u64", len(message)),
            ("pointer", layout.address(KEY)),
        ]
