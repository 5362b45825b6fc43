"""The functions of FELICS-AEAD as parts of an AEAD."""

from __future__ import annotations

from collections.abc import Sequence

from pennyweight.catalogue.felics import Felics
from pennyweight.model import Operation
from pennyweight.target.aead import AD, CIPHERTEXT, KEY, MESSAGE, NONCE
from pennyweight.target.buffers import Layout
from pennyweight.target.failure import Failure
from pennyweight.target.interface import Argument
from pennyweight.target.mac import TAG
from pennyweight.target.machine import Result, Target
from pennyweight.target.parts.aead import AeadParts
from pennyweight.target.parts.buffers import STATE, Span, pointer


class FelicsParts(AeadParts):
    """FELICS-AEAD's seven functions as parts: a message is processed in place and in one piece, and
    some functions are called for empty inputs too.
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
        """As for any AEAD's parts, always in place, and with a state of zeros, because functions
        that have nothing to process leave some of it unset. Raises `DoesNotFitError`.
        """
        return super().place(key, nonce, ad, given, tag, in_place=True, gap=gap)

    def spans(self, operation: Operation, size: int, step: int) -> Sequence[Span]:
        """One piece; none for no bytes if the function does not accept that."""
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
            arguments = [state, pointer(layout, KEY), pointer(layout, NONCE)]
        elif operation is Operation.AD:
            function = felics.process_ad
            arguments = [state, pointer(layout, AD), *self._long(layout.size(AD))]
        elif operation in (Operation.ENCRYPT, Operation.DECRYPT):
            encrypts = operation is Operation.ENCRYPT
            function = "ProcessPlaintext" if encrypts else "ProcessCiphertext"
            name = CIPHERTEXT if encrypts else MESSAGE
            arguments = [state, pointer(layout, name), *self._long(layout.size(name))]
        elif operation is Operation.FINALIZE:
            function = "Finalize"
            arguments = [state, pointer(layout, KEY)]
        else:
            function = felics.make_tag if operation is Operation.TAG else felics.verify_tag
            arguments = [state, pointer(layout, TAG)]
        return self.target.call(function, arguments, layout)

    def _long(self, value: int) -> list[Argument]:
        """A `uint32_t` after two pointers, in halves if `size_t` has 16 bits: an AVR assigns the
        registers of an argument from high to low numbers, an MSP430 from low to high.
        """
        halves: list[Argument] = [("size", value & 0xFFFF), ("size", value >> 16)]
        if self.target.bits == 32:
            return [("size", value)]
        return halves[::-1] if self.target.bits == 8 else halves
