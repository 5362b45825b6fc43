"""Calls AEAD functions whose inputs and outputs are shares.

The package's own functions generate the shares and combine them, in calls of their own: only the
function between them is measured. Its inputs are the shares as memory contents, so that it is
called like any other function, also several times.

The call does not define the size of the arrays for shares, nor their content before a call. They
have room for whole blocks of 16 bytes and one more, and are zero: some packages combine the bytes
of a last, incomplete word with the previous content, or write the word after the last one.
"""

from __future__ import annotations

from pennyweight.catalogue import shared_api
from pennyweight.catalogue.implementation import Implementation
from pennyweight.catalogue.shared_api import SharedApi
from pennyweight.model import Status
from pennyweight.target.aead import (
    AD,
    CIPHERTEXT,
    KEY,
    LENGTH,
    MESSAGE,
    NONCE,
    Aead,
    Opened,
    Placement,
)
from pennyweight.target.buffers import Layout, Plan, Slot
from pennyweight.target.failure import Failure
from pennyweight.target.interface import Argument
from pennyweight.target.machine import Result, Target

_WORD = 4
_LENGTH_BYTES = 8
_SHARES = " shares"


def aead_of(target: Target, implementation: Implementation, roomy: bool = False) -> Aead:
    """The functions of an implementation's API."""
    if implementation.shared is not None:
        return SharedAead(target, implementation.tag, implementation.shared)
    return Aead(target, implementation.tag, roomy, implementation.longest)


def words_of(size: int) -> int:
    """The 32-bit words that an array for bytes has: whole blocks of 16 bytes, and one more."""
    return (-(-size // 16) + 1) * 4


class SharedAead(Aead):
    """The two functions for shares, and the four that generate and combine them. Shares are words:
    buffers are aligned, and input and output separate, whatever the placement.
    """

    encrypt = shared_api.ENCRYPT
    decrypt = shared_api.DECRYPT

    def __init__(self, target: Target, tag: int, shared: SharedApi) -> None:
        super().__init__(target, tag)
        self._shared = shared
        self._length = 0
        """The message's bytes in the last call."""
        self.drawn = 0
        """The random words of the last generation of shares."""

    @property
    def is_masked(self) -> bool:
        """Whether the key has more than one share."""
        return self._shared.key > 1

    def sealing(
        self, key: bytes, nonce: bytes, ad: bytes, message: bytes, placement: Placement
    ) -> tuple[Layout, list[Argument]] | Failure:
        """Buffers and arguments of an encryption, with new shares. Raises `DoesNotFitError`."""
        self._length = len(message)
        shares = self.generate(shared_api.GENERATE_ENCRYPT, key, nonce, ad, message, placement.gap)
        if isinstance(shares, Failure):
            return shares
        sizes = (len(message) + self.tag, len(message), len(ad))
        return self._calling(shares, MESSAGE, CIPHERTEXT, sizes, placement.gap)

    def opening(
        self, key: bytes, nonce: bytes, ad: bytes, ciphertext: bytes, placement: Placement
    ) -> tuple[Layout, list[Argument]] | Failure:
        """Buffers and arguments of a decryption, with new shares. Raises `DoesNotFitError`."""
        self._length = max(0, len(ciphertext) - self.tag)
        shares = self.generate(
            shared_api.GENERATE_DECRYPT, key, nonce, ad, ciphertext, placement.gap
        )
        if isinstance(shares, Failure):
            return shares
        sizes = (self._length, len(ciphertext), len(ad))
        return self._calling(shares, CIPHERTEXT, MESSAGE, sizes, placement.gap)

    def sealed(self, result: Result | Failure) -> bytes | Failure:
        """Combines the result of the last encryption."""
        if isinstance(result, Failure):
            return result
        if result.outcome.result != 0:
            return _wrong(f"{self.encrypt} returned {result.outcome.result} instead of 0")
        expected = self._length + self.tag
        if result.number(LENGTH) != expected:
            return _wrong(
                f"{self.encrypt} returned a ciphertext length of {result.number(LENGTH)} instead "
                f"of {expected}"
            )
        return self.combine(shared_api.COMBINE_ENCRYPT, result.content(CIPHERTEXT), expected)

    def opened(self, result: Result | Failure) -> Opened | Failure:
        """Combines the result of the last decryption."""
        if isinstance(result, Failure):
            return result
        plaintext = self.combine(shared_api.COMBINE_DECRYPT, result.content(MESSAGE), self._length)
        if result.outcome.result != 0:
            return Opened(False, b"" if isinstance(plaintext, Failure) else plaintext)
        if isinstance(plaintext, Failure):
            return plaintext
        if result.number(LENGTH) != self._length:
            return _wrong(
                f"{self.decrypt} returned a message length of {result.number(LENGTH)} instead of "
                f"{self._length}"
            )
        return Opened(True, plaintext)

    def generate(
        self, function: str, key: bytes, nonce: bytes, ad: bytes, data: bytes, gap: int = 0
    ) -> dict[str, bytes] | Failure:
        """The shares of all inputs, by name; `data` is the message or the ciphertext. Raises
        `DoesNotFitError`.
        """
        sealing = function == shared_api.GENERATE_ENCRYPT
        source = MESSAGE if sealing else CIPHERTEXT
        inputs = {source: data, AD: ad, NONCE: nonce, KEY: key}
        sizes = {
            source: self._size_of(source, len(data)),
            AD: self._shared.ad * _WORD * words_of(len(ad)),
            NONCE: self._shared.nonce * _WORD * words_of(len(nonce)),
            KEY: self._shared.key * _WORD * words_of(len(key)),
        }
        plan = Plan(
            [Slot(name, len(content)) for name, content in inputs.items()]
            + [Slot(name + _SHARES, size, size) for name, size in sizes.items()]
        )
        layout = self.target.arrange(plan, [*inputs.values(), *map(bytes, sizes.values())], gap)
        arguments: list[Argument] = []
        for name, content in inputs.items():
            arguments.append(("pointer", layout.address(name)))
            arguments.append(("pointer", layout.address(name + _SHARES)))
            if name in (source, AD):
                arguments.append(("u64", len(content)))
        result = self.target.run(function, arguments, layout)
        if isinstance(result, Failure):
            return result.during("generating shares")
        self.drawn = result.random_words
        return {name: result.content(name + _SHARES) for name in sizes}

    def combine(self, function: str, shares: bytes, size: int) -> bytes | Failure:
        """The bytes that shares encode. Raises `DoesNotFitError`."""
        plan = Plan((Slot(_SHARES, len(shares)), Slot(MESSAGE, size, size)))
        layout = self.target.arrange(plan, [shares, b""])
        arguments: list[Argument] = [
            ("pointer", layout.address(_SHARES)),
            ("pointer", layout.address(MESSAGE)),
            ("u64", size),
        ]
        result = self.target.run(function, arguments, layout)
        if isinstance(result, Failure):
            return result.during("combining shares")
        return result.content(MESSAGE)

    def _size_of(self, name: str, size: int) -> int:
        """Bytes of the shares of a message, or of a ciphertext, whose tag has words of its own."""
        if name == MESSAGE:
            return self._shared.message * _WORD * words_of(size)
        message = max(0, size - self.tag)
        return self._shared.ciphertext * _WORD * (words_of(message) + words_of(self.tag))

    def _calling(
        self,
        shares: dict[str, bytes],
        source: str,
        output: str,
        sizes: tuple[int, int, int],
        gap: int,
    ) -> tuple[Layout, list[Argument]]:
        """Buffers and arguments; `sizes` are the bytes of output, input and associated data."""
        out, given, ad = sizes
        room = self._size_of(output, out)
        names = (KEY, NONCE, AD, source)
        plan = Plan(
            [Slot(LENGTH, _LENGTH_BYTES, _LENGTH_BYTES)]
            + [Slot(name, len(shares[name])) for name in names]
            + [Slot(output, room, room)]
        )
        contents = [b"", *(shares[name] for name in names), bytes(room)]
        layout = self.target.arrange(plan, contents, gap)
        arguments: list[Argument] = [
            ("pointer", layout.address(output)),
            ("pointer", layout.address(LENGTH)),
            ("pointer", layout.address(source)),
            ("u64", given),
            ("pointer", layout.address(AD)),
            ("u64", ad),
            ("pointer", layout.address(NONCE)),
            ("pointer", layout.address(KEY)),
        ]
        return layout, arguments


def _wrong(reason: str) -> Failure:
    return Failure(Status.WRONG_ANSWER, reason)
