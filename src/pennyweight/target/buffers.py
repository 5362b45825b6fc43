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


class Placed:
    """A shape at an address: computed once for all calls of a program that have it."""

    __slots__ = ("addresses", "end", "shape", "start", "zones")

    def __init__(self, shape: Shape, start: int) -> None:
        self.shape = shape
        self.start = start
        self.end = start + shape.end
        self.addresses = {name: start + at for name, (at, _, _) in shape.slots.items()}
        self.zones = [(start + a, start + b, r, w) for a, b, r, w in shape.zones]


class Plan:
    """The buffers that a call needs, one after the other, whatever they hold."""

    __slots__ = ("_placed", "_shapes", "slots")

    def __init__(self, slots: Sequence[Slot]) -> None:
        self.slots = tuple(slots)
        self._shapes: dict[tuple[int, int], Shape] = {}
        self._placed: dict[int, Placed] = {}
        """By their gap, each where it lay last: a program's arena always begins at one address."""

    def placed(self, bottom: int, gap: int) -> Placed:
        """Where they lie in an arena from `bottom` on."""
        start = bottom + _LOW_BITS & ~_LOW_BITS
        found = self._placed.get(gap)
        before = start - bottom
        shape = self._shapes.get((before, gap))
        if shape is None:
            shape = self._shapes[before, gap] = _shape(self.slots, before, gap)
        if found is None or found.start != start or found.shape is not shape:
            found = self._placed[gap] = Placed(shape, start)
        return found


class Layout:
    """Buffers in the arena: its first bytes as they are to be written, and who may touch what."""

    __slots__ = ("_placed", "_slots", "end", "image", "start")

    start: int
    """The arena's first aligned byte."""
    end: int
    """Where the stack's room begins: the lowest address that it may use."""
    image: bytes

    def __init__(self, placed: Placed, image: bytes) -> None:
        self.start = placed.start
        self.end = placed.end
        self.image = image
        self._placed = placed
        self._slots = placed.shape.slots

    @property
    def used(self) -> int:
        """Bytes of all buffers."""
        return self._placed.shape.used

    @property
    def zones(self) -> list[Zone]:
        """What a call may not touch."""
        return self._placed.zones

    @property
    def buffers(self) -> dict[str, Buffer]:
        """All of them, in their order."""
        slots = self._slots.items()
        return {name: Buffer(name, self.start + at, *sizes) for name, (at, *sizes) in slots}

    def __contains__(self, name: str) -> bool:
        return name in self._slots

    def address(self, name: str) -> int:
        """Where a buffer lies."""
        return self._placed.addresses[name]

    def size(self, name: str) -> int:
        """Its bytes."""
        return self._slots[name][1]

    def writable(self, name: str) -> int:
        """Its first bytes that may be written."""
        return self._slots[name][2]

    def content(self, name: str, memory: bytes) -> bytes:
        """What it holds where `memory` is the arena's."""
        begin, size, _ = self._slots[name]
        return memory[begin : begin + size]


def lay_out(requests: Sequence[Request], bottom: int, top: int, gap: int = 0) -> Layout:
    """Buffers from `bottom` (the first byte after static data) on, below `top` (the stack pointer).

    At least `gap` bytes lie between two buffers, so that a stray access hits neither, and at least
    `ALIGNMENT` between the last one and the stack. Raises `DoesNotFitError` if nothing would remain
    for the stack.
    """
    plan = _plan(
        tuple([Slot(name, size, writable, at) for name, size, _, writable, at in requests])
    )
    return arrange(plan, [request.content for request in requests], bottom, top, gap)


def arrange(plan: Plan, contents: Sequence[bytes], bottom: int, top: int, gap: int = 0) -> Layout:
    """:func:`lay_out` of a plan's slots and what they hold, one for one."""
    placed = plan.placed(bottom, gap)
    if placed.end >= top:
        raise DoesNotFitError(placed.end - top + 1)
    shape = placed.shape
    pieces = [shape.lead]
    for content, (size, room) in zip(contents, shape.rooms, strict=True):
        pieces.append(content[:size].ljust(room, _FILLING))
    return Layout(placed, b"".join(pieces))


_plan = functools.lru_cache(maxsize=1 << 12)(Plan)


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
