"""The heap of a program that calls malloc: its location, and its use.

The toolchain's own malloc is linked, as on a board. Before every call the heap is empty and gets
half of the RAM that the buffers leave, next to them; the stack gets the other half. Symbols show
where malloc takes its memory from: `__malloc_heap_start` and `__malloc_heap_end` of avr-libc, or
`pw_heap_now` and `pw_heap_end` of Pennyweight's `_sbrk`, which newlib's malloc calls, and of
Pennyweight's malloc for compilers that have none.
"""

from __future__ import annotations

from dataclasses import dataclass

from pennyweight.target.buffers import ALIGNMENT, FILL
from pennyweight.target.interface import Machine

_BOUNDS = (("pw_heap_now", "pw_heap_end"), ("__malloc_heap_start", "__malloc_heap_end"))
_LISTS = ("__brkval", "__flp", "__malloc_free_list", "__malloc_sbrk_start", "pw_heap_free")
"""State of allocators between calls: all zero if nothing is allocated."""

_ALLOCATORS = ("malloc", "_malloc_r")
"""Names by which a program calls it; newlib's printf uses the second."""

_OF_LIBRARY = "impure_data"
"""newlib's records of open files, which are on the heap."""


@dataclass(frozen=True, slots=True)
class Heap:
    """The variables of one program's malloc; `width` is the size of a pointer in bytes.

    `library` is the C library's list of files on the heap, and its initial content.
    """

    machine: Machine
    width: int
    start: int
    end: int
    lists: tuple[int, ...]
    library: tuple[int, bytes] | None = None

    @staticmethod
    def of(machine: Machine, width: int) -> Heap | None:
        """The heap of a program, or `None` if it does not call malloc."""
        for names in _BOUNDS:
            start, end = (machine.symbol(name) for name in names)
            called = any(machine.symbol(name) is not None for name in _ALLOCATORS)
            if called and start is not None and end is not None:
                known = tuple(filter(None, (machine.symbol(name) for name in _LISTS)))
                return Heap(machine, width, start, end, known, _library(machine))
        return None

    def lay(self, bottom: int, top: int) -> Region:
        """An empty heap in the lower half of the RAM between two addresses (ELF)."""
        size = (top - bottom) // 2 // ALIGNMENT * ALIGNMENT
        for variable in self.lists:
            self._set(variable, 0)
        if self.library is not None:
            self.machine.write(*self.library)
        self._set(self.start, bottom)
        self._set(self.end, bottom + size)
        self.machine.write(bottom, bytes((FILL,)) * size)
        return Region(self.machine, bottom, bottom + size)

    def _set(self, variable: int, value: int) -> None:
        mask = (1 << 8 * self.width) - 1
        self.machine.write(variable, (value & mask).to_bytes(self.width, "little"))


def _library(machine: Machine) -> tuple[int, bytes] | None:
    for name, address, size, _ in machine.symbols():
        if name == _OF_LIBRARY and size:
            return address, machine.read(address, size)
    return None


@dataclass(frozen=True, slots=True)
class Region:
    """The location of one call's heap."""

    machine: Machine
    start: int
    end: int

    def used(self) -> int:
        """Bytes up to the last written one; freeing does not reduce it."""
        content = self.machine.read(self.start, self.end - self.start)
        return len(content.rstrip(bytes((FILL,))))

    def remark(self) -> str:
        """A remark for a failed call that may have run out of heap."""
        return f" (it calls malloc, and the heap had {self.end - self.start} bytes)"
