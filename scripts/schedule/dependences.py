"""Which instructions of a straight line must keep their order.

Registers: a value is read after it is written and before its register is written again. Memory:
loads may change places, and so may accesses at disjoint distances from the same value of a
register; all others keep their order. Flags: only results that are read count, so instructions
whose flags nothing reads may change places.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scripts.schedule.instructions import FLAGS, Access
from scripts.schedule.program import Image, Instruction, Use


@dataclass(frozen=True, slots=True)
class Step:
    """An instruction of a straight line, with its effects."""

    instruction: Instruction
    use: Use

    @property
    def touches_memory(self) -> bool:
        """Whether it loads or stores."""
        return self.use.loads or self.use.stores


def cells(bits: int) -> Iterable[int]:
    """The numbers of the bits that are set."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


class Flow:
    """Which flags are read after an address before they are written again."""

    def __init__(self, image: Image, family: str) -> None:
        self._image = image
        self._all = sum(1 << cell for cell in FLAGS[family])

    def live(self, address: int) -> int:
        """The flags that are live at an address, as bits. Unknown code reads all of them."""
        live = 0
        seen: dict[int, int] = {}
        waiting = [(address, self._all)]
        while waiting:
            at, wanted = waiting.pop()
            wanted &= ~seen.get(at, 0) & ~live
            if not wanted:
                continue
            seen[at] = seen.get(at, 0) | wanted
            instruction = self._image.instructions.get(at)
            if instruction is None:
                live |= wanted
                continue
            text = instruction.text
            if text.is_return:
                continue
            use = self._image.use_of(instruction)
            if text.is_fixed:
                # Whether it was executed does not count: both programs must give the same answer.
                if text.is_call or (text.target is None and _leaves(instruction)):
                    live |= wanted
                    continue
                is_literal = text.family == "arm" and 15 in text.registers()
                reads = 0 if text.mnemonic in {"b", "j"} or is_literal else self._all
                use = Use(reads, 0, False, False)
            if use is None:
                live |= wanted
                continue
            live |= wanted & use.reads
            wanted &= ~use.writes & ~use.reads
            if text.target is not None:
                waiting.append((text.target, wanted))
            if text.falls_through:
                waiting.append((instruction.end, wanted))
        return live


def _leaves(instruction: Instruction) -> bool:
    """Whether it is an indirect jump."""
    text = instruction.text
    if text.mnemonic in {"bx", "blx", "tbb", "tbh", "jr", "jalr"}:
        return True
    return text.family == "arm" and text.registers()[:1] == [15] and text.mnemonic != "str"


Place = tuple[int, int, int]
"""The value of a base register, an offset from it, and a size in bytes."""


def may_overlap(one: Place | None, other: Place | None) -> bool:
    """Whether two accesses may touch the same byte; `None` is an access anywhere."""
    if one is None or other is None or one[0] != other[0]:
        return True
    return one[1] < other[1] + other[2] and other[1] < one[1] + one[2]


def edges(steps: Sequence[Step], live_flags: int, family: str) -> set[tuple[int, int]]:
    """Pairs of positions whose order must stay: the first before the second."""
    found = _of_registers(steps, family) | _of_memory(steps)
    for cell in FLAGS[family]:
        found |= _of_flag(steps, 1 << cell, bool(live_flags >> cell & 1))
    return found


def _of_registers(steps: Sequence[Step], family: str) -> set[tuple[int, int]]:
    flags = sum(1 << cell for cell in FLAGS[family])
    found: set[tuple[int, int]] = set()
    written: dict[int, int] = {}
    readers: dict[int, list[int]] = {}
    for position, step in enumerate(steps):
        for cell in cells(step.use.reads & ~flags):
            if cell in written:
                found.add((written[cell], position))
            readers.setdefault(cell, []).append(position)
        for cell in cells(step.use.writes & ~flags):
            found.update((reader, position) for reader in readers.get(cell, ()))
            if cell in written:
                found.add((written[cell], position))
            written[cell] = position
            readers[cell] = []
    return {(first, second) for first, second in found if first != second}


def places(steps: Sequence[Step]) -> list[Place | None]:
    """Where each step accesses memory, as a register and a constant, if they suffice."""
    values: dict[int, int] = {}
    found: list[Place | None] = []
    for position, step in enumerate(steps):
        access: Access | None = step.instruction.text.access() if step.touches_memory else None
        if access is None:
            found.append(None)
        else:
            value = values.get(access.base, -1 - access.base)
            found.append((value, access.offset, access.size))
        for cell in cells(step.use.writes):
            values[cell] = position * 64 + cell
    return found


def _of_memory(steps: Sequence[Step]) -> set[tuple[int, int]]:
    found: set[tuple[int, int]] = set()
    accessed = places(steps)
    positions = [position for position, step in enumerate(steps) if step.touches_memory]
    for index, second in enumerate(positions):
        for first in positions[:index]:
            if (steps[first].use.stores or steps[second].use.stores) and may_overlap(
                accessed[first], accessed[second]
            ):
                found.add((first, second))
    return found


def _of_flag(steps: Sequence[Step], bit: int, live: bool) -> set[tuple[int, int]]:
    """All writers of a flag stay on their side of a result that is read, and of its readers."""
    found: set[tuple[int, int]] = set()
    writers = [position for position, step in enumerate(steps) if step.use.writes & bit]
    results: dict[int, list[int]] = {}
    last = -1
    for position, step in enumerate(steps):
        if step.use.reads & bit:
            results.setdefault(last, []).append(position)
        if step.use.writes & bit:
            last = position
    if live:
        results.setdefault(last, [])
    for writer, readers in results.items():
        found.update((writer, reader) for reader in readers if writer >= 0)
        end = max(readers, default=writer)
        for other in writers:
            if other < writer:
                found.add((other, writer))
            elif other > writer and other >= end:
                found.update((reader, other) for reader in readers if reader != other)
                if not readers:
                    found.add((writer, other))
    return {(first, second) for first, second in found if first != second}
