"""Lays out message buffers in the arena, the RAM between static data and the stack.

Buffers lie in the order asked for, each aligned to `ALIGNMENT` (plus an offset, where a test wants
an unaligned one). All bytes of the arena outside the buffers are forbidden while a function runs,
and inputs may not be written. With them, the simulator forbids what lies below the stack pointer.
"""

from __future__ import annotations

import functools
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


class Slot(NamedTuple):
    """A buffer that a call needs, whatever it holds.

    The first `writable` of its `size` bytes may be written. `offset` moves it off its alignment.
    """

    name: str
    size: int
    writable: int = 0
    offset: int = 0


class Request(NamedTuple):
    """A slot and what it holds: `content` is followed by `FILL` up to `size` bytes."""

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


class Shape(NamedTuple):
    """Where slots lie, in bytes from the arena's first aligned byte on: the same for all contents,
    all records of a size and all programs.
    """

    slots: dict[str, tuple[int, int, int]]
    """First byte, size, writable bytes."""
    lead: bytes
    """What comes before the first slot."""
    rooms: tuple[tuple[int, int], ...]
    """Of each slot its size, and the bytes up to the next one."""
    zones: tuple[Zone, ...]
    end: int
    used: int


class Layout:
    """Buffers in the arena: its first bytes as they are to be written, and who may touch what."""

    __slots__ = ("_shape", "end", "image", "start")

    start: int
    """The arena's first aligned byte."""
    end: int
    """Where the stack's room begins: the lowest address that it may use."""
    image: bytes

    def __init__(self, start: int, shape: Shape, image: bytes) -> None:
        self.start = start
        self.end = start + shape.end
        self.image = image
        self._shape = shape

    @property
    def used(self) -> int:
        """Bytes of all buffers."""
        return self._shape.used

    @property
    def zones(self) -> list[Zone]:
        """What a call may not touch."""
        start = self.start
        return [(start + a, start + b, read, write) for a, b, read, write in self._shape.zones]

    @property
    def buffers(self) -> dict[str, Buffer]:
        """All of them, in their order."""
        slots = self._shape.slots.items()
        return {name: Buffer(name, self.start + at, *sizes) for name, (at, *sizes) in slots}

    def __contains__(self, name: str) -> bool:
        return name in self._shape.slots

    def address(self, name: str) -> int:
        """Where a buffer lies."""
        return self.start + self._shape.slots[name][0]

    def size(self, name: str) -> int:
        """Its bytes."""
        return self._shape.slots[name][1]

    def writable(self, name: str) -> int:
        """Its first bytes that may be written."""
        return self._shape.slots[name][2]

    def content(self, name: str, memory: bytes) -> bytes:
        """What it holds where `memory` is the arena's."""
        begin, size, _ = self._shape.slots[name]
        return memory[begin : begin + size]


def lay_out(requests: Sequence[Request], bottom: int, top: int, gap: int = 0) -> Layout:
    """Buffers from `bottom` (the first byte after static data) on, below `top` (the stack pointer).

    At least `gap` bytes lie between two buffers, so that a stray access hits neither, and at least
    `ALIGNMENT` between the last one and the stack. Raises `DoesNotFitError` if nothing would remain
    for the stack.
    """
    slots = tuple([Slot(name, size, writable, at) for name, size, _, writable, at in requests])
    return arrange(slots, [request.content for request in requests], bottom, top, gap)


def arrange(
    slots: tuple[Slot, ...], contents: Sequence[bytes], bottom: int, top: int, gap: int = 0
) -> Layout:
    """:func:`lay_out` of slots and what they hold, one for one."""
    start = bottom + _LOW_BITS & ~_LOW_BITS
    shape = _shape(slots, start - bottom, gap)
    if start + shape.end >= top:
        raise DoesNotFitError(start + shape.end - top + 1)
    pieces = [
        content[:size].ljust(room, _FILLING)
        for content, (size, room) in zip(contents, shape.rooms, strict=True)
    ]
    return Layout(start, shape, shape.lead + b"".join(pieces))


@functools.lru_cache(maxsize=1 << 13)
def _shape(slots: tuple[Slot, ...], before: int, gap: int) -> Shape:
    """`before`: the bytes between the arena's first and its first aligned one."""
    at = used = 0
    begins: list[int] = []
    zones: list[Zone] = []
    forbidden_from = -before
    for _, size, writable, offset in slots:
        begin = _aligned(at + gap if begins else at) + offset
        begins.append(begin)
        at = begin + size
        if size == 0:
            continue
        used += size
        if forbidden_from < begin:
            zones.append((forbidden_from, begin, True, True))
        forbidden_from = at
        if writable < size:
            zones.append((begin + writable, at, False, True))
    end = _aligned(at + max(gap, ALIGNMENT))
    if forbidden_from < end:
        zones.append((forbidden_from, end, True, True))
    ends = [*begins, at][1:]
    return Shape(
        {
            slot.name: (begin, slot.size, slot.writable)
            for slot, begin in zip(slots, begins, strict=True)
        },
        _FILLING * (begins[0] if begins else 0),
        tuple(
            (slot.size, end - begin) for slot, begin, end in zip(slots, begins, ends, strict=True)
        ),
        tuple(zones),
        end,
        used,
    )


def _aligned(offset: int) -> int:
    return offset + _LOW_BITS & ~_LOW_BITS
