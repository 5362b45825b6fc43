"""The parts of a hash."""

from __future__ import annotations

from pennyweight.build.link import HASH_INIT_CUSTOM, SQUEEZE
from pennyweight.model import Operation
from pennyweight.target.aead import MESSAGE
from pennyweight.target.buffers import Layout, Request
from pennyweight.target.failure import Failure
from pennyweight.target.hash import CUSTOM, DIGEST
from pennyweight.target.interface import Argument
from pennyweight.target.machine import Result, Target
from pennyweight.target.parts.buffers import OUTPUT, STATE, Span, piece, placed, pointer, whole

_HASH_FUNCTIONS = {
    Operation.INIT: "hash_init",
    Operation.UPDATE: "hash_update",
    Operation.FINALIZE: "hash_final",
    Operation.SQUEEZE: SQUEEZE,
}


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
        """Buffers in memory; `more` bytes of output after the digest; `state` is a copy of a state
        after the preceding parts. Raises `DoesNotFitError`.
        """
        requests = [
            Request(STATE, self.state_size, state or b"", self.state_size),
            Request(DIGEST, self.size, b"", self.size),
            Request(MESSAGE, len(message), message),
        ]
        if more:
            requests.append(Request(OUTPUT, more, b"", more))
        return placed(self.target, requests, custom, gap)

    def call(
        self, layout: Layout, operation: Operation, span: Span | None = None
    ) -> Result | Failure:
        """Calls one part; `span` is its piece of the message or of the output.

        With a customisation string in the layout, the message starts with it.
        """
        state: Argument = ("pointer", layout.address(STATE))
        function = _HASH_FUNCTIONS[operation]
        arguments: list[Argument] = [state]
        if operation is Operation.INIT and CUSTOM in layout:
            function = HASH_INIT_CUSTOM
            arguments += whole(layout, CUSTOM)
        elif operation is Operation.UPDATE:
            arguments += piece(layout, MESSAGE, span)
        elif operation is Operation.SQUEEZE:
            arguments += piece(layout, OUTPUT, span)
        elif operation is Operation.FINALIZE:
            arguments.append(pointer(layout, DIGEST))
        return self.target.call(function, arguments, layout)
