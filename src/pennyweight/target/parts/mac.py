"""The parts of a MAC."""

from __future__ import annotations

from pennyweight.build.link import MAC_INIT_CUSTOM
from pennyweight.model import Operation
from pennyweight.target.aead import KEY, MESSAGE
from pennyweight.target.buffers import Layout, Request
from pennyweight.target.failure import Failure
from pennyweight.target.hash import CUSTOM
from pennyweight.target.interface import Argument
from pennyweight.target.mac import TAG
from pennyweight.target.machine import Result, Target
from pennyweight.target.parts.buffers import STATE, Span, piece, placed, pointer, whole

_MAC_FUNCTIONS = {
    Operation.INIT: "mac_init",
    Operation.KEY: "mac_set_key",
    Operation.START: "mac_start",
    Operation.UPDATE: "mac_update",
    Operation.FINALIZE: "mac_finalize",
    Operation.TAG: "mac_tag",
    Operation.VERIFY: "mac_verify",
}


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
        """Buffers in memory: `tag` is the one to verify, or `None` to make one; `state` is a copy
        of a state after key setup.

        Raises `DoesNotFitError`.
        """
        requests = [
            Request(STATE, self.state_size, state or b"", self.state_size),
            Request(KEY, len(key), key),
            Request(TAG, self.tag, tag or b"", self.tag if tag is None else 0),
            Request(MESSAGE, len(message), message),
        ]
        return placed(self.target, requests, custom, gap)

    def call(
        self, layout: Layout, operation: Operation, span: Span | None = None
    ) -> Result | Failure:
        """Calls one part; `span` is its piece of the message.

        With a customisation string in the layout, the message starts with it.
        """
        state: Argument = ("pointer", layout.address(STATE))
        function = _MAC_FUNCTIONS[operation]
        arguments: list[Argument] = [state]
        if operation is Operation.INIT:
            arguments.append(pointer(layout, KEY))
            if CUSTOM in layout:
                function = MAC_INIT_CUSTOM
                arguments += whole(layout, CUSTOM)
        elif operation in (Operation.KEY, Operation.START):
            arguments.append(pointer(layout, KEY))
        elif operation is Operation.UPDATE:
            arguments += piece(layout, MESSAGE, span)
        elif operation is not Operation.FINALIZE:
            arguments.append(pointer(layout, TAG))
        return self.target.call(function, arguments, layout)
