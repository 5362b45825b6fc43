"""Converts an outcome other than a return to a status and a reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pennyweight.model import Status, shortened
from pennyweight.target.buffers import Buffer
from pennyweight.target.undefined import explained

if TYPE_CHECKING:
    from pennyweight.target.interface import Outcome

RETURNED = "returned"
OUT_OF_CYCLES = "out of cycles"


@dataclass(frozen=True, slots=True)
class Failure:
    """A fault of an implementation."""

    status: Status
    reason: str
    missing_stack: int = 0
    """For a stack overflow: the minimum number of missing bytes."""
    stack_room: int = 0
    """For a stack overflow: the number of available bytes."""
    below_stack: bool = False
    """Whether it accessed memory below its stack pointer."""

    def __post_init__(self) -> None:
        """Limits the length of function names, which is arbitrary in assembly."""
        object.__setattr__(self, "reason", shortened(self.reason))

    def during(self, what: str) -> Failure:
        """The same failure, with the current activity in front."""
        return replace(self, reason=f"{what}: {self.reason}")


def from_outcome(
    outcome: Outcome,
    location: str,
    budget: int,
    limit: int,
    top: int,
    buffers: Sequence[Buffer],
    machine: str,
) -> Failure:
    """The failure that ended a run. `location` describes the program counter; the stack had the
    bytes from `limit` to `top`. `machine` is the compiler family's.
    """
    place = f", in {location}" if location else ""
    if outcome.exit == OUT_OF_CYCLES:
        return Failure(Status.OUT_OF_CYCLES, f"did not return within {budget} cycles{place}")
    address = outcome.address
    guarded = outcome.fault == "guard-zone" and address is not None
    if outcome.fault == "stack-overflow":
        room = max(0, top - limit)
        missing = max(1, limit - address) if address is not None else 1
        return Failure(
            Status.STACK_OVERFLOW,
            f"needs at least {room + missing} bytes of stack, {room} are available{place}",
            missing,
            room,
        )
    status = Status.WROTE_OUTSIDE if outcome.access == "write" else Status.READ_OUTSIDE
    if outcome.fault == "free-stack":
        return Failure(status, f"{outcome.message}{place}", below_stack=True)
    if guarded and address is not None:
        writes = outcome.access == "write"
        size = outcome.size or 1
        return Failure(status, f"{_whereabouts(address, size, writes, buffers)}{place}")
    return Failure(Status.CRASHED, f"{explained(outcome.message, machine)}{place}")


def _whereabouts(address: int, size: int, writes: bool, buffers: Sequence[Buffer]) -> str:
    """For example `write 3 bytes past the end of the ciphertext (16 bytes)`."""
    verb = "write" if writes else "read"
    inside = [buffer for buffer in buffers if buffer.address <= address < buffer.end]
    if inside:
        buffer = inside[0]
        if not writes:
            # All bytes of a buffer may be read, so the rest of the word was outside.
            start = address - buffer.address
            whole = f"the {buffer.name} of {_bytes(buffer.size)}"
            return f"read past the end of {whole}, from byte {start} on"
        if address + size > buffer.end:
            return f"{verb} {_past(buffer, address + size)}"
        return (
            f"{verb} into the {buffer.name} at byte {address - buffer.address}, which is an input"
        )
    if not buffers:
        return f"{verb} at {address:#010x}, outside every buffer"
    nearest = min(buffers, key=lambda buffer: _distance(buffer, address))
    whole = f"the {nearest.name} of {_bytes(nearest.size)}"
    if address < nearest.address:
        return f"{verb} {_bytes(nearest.address - address)} before the start of {whole}"
    return f"{verb} {_past(nearest, address + size)}"


def _past(buffer: Buffer, end: int) -> str:
    """How far an access up to `end` reaches past a buffer."""
    return f"{_bytes(end - buffer.end)} past the end of the {buffer.name} of {_bytes(buffer.size)}"


def _bytes(count: int) -> str:
    return "1 byte" if count == 1 else f"{count} bytes"


def _distance(buffer: Buffer, address: int) -> int:
    return buffer.address - address if address < buffer.address else address - buffer.end + 1
