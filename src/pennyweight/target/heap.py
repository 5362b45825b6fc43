"""The heap of a program that calls malloc: where it lies, and how much of it was used.

The toolchain's own malloc is linked, as on a board. Before every call the heap is empty and gets
half of the RAM that the buffers leave, next to them; the stack keeps the other half. Symbols tell
what malloc takes its memory from: `__malloc_heap_start` and `__malloc_heap_end` of avr-libc, or
`pw_heap_now` and `pw_heap_end` of our `_sbrk`, which newlib's malloc calls.
"""

from __future__ import annotations

from dataclasses import dataclass

from pennyweight._simulator import Machine
from pennyweight.target.buffers import ALIGNMENT, FILL

_BOUNDS = (("pw_heap_now", "pw_heap_end"), ("__malloc_heap_start", "__malloc_heap_end"))
_LISTS = ("__brkval", "__flp", "__malloc_free_list", "__malloc_sbrk_start")
"""What allocators remember between calls: all zero when nothing is allocated."""


@dataclass(frozen=True, slots=True)
class Heap:
    """The variables of one program's malloc; `width` is a pointer's in bytes."""

    machine: Machine
    width: int
    start: int
    end: int
    lists: tuple[int, ...]

    @staticmethod
    def of(machine: Machine, width: int) -> Heap | None:
        """The heap of a program, or `None` if it does not call malloc."""
        for names in _BOUNDS:
            start, end = (machine.symbol(name) for name in names)
            if machine.symbol("malloc") is not None and start is not None and end is not None:
                known = (machine.symbol(name) for name in _LISTS)
                return Heap(machine, width, start, end, tuple(each for each in known if each))
        return None

    def lay(self, bottom: int, top: int) -> Region:
        """An empty heap in the lower half of the RAM between two addresses (ELF)."""
        size = (top - bottom) // 2 // ALIGNMENT * ALIGNMENT
        for variable in self.lists:
            self._set(variable, 0)
        self._set(self.start, bottom)
        self._set(self.end, bottom + size)
        self.machine.write(bottom, bytes((FILL,)) * size)
        return Region(self.machine, bottom, bottom + size)

    def _set(self, variable: int, value: int) -> None:
        mask = (1 << 8 * self.width) - 1
        self.machine.write(variable, (value & mask).to_bytes(self.width, "little"))


@dataclass(frozen=True, slots=True)
class Region:
    """Where the heap of one call lies."""

    machine: Machine
    start: int
    end: int

    def used(self) -> int:
        """Bytes up to the last one that was written, which freeing does not undo."""
        content = self.machine.read(self.start, self.end - self.start)
        return len(content.rstrip(bytes((FILL,))))

    def remark(self) -> str:
        """For a call that failed, where memory may have been asked for in vain."""
        return f" (it calls malloc, and the heap had {self.end - self.start} bytes)"
