"""Calls the one-shot AEAD functions of an implementation."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from pennyweight.build.link import DECRYPT, ENCRYPT
from pennyweight.model import Status
from pennyweight.target.buffers import FILL, Layout, Plan, Slot
from pennyweight.target.failure import Failure
from pennyweight.target.interface import Argument
from pennyweight.target.machine import Result, Target

MESSAGE = "message"
CIPHERTEXT = "ciphertext"
AD = "associated data"
NONCE = "nonce"
KEY = "key"
LENGTH = "output length"

_LENGTH_BYTES = 8
_NO_LENGTH = bytes((FILL,)) * _LENGTH_BYTES
_NULL: Argument = ("pointer", 0)


@dataclass(frozen=True, slots=True)
class Placement:
    """The placement of buffers: in place or separate, unaligned, with gaps between them."""

    in_place: bool = False
    offset: int = 0
    gap: int = 0


SEPARATE = Placement()
"""Aligned, with separate input and output."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The result of decryption. `plaintext` is the whole buffer, also for a rejected message."""

    accepted: bool
    plaintext: bytes


class Aead:
    """The two functions of one program on one board; `tag` is the tag's size in bytes.

    `roomy`: decryption may write as many bytes as the ciphertext has, including the tag; the
    message is at their beginning. `longest`: messages have at most this many bytes, and all
    ciphertexts have `tag` bytes; decryption returns the message's length, and may write as many
    bytes as the longest message has.
    """

    encrypt = ENCRYPT
    decrypt = DECRYPT

    def __init__(self, target: Target, tag: int, roomy: bool = False, longest: int = 0) -> None:
        self.target = target
        self.tag = tag
        self.roomy = roomy
        self.longest = longest

    def sealing(
        self, key: bytes, nonce: bytes, ad: bytes, message: bytes, placement: Placement
    ) -> tuple[Layout, list[Argument]] | Failure:
        """Buffers and arguments of an encryption, or why they are missing. Raises
        `DoesNotFitError`.
        """
        size = self.tag if self.longest else len(message) + self.tag
        layout = self._layout((key, nonce, ad, message), CIPHERTEXT, size, placement)
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
    ) -> tuple[Layout, list[Argument]] | Failure:
        """Buffers and arguments of a decryption, or why they are missing. Raises
        `DoesNotFitError`.
        """
        size = len(ciphertext) if self.roomy else max(0, len(ciphertext) - self.tag)
        size = self.longest or size
        layout = self._layout((key, nonce, ad, ciphertext), MESSAGE, size, placement)
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
        prepared = self.sealing(key, nonce, ad, message, placement)
        if isinstance(prepared, Failure):
            return prepared
        layout, arguments = prepared
        return self.sealed(self.target.run(self.encrypt, arguments, layout))

    def open(
        self,
        key: bytes,
        nonce: bytes,
        ad: bytes,
        ciphertext: bytes,
        placement: Placement = SEPARATE,
    ) -> Opened | Failure:
        """The plaintext, or a rejection. Raises `DoesNotFitError`."""
        prepared = self.opening(key, nonce, ad, ciphertext, placement)
        if isinstance(prepared, Failure):
            return prepared
        layout, arguments = prepared
        return self.opened(self.target.run(self.decrypt, arguments, layout))

    def sealed(self, result: Result | Failure) -> bytes | Failure:
        """Interprets the result of an encryption."""
        if isinstance(result, Failure):
            return result
        ciphertext = result.content(CIPHERTEXT)
        if result.outcome.result != 0:
            return _wrong(f"{ENCRYPT} returned {result.outcome.result} instead of 0")
        if result.number(LENGTH) != len(ciphertext):
            return _wrong(_wrong_length(ENCRYPT, "ciphertext", result, len(ciphertext)))
        return ciphertext

    def opened(self, result: Result | Failure) -> Opened | Failure:
        """Interprets the result of a decryption."""
        if isinstance(result, Failure):
            return result
        layout = result.layout
        if MESSAGE in layout:
            plaintext = result.content(MESSAGE)
        else:
            plaintext = result.content(CIPHERTEXT)[: layout.writable(CIPHERTEXT)]
        if self.roomy and not self.longest:
            plaintext = plaintext[: max(0, layout.size(CIPHERTEXT) - self.tag)]
        if result.outcome.result != 0:
            return Opened(False, plaintext)
        if self.longest:
            plaintext = plaintext[: result.number(LENGTH)]
        if result.number(LENGTH) != len(plaintext):
            return _wrong(_wrong_length(DECRYPT, "message", result, len(plaintext)))
        return Opened(True, plaintext)

    def _layout(
        self,
        given: tuple[bytes, bytes, bytes, bytes],
        output: str,
        size: int,
        placement: Placement,
    ) -> Layout:
        """`given`: key, nonce, associated data, and the input for the `size` bytes of `output`."""
        key, nonce, ad, source = given
        sizes = (len(key), len(nonce), len(ad), len(source))
        plan = _plan(sizes, output, size, placement.in_place, placement.offset)
        contents = [_NO_LENGTH, key, nonce, ad, source]
        if not placement.in_place:
            contents.append(b"")
        return self.target.arrange(plan, contents, placement.gap)


@functools.lru_cache(maxsize=1 << 12)
def _plan(
    sizes: tuple[int, int, int, int], output: str, size: int, in_place: bool, offset: int
) -> Plan:
    """Length, key, nonce, associated data, input, output; or one buffer for the last two."""
    key, nonce, ad, given = sizes
    slots = (
        Slot(LENGTH, _LENGTH_BYTES, _LENGTH_BYTES),
        Slot(KEY, key, 0, offset),
        Slot(NONCE, nonce, 0, offset),
        Slot(AD, ad, 0, offset),
    )
    if in_place:
        return Plan((*slots, Slot(CIPHERTEXT, max(size, given), size, offset)))
    source = MESSAGE if output == CIPHERTEXT else CIPHERTEXT
    return Plan((*slots, Slot(source, given, 0, offset), Slot(output, size, size, offset)))


def _wrong_length(function: str, what: str, result: Result, expected: int) -> str:
    """The error in a length, with a likely cause if some of its bytes were not written."""
    found = result.number(LENGTH)
    length = found.to_bytes(_LENGTH_BYTES, "little")
    for written in (1, 2, 4):
        if length[written:] == _NO_LENGTH[written:] and length[:written] != _NO_LENGTH[:written]:
            return (
                f"{function} wrote {written} of the {_LENGTH_BYTES} bytes of the {what}'s length, "
                "as through a pointer to a smaller type"
            )
    if length == _NO_LENGTH:
        return f"{function} did not write the {what}'s length"
    sentence = f"{function} returned a {what} length of {found} instead of {expected}"
    if function == ENCRYPT:
        sentence += " (the message's and CRYPTO_ABYTES; other ciphertexts cannot be measured)"
    return sentence


def _wrong(reason: str) -> Failure:
    return Failure(Status.WRONG_ANSWER, reason)
