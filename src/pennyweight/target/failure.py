"""What an outcome that is no return means: a status, and a reason for people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pennyweight.model import Status
from pennyweight.target.buffers import Buffer

if TYPE_CHECKING:
    from pennyweight._simulator import Outcome

RETURNED = "returned"
OUT_OF_CYCLES = "out of cycles"


@dataclass(frozen=True, slots=True)
class Failure:
    """What an implementation did wrong."""

    status: Status
    reason: str
    missing_stack: int = 0
    """For a stack overflow: by how many bytes at least."""

    def during(self, what: str) -> Failure:
        """The same with what was being done in front."""
        return Failure(self.status, f"{what}: {self.reason}", self.missing_stack)


def from_outcome(
    outcome: Outcome, location: str, budget: int, stack_top: int, buffers: Iterable[Buffer]
) -> Failure:
    """The failure that ended a run. `location` is the program counter's, in words."""
    place = f", in {location}" if location else ""
    if outcome.exit == OUT_OF_CYCLES:
        return Failure(Status.OUT_OF_CYCLES, f"did not return within {budget} cycles{place}")
    address = outcome.address
    if outcome.fault == "stack-overflow":
        limit = max((buffer.end for buffer in buffers), default=0)
        missing = max(1, limit - address) if address is not None and limit else 1
        room = stack_top - limit
        return Failure(
            Status.STACK_OVERFLOW,
            f"needs at least {room + missing} bytes of stack, {room} are there{place}",
            missing,
        )
    if outcome.fault == "guard-zone" and address is not None:
        writes = outcome.access == "write"
        status = Status.WROTE_OUTSIDE if writes else Status.READ_OUTSIDE
        return Failure(status, f"{_whereabouts(address, writes, list(buffers))}{place}")
    return Failure(Status.CRASHED, f"{outcome.message}{place}")


def _whereabouts(address: int, writes: bool, buffers: list[Buffer]) -> str:
    """`write 3 bytes past the end of the ciphertext (16 bytes)`."""
    verb = "write" if writes else "read"
    inside = [buffer for buffer in buffers if buffer.address <= address < buffer.end]
    if inside:
        buffer = inside[0]
        return f"{verb} into the {buffer.name} at byte {address - buffer.address}, which is input"
    if not buffers:
        return f"{verb} at {address:#010x}, outside every buffer"
    nearest = min(buffers, key=lambda buffer: _distance(buffer, address))
    size = f"{nearest.size} byte{'s' * (nearest.size != 1)}"
    if address < nearest.address:
        return f"{verb} {nearest.address - address} before the start of the {nearest.name} ({size})"
    return f"{verb} {address - nearest.end + 1} past the end of the {nearest.name} ({size})"


def _distance(buffer: Buffer, address: int) -> int:
    return buffer.address - address if address < buffer.address else address - buffer.end + 1
