"""Calls the incremental API of an implementation, part by part, on buffers that stay in memory."""

from __future__ import annotations

from pennyweight.target.parts.aead import AeadParts
from pennyweight.target.parts.buffers import OUTPUT, STATE, Span, cut
from pennyweight.target.parts.felics import FelicsParts
from pennyweight.target.parts.hash import HashParts
from pennyweight.target.parts.mac import MacParts
from pennyweight.target.parts.selection import AnyParts, aead_parts, implausible_state

__all__ = [
    "OUTPUT",
    "STATE",
    "AeadParts",
    "AnyParts",
    "FelicsParts",
    "HashParts",
    "MacParts",
    "Span",
    "aead_parts",
    "cut",
    "implausible_state",
]
