"""Detects a program that is caught in a jump to itself.

`abort` and `exit` end this way on bare parts, after disabling interrupts. Waiting longer is of no
use, and the cause differs from that of a slow function.
"""

from __future__ import annotations

from collections.abc import Callable

HANGS = "it hangs there in a jump to itself, as abort() does"
"""Text of the failure."""

_MACHINE = slice(18, 20)
"""Offset of the instruction set's number in an ELF file."""

_MIPS = 8
_JUMPS = {
    _MIPS: (b"\xff\xff\x00\x10",),  # b .
    40: (b"\xfe\xe7",),  # Thumb: b .
    83: (b"\xff\xcf",),  # AVR: rjmp .-2
    94: (b"\x06\xff\xff",),  # Xtensa: j .
    105: (b"\xff\x3f",),  # MSP430: jmp $
    243: (b"\x01\xa0", b"\x6f\x00\x00\x00"),  # RISC-V: c.j . and j .
}
"""Jumps to themselves, by the number of the instruction set."""


def jumps_to_itself(elf: bytes, pc: int, read: Callable[[int, int], bytes]) -> bool:
    """Whether the instruction at `pc` jumps to itself; `read(address, size)` reads memory."""
    machine = int.from_bytes(elf[_MACHINE], "little")
    # On MIPS the run may have ended in the delay slot.
    places = (pc, pc - 4) if machine == _MIPS else (pc,)
    return any(
        _read(read, place, len(jump)) == jump
        for place in places
        for jump in _JUMPS.get(machine, ())
    )


def _read(read: Callable[[int, int], bytes], place: int, size: int) -> bytes:
    try:
        return read(place, size)
    except (ValueError, OverflowError):
        return b""
