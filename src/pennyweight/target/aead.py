"""Calls the one-shot AEAD functions of an implementation."""

from __future__ import annotations

from dataclasses import dataclass

from pennyweight.build.link import DECRYPT, ENCRYPT
from pennyweight.model import Status
from pennyweight.target.buffers import FILL, Layout, Request
from pennyweight.target.failure import Failure
from pennyweight.target.machine import Argument, Result, Target

MESSAGE = "message"
CIPHERTEXT = "ciphertext"
AD = "associated data"
NONCE = "nonce"
KEY = "key"
LENGTH = "output length"

_LENGTH_BYTES = 8
_NULL: Argument = ("pointer", 0)


@dataclass(frozen=True, slots=True)
class Placement:
    """How buffers lie: output over input or not, off their alignment, gaps between them."""

    in_place: bool = False
    offset: int = 0
    gap: int = 0


SEPARATE = Placement()
"""Aligned, output apart from input."""


@dataclass(frozen=True, slots=True)
class Opened:
    """What decryption returned. `plaintext` is the whole buffer, also of a rejected message."""

    accepted: bool
    plaintext: bytes


class Aead:
    """The two functions of one program on one board; `tag` is the tag's size in bytes.

    `roomy`: decryption may write as many bytes as the ciphertext has, tag included, of which the
    message is the first.
    """

    def __init__(self, target: Target, tag: int, roomy: bool = False) -> None:
        self.target = target
        self.tag = tag
        self.roomy = roomy

    def sealing(
        self, key: bytes, nonce: bytes, ad: bytes, message: bytes, placement: Placement
    ) -> tuple[Layout, list[Argument]]:
        """Buffers and arguments of an encryption. Raises `DoesNotFitError`."""
        size = len(message) + self.tag
        layout = self._layout(
            key,
            nonce,
            ad,
            message,
            Request(CIPHERTEXT, size, b"", size, placement.offset),
            placement,
        )
        source = layout.address(CIPHERTEXT if placement.in_place else MESSAGE)
        arguments: list[Argument] = [
            ("pointer", layout.address(CIPHERTEXT)),
            ("pointer", layout.address(LENGTH)),
            ("pointer", source),
            ("u64", len(message)),
            ("pointer", layout.address(AD)),
            ("u64", len(ad)),
            _NULL,
            ("pointer", layout.address(NONCE)),
            ("pointer", layout.address(KEY)),
        ]
        return layout, arguments

    def opening(
        self, key: bytes, nonce: bytes, ad: bytes, ciphertext: bytes, placement: Placement
    ) -> tuple[Layout, list[Argument]]:
        """Buffers and arguments of a decryption. Raises `DoesNotFitError`."""
        size = len(ciphertext) if self.roomy else max(0, len(ciphertext) - self.tag)
        layout = self._layout(
            key,
            nonce,
            ad,
            ciphertext,
            Request(MESSAGE, size, b"", size, placement.offset),
            placement,
        )
        output = layout.address(CIPHERTEXT if placement.in_place else MESSAGE)
        arguments: list[Argument] = [
            ("pointer", output),
            ("pointer", layout.address(LENGTH)),
            _NULL,
            ("pointer", layout.address(CIPHERTEXT)),
            ("u64", len(ciphertext)),
            ("pointer", layout.address(AD)),
            ("u64", len(ad)),
            ("pointer", layout.address(NONCE)),
            ("pointer", layout.address(KEY)),
        ]
        return layout, arguments

    def seal(
        self,
        key: bytes,
        nonce: bytes,
        ad: bytes,
        message: bytes,
        placement: Placement = SEPARATE,
    ) -> bytes | Failure:
        """Ciphertext and tag. Raises `DoesNotFitError`."""
        layout, arguments = self.sealing(key, nonce, ad, message, placement)
        return self.sealed(self.target.run(ENCRYPT, arguments, layout))

    def open(
        self,
        key: bytes,
        nonce: bytes,
        ad: bytes,
        ciphertext: bytes,
        placement: Placement = SEPARATE,
    ) -> Opened | Failure:
        """The plaintext, or that it was rejected. Raises `DoesNotFitError`."""
        layout, arguments = self.opening(key, nonce, ad, ciphertext, placement)
        return self.opened(self.target.run(DECRYPT, arguments, layout))

    def sealed(self, result: Result | Failure) -> bytes | Failure:
        """What an encryption's result means."""
        if isinstance(result, Failure):
            return result
        ciphertext = result.content(CIPHERTEXT)
        if result.outcome.result != 0:
            return _wrong(f"{ENCRYPT} returned {result.outcome.result} instead of 0")
        if result.number(LENGTH) != len(ciphertext):
            return _wrong(
                f"{ENCRYPT} gave a ciphertext length of {result.number(LENGTH)} instead of "
                f"{len(ciphertext)}"
            )
        return ciphertext

    def opened(self, result: Result | Failure) -> Opened | Failure:
        """What a decryption's result means."""
        if isinstance(result, Failure):
            return result
        buffers = result.layout.buffers
        if MESSAGE in buffers:
            plaintext = result.content(MESSAGE)
        else:
            plaintext = result.content(CIPHERTEXT)[: buffers[CIPHERTEXT].writable]
        if self.roomy:
            plaintext = plaintext[: max(0, buffers[CIPHERTEXT].size - self.tag)]
        if result.outcome.result != 0:
            return Opened(False, plaintext)
        if result.number(LENGTH) != len(plaintext):
            return _wrong(
                f"{DECRYPT} gave a message length of {result.number(LENGTH)} instead of "
                f"{len(plaintext)}"
            )
        return Opened(True, plaintext)

    def _layout(
        self,
        key: bytes,
        nonce: bytes,
        ad: bytes,
        given: bytes,
        output: Request,
        placement: Placement,
    ) -> Layout:
        """Key, nonce, length, associated data, input, output; or one buffer for the last two."""
        offset = placement.offset
        requests = [
            Request(LENGTH, _LENGTH_BYTES, bytes((FILL,)) * _LENGTH_BYTES, _LENGTH_BYTES),
            Request(KEY, len(key), key, 0, offset),
            Request(NONCE, len(nonce), nonce, 0, offset),
            Request(AD, len(ad), ad, 0, offset),
        ]
        if placement.in_place:
            size = max(output.size, len(given))
            requests.append(Request(CIPHERTEXT, size, given, output.size, offset))
        else:
            name = MESSAGE if output.name == CIPHERTEXT else CIPHERTEXT
            requests += [Request(name, len(given), given, 0, offset), output]
        return self.target.lay_out(requests, placement.gap)


def _wrong(reason: str) -> Failure:
    return Failure(Status.WRONG_ANSWER, reason)
