"""Lays out message buffers in the arena, the RAM between static data and the stack.

Buffers lie in the order asked for, each aligned to `ALIGNMENT` (plus an offset, where a test wants
an unaligned one). All bytes of the arena outside the buffers are forbidden while a function runs,
and inputs may not be written. With them, the simulator forbids what lies below the stack pointer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

STACK_MARGIN = 128
"""Bytes by which an operation's stack may grow with its lengths and still count as the same."""

ALIGNMENT = 8
"""The largest alignment that any type of the ABIs has: a power of two."""

_LOW_BITS = ALIGNMENT - 1

FILL = 0xA5
"""What outputs hold before a call."""

_FILLING = bytes((FILL,))

Zone = tuple[int, int, bool, bool]
"""Start, end, reads forbidden, writes forbidden."""


class DoesNotFitError(Exception):
    """The buffers need `missing` more bytes than the arena has; or, where `stack_room` is given,
    they leave the stack that many bytes, which are at least `missing` too few.
    """

    def __init__(self, missing: int, stack_room: int | None = None) -> None:
        super().__init__(f"{missing} bytes over")
        self.missing = missing
        self.stack_room = stack_room


class Request(NamedTuple):
    """A buffer that a call needs: its content is followed by `FILL` up to `size` bytes.

    The first `writable` bytes may be written. `offset` moves it off its alignment.
    """

    name: str
    size: int
    content: bytes = b""
    writable: int = 0
    offset: int = 0


class Buffer(NamedTuple):
    """A buffer at its address (ELF)."""

    name: str
    address: int
    size: int
    writable: int

    @property
    def end(self) -> int:
        """One past its last byte."""
        return self.address + self.size


class Layout(NamedTuple):
    """Buffers in the arena: its first bytes as they are to be written, and who may touch what."""

    start: int
    end: int
    """Where the stack's room begins: the lowest address that it may use."""
    buffers: dict[str, Buffer]
    image: bytes
    zones: list[Zone]
    used: int
    """Bytes of all buffers."""

    def address(self, name: str) -> int:
        """Where a buffer lies."""
        return self.buffers[name].address


def lay_out(requests: Sequence[Request], bottom: int, top: int, gap: int = 0) -> Layout:
    """Buffers from `bottom` (the first byte after static data) on, below `top` (the stack pointer).

    At least `gap` bytes lie between two buffers, so that a stray access hits neither, and at least
    `ALIGNMENT` between the last one and the stack. Raises `DoesNotFitError` if nothing would remain
    for the stack.
    """
    start = at = _aligned(bottom)
    image = b""
    buffers: dict[str, Buffer] = {}
    zones: list[Zone] = []
    forbidden_from = bottom
    used = 0
    for name, size, content, writable, offset in requests:
        # A campaign comes here a thousand times for each job: what `_aligned` does, in place.
        begin = ((at + gap if buffers else at) + _LOW_BITS & ~_LOW_BITS) + offset
        buffers[name] = Buffer(name, begin, size, writable)
        if size == 0:
            at = begin
            continue
        image = image.ljust(begin - start, _FILLING) + content[:size]
        at = begin + size
        used += size
        if forbidden_from < begin:
            zones.append((forbidden_from, begin, True, True))
        forbidden_from = at
        if writable < size:
            zones.append((begin + writable, at, False, True))
    end = _aligned(at + max(gap, ALIGNMENT))
    if forbidden_from < end:
        zones.append((forbidden_from, end, True, True))
    if end >= top:
        raise DoesNotFitError(end - top + 1)
    return Layout(start, end, buffers, image.ljust(at - start, _FILLING), zones, used)


def _aligned(address: int) -> int:
    return address + _LOW_BITS & ~_LOW_BITS
