"""Calls an AEAD whose inputs are shares together with the generation of the shares.

The check for leakage needs new shares in each trace, and only the package knows their
representation: its own function makes them from the plain inputs before each call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from pennyweight.catalogue.implementation import Implementation
from pennyweight.catalogue.shared_api import SharedApi
from pennyweight.measure.one_shot import Call
from pennyweight.model import Case, Operation
from pennyweight.target import Failure, Layout, Result, Target
from pennyweight.target.aead import AD, KEY, NONCE, SEPARATE
from pennyweight.target.buffers import Plan, arrange
from pennyweight.target.interface import Argument
from pennyweight.target.shared_aead import SharedAead
from pennyweight.verify.records import pattern


@dataclass(frozen=True, slots=True)
class Generation:
    """A function that makes shares of the plain inputs in `layout`."""

    function: str
    layout: Layout
    arguments: list[Argument]


@dataclass(slots=True)
class _Recorder:
    """Passes calls to a target, and keeps them. Buffers of a call are placed after all earlier
    ones, so that those stay.
    """

    target: Target
    bottom: int
    calls: list[Generation] = field(default_factory=list)

    def arrange(self, plan: Plan, contents: Sequence[bytes], gap: int = 0) -> Layout:
        layout = arrange(plan, contents, self.bottom, self.target.top, gap)
        self.bottom = layout.end
        return layout

    def run(self, function: str, arguments: list[Argument], layout: Layout) -> Result | Failure:
        self.calls.append(Generation(function, layout, arguments))
        return self.target.run(function, arguments, layout)


def with_generation(
    target: Target, implementation: Implementation, shared: SharedApi, case: Case, call: Call
) -> tuple[Generation, Call] | Failure:
    """The generation of the shares for `call`, and the call with these shares, whose buffers are
    next to the others. Raises `DoesNotFitError`.
    """
    key, nonce = pattern(0, implementation.key), pattern(0, implementation.nonce)
    ad, data = pattern(0, case.ad), pattern(0, case.m)
    recorder = _Recorder(target, target.bottom)
    aead = SharedAead(cast(Target, recorder), implementation.tag, shared)
    if case.op is Operation.DEC:
        direct = SharedAead(target, implementation.tag, shared)
        sealing = direct.sealing(key, nonce, ad, data, SEPARATE)
        if isinstance(sealing, Failure):
            return sealing
        sealed = direct.sealed(target.run(direct.encrypt, sealing[1], sealing[0]))
        if isinstance(sealed, Failure):
            return sealed
        found = aead.opening(key, nonce, ad, sealed, SEPARATE)
    else:
        found = aead.sealing(key, nonce, ad, data, SEPARATE)
    if isinstance(found, Failure):
        return found
    layout, arguments = found
    [generation] = recorder.calls
    # Its pointers are, for each input, to the plain bytes and to the shares.
    made = [value for kind, value in generation.arguments if kind == "pointer"][1::2]
    source = next(iter(generation.layout.buffers))
    given = (layout.address(name) for name in (source, AD, NONCE, KEY))
    moved = dict(zip(given, made, strict=True))
    arguments = [
        (kind, moved.get(value, value) if kind == "pointer" else value) for kind, value in arguments
    ]
    return generation, Call(call.function, layout, arguments, call.check)
