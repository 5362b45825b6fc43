"""Places message buffers in the arena, the RAM between static data and the stack.

Buffers are in the given order, each aligned to `ALIGNMENT` (plus an offset, if a test needs an
unaligned one). While a function runs, it must not access bytes of the arena outside the buffers,
and must not write to inputs. The simulator also forbids accesses below the stack pointer.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

STACK_MARGIN = 128
"""An operation's stack may grow by this many bytes with its lengths and still count as equal."""

ALIGNMENT = 8
"""The largest alignment of any type in the ABIs: a power of two."""

_LOW_BITS = ALIGNMENT - 1

FILL = 0xA5
"""The content of outputs before a call."""

_FILLING = bytes((FILL,))

Zone = tuple[int, int, bool, bool]
"""Start, end, reads forbidden, writes forbidden."""


class DoesNotFitError(Exception):
    """The buffers need `missing` more bytes than the arena has; or, if `stack_room` is given, they
    leave that many bytes for the stack, which is at least `missing` bytes too few.
    """

    def __init__(self, missing: int, stack_room: int | None = None) -> None:
        super().__init__(f"{missing} bytes too many")
        self.missing = missing
        self.stack_room = stack_room


class Slot(NamedTuple):
    """A buffer that a call needs, without its content.

    The first `writable` of its `size` bytes may be written. `offset` makes it unaligned.
    """

    name: str
    size: int
    writable: int = 0
    offset: int = 0


class Request(NamedTuple):
    """A slot and its content: `content` is followed by `FILL` up to `size` bytes."""

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
    """Positions of slots, in bytes from the arena's first aligned byte: the same for all contents,
    all records of a size and all programs.
    """

    slots: dict[str, tuple[int, int, int]]
    """First byte, size, writable bytes."""
    lead: bytes
    """Bytes before the first slot."""
    rooms: tuple[tuple[int, int], ...]
    """For each slot its size, and the bytes up to the next one."""
    zones: tuple[Zone, ...]
    end: int
    used: int


class Placed:
    """A shape at an address, computed once for all calls of a program that use it."""

    __slots__ = ("addresses", "end", "shape", "start", "zones")

    def __init__(self, shape: Shape, start: int) -> None:
        self.shape = shape
        self.start = start
        self.end = start + shape.end
        self.addresses = {name: start + at for name, (at, _, _) in shape.slots.items()}
        self.zones = [(start + a, start + b, r, w) for a, b, r, w in shape.zones]


class Plan:
    """The buffers that a call needs, in order, without their content."""

    __slots__ = ("_placed", "_shapes", "slots")

    def __init__(self, slots: Sequence[Slot]) -> None:
        self.slots = tuple(slots)
        self._shapes: dict[tuple[int, int], Shape] = {}
        self._placed: dict[int, Placed] = {}
        """By gap, the last positions: a program's arena always starts at the same address."""

    def placed(self, bottom: int, gap: int) -> Placed:
        """Their positions in an arena that starts at `bottom`."""
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
    """Buffers in the arena: its initial content, and access rights."""

    __slots__ = ("_placed", "_slots", "end", "image", "start")

    start: int
    """The arena's first aligned byte."""
    end: int
    """The lowest address that the stack may use."""
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
        """The address ranges that a call must not access."""
        return self._placed.zones

    @property
    def buffers(self) -> dict[str, Buffer]:
        """All buffers in order."""
        slots = self._slots.items()
        return {name: Buffer(name, self.start + at, *sizes) for name, (at, *sizes) in slots}

    def __contains__(self, name: str) -> bool:
        return name in self._slots

    def address(self, name: str) -> int:
        """The address of a buffer."""
        return self._placed.addresses[name]

    def size(self, name: str) -> int:
        """Its size in bytes."""
        return self._slots[name][1]

    def writable(self, name: str) -> int:
        """The number of its first bytes that may be written."""
        return self._slots[name][2]

    def content(self, name: str, memory: bytes) -> bytes:
        """Its content, if `memory` is the arena's."""
        begin, size, _ = self._slots[name]
        return memory[begin : begin + size]


def lay_out(requests: Sequence[Request], bottom: int, top: int, gap: int = 0) -> Layout:
    """Places buffers from `bottom` (the first byte after static data), below `top` (the stack
    pointer).

    Two buffers are at least `gap` bytes apart, so that a stray access hits neither, and the last
    one is at least `ALIGNMENT` bytes from the stack. Raises `DoesNotFitError` if nothing remains
    for the stack.
    """
    plan = _plan(
        tuple([Slot(name, size, writable, at) for name, size, _, writable, at in requests])
    )
    return arrange(plan, [request.content for request in requests], bottom, top, gap)


def arrange(plan: Plan, contents: Sequence[bytes], bottom: int, top: int, gap: int = 0) -> Layout:
    """As :func:`lay_out`, for a plan's slots and their contents."""
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
    """`before`: the bytes from the arena's first to its first aligned one."""
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
