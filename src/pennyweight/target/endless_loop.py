"""Detects a program that is caught in a jump to itself.

`abort` and `exit` end this way on bare parts, after disabling interrupts. Waiting longer is of no
use, and the cause differs from that of a slow function.
"""

from __future__ import annotations

from collections.abc import Callable

from pennyweight.toolchains.base import Family

HANGS = "it hangs there in a jump to itself, as abort() does"
"""Text of the failure."""


def jumps_to_itself(family: Family, pc: int, read: Callable[[int, int], bytes]) -> bool:
    """Whether the instruction at `pc` jumps to itself; `read(address, size)` reads memory."""
    # The run may have ended in the delay slot.
    return any(
        _read(read, place, len(jump)) == jump
        for place in {pc, pc - family.delay_slot}
        for jump in family.jumps_to_itself
    )


def _read(read: Callable[[int, int], bytes], place: int, size: int) -> bytes:
    try:
        return read(place, size)
    except (ValueError, OverflowError):
        return b""
