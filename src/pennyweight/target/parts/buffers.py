"""Pieces of the buffers that parts work on, and the arguments that refer to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pennyweight.target.buffers import Layout, Request
from pennyweight.target.hash import CUSTOM
from pennyweight.target.interface import Argument
from pennyweight.target.machine import Target

STATE = "state"
OUTPUT = "output"


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a buffer: `size` bytes from `start`."""

    start: int
    size: int


def cut(size: int, step: int) -> Sequence[Span]:
    """Splits `size` bytes into pieces of `step`, the last one shorter; none for no bytes."""
    return [Span(start, min(step, size - start)) for start in range(0, size, step)]


def pointer(layout: Layout, name: str, start: int = 0) -> Argument:
    """The address of byte `start` of a buffer."""
    return ("pointer", layout.address(name) + start)


def whole(layout: Layout, name: str) -> list[Argument]:
    """A buffer as address and size."""
    return [pointer(layout, name), ("size", layout.size(name))]


def piece(layout: Layout, name: str, span: Span | None) -> list[Argument]:
    """A piece of a buffer as address and size; the whole buffer without a span."""
    chosen = span or Span(0, layout.size(name))
    return [pointer(layout, name, chosen.start), ("size", chosen.size)]


def placed(target: Target, requests: list[Request], custom: bytes | None, gap: int) -> Layout:
    """Buffers in memory, with a customisation string if there is one. Raises `DoesNotFitError`."""
    if custom is not None:
        requests.append(Request(CUSTOM, len(custom), custom))
    layout = target.lay_out(requests, gap)
    target.write(layout)
    return layout
