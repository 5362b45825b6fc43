"""The parts of an AEAD."""

from __future__ import annotations

from collections.abc import Sequence

from pennyweight.model import Operation
from pennyweight.target.aead import AD, CIPHERTEXT, KEY, MESSAGE, NONCE
from pennyweight.target.buffers import Layout, Request
from pennyweight.target.failure import Failure
from pennyweight.target.interface import Argument
from pennyweight.target.mac import TAG
from pennyweight.target.machine import Result, Target
from pennyweight.target.parts.buffers import STATE, Span, cut, pointer

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


class AeadParts:
    """The parts of an AEAD; `tag` is the tag's size in bytes.

    A message is processed by `place`, which places and fills the buffers, and by `call` for each
    part in the order of the API.
    """

    initial_state = b""
    key_setup = False
    """Whether key setup and the start of a message are separate functions."""

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
        """Buffers in memory: `given` is plaintext if `tag` is `None`, otherwise ciphertext; `state`
        is a copy of a state after key setup.

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
        """The pieces in which `size` bytes are passed; none for no bytes."""
        return cut(size, step)

    def call(
        self, layout: Layout, operation: Operation, span: Span | None = None
    ) -> Result | Failure:
        """Calls one part; `span` is its piece of associated data or message."""
        state: Argument = ("pointer", layout.address(STATE))
        function = _FUNCTIONS[operation]
        if operation is Operation.INIT:
            arguments = [state, pointer(layout, KEY), pointer(layout, NONCE)]
        elif operation is Operation.KEY:
            arguments = [state, pointer(layout, KEY)]
        elif operation is Operation.START:
            arguments = [state, pointer(layout, NONCE)]
        elif operation is Operation.AD:
            chosen = span or Span(0, layout.size(AD))
            arguments = [state, pointer(layout, AD, chosen.start), ("size", chosen.size)]
        elif operation in (Operation.ENCRYPT, Operation.DECRYPT):
            arguments = [state, *self._transfer(layout, operation, span)]
        elif operation is Operation.FINALIZE:
            arguments = [state]
        else:
            arguments = [state, pointer(layout, TAG)]
        return self.target.call(function, arguments, layout)

    @staticmethod
    def _transfer(layout: Layout, operation: Operation, span: Span | None) -> list[Argument]:
        output = CIPHERTEXT if operation is Operation.ENCRYPT else MESSAGE
        source = MESSAGE if operation is Operation.ENCRYPT else CIPHERTEXT
        source = source if source in layout else output
        chosen = span or Span(0, layout.size(output))
        return [
            pointer(layout, output, chosen.start),
            pointer(layout, source, chosen.start),
            ("size", chosen.size),
        ]
