"""The parts of an implementation, whatever its API."""

from __future__ import annotations

from pennyweight.catalogue.implementation import Implementation
from pennyweight.model import Status
from pennyweight.target.failure import Failure
from pennyweight.target.machine import Target
from pennyweight.target.parts.aead import AeadParts
from pennyweight.target.parts.felics import FelicsParts
from pennyweight.target.parts.hash import HashParts
from pennyweight.target.parts.mac import MacParts

AnyParts = AeadParts | HashParts | MacParts

_LARGEST_STATE = 1 << 14


def aead_parts(target: Target, implementation: Implementation) -> AeadParts:
    """The parts of an AEAD, by its API."""
    if implementation.felics is not None:
        return FelicsParts(target, implementation.felics)
    return AeadParts(target, implementation.tag, implementation.manifest.key_setup)


def implausible_state(parts: AnyParts) -> Failure | None:
    """An empty state, or one that is too large for any microcontroller."""
    if 0 < parts.state_size <= _LARGEST_STATE:
        return None
    return Failure(Status.WRONG_ANSWER, f"the stated size of the state is {parts.state_size} bytes")
