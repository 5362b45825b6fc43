"""Calls the incremental API of an implementation, part by part, on buffers that stay in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pennyweight.build.link import HASH_INIT_CUSTOM, MAC_INIT_CUSTOM, SQUEEZE
from pennyweight.catalogue.felics import Felics
from pennyweight.catalogue.implementations import Implementation
from pennyweight.model import Operation, Status
from pennyweight.target.aead import AD, CIPHERTEXT, KEY, MESSAGE, NONCE
from pennyweight.target.buffers import Layout, Request
from pennyweight.target.failure import Failure
from pennyweight.target.hash import CUSTOM, DIGEST
from pennyweight.target.interface import Argument
from pennyweight.target.mac import TAG
from pennyweight.target.machine import Result, Target

STATE = "state"
OUTPUT = "output"

_FUNCTIONS = {
    Operation.INIT: "aead_init",
    Operation.KEY: "aead_set_key",
    Operation.START: "aead_start",
    Operation.AD: "aead_ad",
    Operation.ENCRYPT: "aead_encrypt",
    Operation.DECRYPT: "aead_decrypt",
    Operation.FINALIZE: "aead_finalize",
    Operation.TAG: "aead_tag",
    Operation.VERIFY: "aead_verify",
}
_HASH_FUNCTIONS = {
    Operation.INIT: "hash_init",
    Operation.UPDATE: "hash_update",
    Operation.FINALIZE: "hash_final",
    Operation.SQUEEZE: SQUEEZE,
}
_MAC_FUNCTIONS = {
    Operation.INIT: "mac_init",
    Operation.KEY: "mac_set_key",
    Operation.START: "mac_start",
    Operation.UPDATE: "mac_update",
    Operation.FINALIZE: "mac_finalize",
    Operation.TAG: "mac_tag",
    Operation.VERIFY: "mac_verify",
}
_LARGEST_STATE = 1 << 14


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a buffer: `size` bytes from `start`."""

    start: int
    size: int


class AeadParts:
    """The parts of an AEAD; `tag` is the tag's size in bytes.

    A message is processed by `place`, which lays the buffers out and fills them, and `call` for
    each part in the order of the API.
    """

    initial_state = b""
    key_setup = False
    """Is the key's set-up apart from the start of a message?"""

    def __init__(self, target: Target, tag: int, key_setup: bool = False) -> None:
        self.target = target
        self.tag = tag
        self.key_setup = key_setup
        self.state_size = target.constant("aead_state_bytes", 2)
        self.block = max(1, target.constant("aead_block_bytes", 2))

    def place(
        self,
        key: bytes,
        nonce: bytes,
        ad: bytes,
        given: bytes,
        tag: bytes | None,
        *,
        in_place: bool = False,
        gap: int = 0,
        state: bytes | None = None,
    ) -> Layout:
        """Buffers in memory: `given` is plaintext if `tag` is `None`, else ciphertext; `state` is a
        copy of one with the key set up.

        Raises `DoesNotFitError`.
        """
        source, output = (MESSAGE, CIPHERTEXT) if tag is None else (CIPHERTEXT, MESSAGE)
        requests = [
            Request(STATE, self.state_size, state or self.initial_state, self.state_size),
            Request(KEY, len(key), key),
            Request(NONCE, len(nonce), nonce),
            Request(AD, len(ad), ad),
            Request(TAG, self.tag, tag or b"", self.tag if tag is None else 0),
        ]
        if in_place:
            requests.append(Request(output, len(given), given, len(given)))
        else:
            requests.append(Request(source, len(given), given))
            requests.append(Request(output, len(given), b"", len(given)))
        layout = self.target.lay_out(requests, gap)
        self.target.write(layout)
        return layout

    def spans(self, operation: Operation, size: int, step: int) -> Sequence[Span]:
        """The pieces in which `size` bytes are given to a part; none for no bytes."""
        return cut(size, step)

    def call(
        self, layout: Layout, operation: Operation, span: Span | None = None
    ) -> Result | Failure:
        """Calls one part; `span` is the piece of associated data or message that it takes."""
        state: Argument = ("pointer", layout.address(STATE))
        function = _FUNCTIONS[operation]
        if operation is Operation.INIT:
            arguments = [state, _pointer(layout, KEY), _pointer(layout, NONCE)]
        elif operation is Operation.KEY:
            arguments = [state, _pointer(layout, KEY)]
        elif operation is Operation.START:
            arguments = [state, _pointer(layout, NONCE)]
        elif operation is Operation.AD:
            piece = span or Span(0, layout.size(AD))
            arguments = [state, _pointer(layout, AD, piece.start), ("size", piece.size)]
        elif operation in (Operation.ENCRYPT, Operation.DECRYPT):
            arguments = [state, *self._transfer(layout, operation, span)]
        elif operation is Operation.FINALIZE:
            arguments = [state]
        else:
            arguments = [state, _pointer(layout, TAG)]
        return self.target.call(function, arguments, layout)

    @staticmethod
    def _transfer(layout: Layout, operation: Operation, span: Span | None) -> list[Argument]:
        output = CIPHERTEXT if operation is Operation.ENCRYPT else MESSAGE
        source = MESSAGE if operation is Operation.ENCRYPT else CIPHERTEXT
        source = source if source in layout else output
        piece = span or Span(0, layout.size(output))
        return [
            _pointer(layout, output, piece.start),
            _pointer(layout, source, piece.start),
            ("size", piece.size),
        ]


class FelicsParts(AeadParts):
    """FELICS-AEAD's seven functions, each in its part's place: a message is processed in place and
    whole, and some functions are called for empty inputs too.
    """

    def __init__(self, target: Target, felics: Felics) -> None:
        self.target = target
        self.tag = felics.tag
        self.state_size = felics.state
        self.initial_state = bytes(felics.state)
        self.block = 1 << 16
        self._felics = felics

    def place(
        self,
        key: bytes,
        nonce: bytes,
        ad: bytes,
        given: bytes,
        tag: bytes | None,
        *,
        in_place: bool = False,
        gap: int = 0,
        state: bytes | None = None,
    ) -> Layout:
        """As of any AEAD's parts, always in place, and with a state of zeros: not all of it is set
        by functions that have nothing to process. Raises `DoesNotFitError`.
        """
        return super().place(key, nonce, ad, given, tag, in_place=True, gap=gap)

    def spans(self, operation: Operation, size: int, step: int) -> Sequence[Span]:
        """All at once; nothing for no bytes where the function does not take any."""
        felics = self._felics
        always = felics.empty_ad if operation is Operation.AD else felics.empty_message
        return [Span(0, size)] if size or always else []

    def call(
        self, layout: Layout, operation: Operation, span: Span | None = None
    ) -> Result | Failure:
        """Calls the function of a part."""
        state: Argument = ("pointer", layout.address(STATE))
        felics = self._felics
        if operation is Operation.INIT:
            function = "Initialize"
            arguments = [state, _pointer(layout, KEY), _pointer(layout, NONCE)]
        elif operation is Operation.AD:
            function = felics.process_ad
            arguments = [state, _pointer(layout, AD), *self._long(layout.size(AD))]
        elif operation in (Operation.ENCRYPT, Operation.DECRYPT):
            encrypts = operation is Operation.ENCRYPT
            function = "ProcessPlaintext" if encrypts else "ProcessCiphertext"
            name = CIPHERTEXT if encrypts else MESSAGE
            arguments = [state, _pointer(layout, name), *self._long(layout.size(name))]
        elif operation is Operation.FINALIZE:
            function = "Finalize"
            arguments = [state, _pointer(layout, KEY)]
        else:
            function = felics.make_tag if operation is Operation.TAG else felics.verify_tag
            arguments = [state, _pointer(layout, TAG)]
        return self.target.call(function, arguments, layout)

    def _long(self, value: int) -> list[Argument]:
        """A `uint32_t` behind two pointers, in halves where a `size_t` is one: an AVR takes the
        registers of an argument from high to low numbers, an MSP430 from low to high.
        """
        halves: list[Argument] = [("size", value & 0xFFFF), ("size", value >> 16)]
        if self.target.bits == 32:
            return [("size", value)]
        return halves[::-1] if self.target.bits == 8 else halves


def aead_parts(target: Target, implementation: Implementation) -> AeadParts:
    """The parts of an AEAD by the API that it is written for."""
    if implementation.felics is not None:
        return FelicsParts(target, implementation.felics)
    return AeadParts(target, implementation.tag, implementation.manifest.key_setup)


class HashParts:
    """The parts of a hash; `size` is the digest's in bytes."""

    def __init__(self, target: Target, size: int) -> None:
        self.target = target
        self.size = size
        self.state_size = target.constant("hash_state_bytes", 2)

    def place(
        self,
        message: bytes,
        gap: int = 0,
        *,
        custom: bytes | None = None,
        more: int = 0,
        state: bytes | None = None,
    ) -> Layout:
        """Buffers in memory; `more` bytes of output after the digest; `state` is a copy of one
        that has taken what came before. Raises `DoesNotFitError`.
        """
        requests = [
            Request(STATE, self.state_size, state or b"", self.state_size),
            Request(DIGEST, self.size, b"", self.size),
            Request(MESSAGE, len(message), message),
        ]
        if more:
            requests.append(Request(OUTPUT, more, b"", more))
        return _placed(self.target, requests, custom, gap)

    def call(
        self, layout: Layout, operation: Operation, span: Span | None = None
    ) -> Result | Failure:
        """Calls one part; `span` is the piece of the message, or of the output, that it takes.

        With a customisation string in the layout, the message is started under it.
        """
        state: Argument = ("pointer", layout.address(STATE))
        function = _HASH_FUNCTIONS[operation]
        arguments: list[Argument] = [state]
        if operation is Operation.INIT and CUSTOM in layout:
            function = HASH_INIT_CUSTOM
            arguments += _whole(layout, CUSTOM)
        elif operation is Operation.UPDATE:
            arguments += _piece(layout, MESSAGE, span)
        elif operation is Operation.SQUEEZE:
            arguments += _piece(layout, OUTPUT, span)
        elif operation is Operation.FINALIZE:
            arguments.append(_pointer(layout, DIGEST))
        return self.target.call(function, arguments, layout)


class MacParts:
    """The parts of a MAC; `tag` is the tag's size in bytes."""

    def __init__(self, target: Target, tag: int, key_setup: bool = False) -> None:
        self.target = target
        self.tag = tag
        self.key_setup = key_setup
        self.state_size = target.constant("mac_state_bytes", 2)

    def place(
        self,
        key: bytes,
        message: bytes,
        tag: bytes | None,
        gap: int = 0,
        *,
        custom: bytes | None = None,
        state: bytes | None = None,
    ) -> Layout:
        """Buffers in memory: `tag` is the one to verify, `None` if one is to be made; `state` is a
        copy of one with the key set up.

        Raises `DoesNotFitError`.
        """
        requests = [
            Request(STATE, self.state_size, state or b"", self.state_size),
            Request(KEY, len(key), key),
            Request(TAG, self.tag, tag or b"", self.tag if tag is None else 0),
            Request(MESSAGE, len(message), message),
        ]
        return _placed(self.target, requests, custom, gap)

    def call(
        self, layout: Layout, operation: Operation, span: Span | None = None
    ) -> Result | Failure:
        """Calls one part; `span` is the piece of the message that it takes.

        With a customisation string in the layout, the message is started under it.
        """
        state: Argument = ("pointer", layout.address(STATE))
        function = _MAC_FUNCTIONS[operation]
        arguments: list[Argument] = [state]
        if operation is Operation.INIT:
            arguments.append(_pointer(layout, KEY))
            if CUSTOM in layout:
                function = MAC_INIT_CUSTOM
                arguments += _whole(layout, CUSTOM)
        elif operation in (Operation.KEY, Operation.START):
            arguments.append(_pointer(layout, KEY))
        elif operation is Operation.UPDATE:
            arguments += _piece(layout, MESSAGE, span)
        elif operation is not Operation.FINALIZE:
            arguments.append(_pointer(layout, TAG))
        return self.target.call(function, arguments, layout)


AnyParts = AeadParts | HashParts | MacParts


def implausible_state(parts: AnyParts) -> Failure | None:
    """A state of no size, or one that no microcontroller could hold."""
    if 0 < parts.state_size <= _LARGEST_STATE:
        return None
    return Failure(Status.WRONG_ANSWER, f"the state's size is given as {parts.state_size} bytes")


def cut(size: int, step: int) -> Sequence[Span]:
    """`size` bytes in pieces of `step`, the last one shorter; nothing for no bytes."""
    return [Span(start, min(step, size - start)) for start in range(0, size, step)]


def _pointer(layout: Layout, name: str, start: int = 0) -> Argument:
    return ("pointer", layout.address(name) + start)


def _whole(layout: Layout, name: str) -> list[Argument]:
    return [_pointer(layout, name), ("size", layout.size(name))]


def _piece(layout: Layout, name: str, span: Span | None) -> list[Argument]:
    piece = span or Span(0, layout.size(name))
    return [_pointer(layout, name, piece.start), ("size", piece.size)]


def _placed(target: Target, requests: list[Request], custom: bytes | None, gap: int) -> Layout:
    if custom is not None:
        requests.append(Request(CUSTOM, len(custom), custom))
    layout = target.lay_out(requests, gap)
    target.write(layout)
    return layout
