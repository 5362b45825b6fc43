"""The mailbox: requests to the monitor and its answers, one at a time.

`firmware/device/mailbox.h` has the same layout and describes the fields.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum

_REQUEST = struct.Struct("<BBBxIIIII32s")
"""Without the arguments on the stack, which follow."""

_ANSWER = struct.Struct("<IQIII8xI")

STACKED_MOST = 56
"""Limit for the bytes of arguments on the stack."""

ANSWER_AT = _REQUEST.size + STACKED_MOST
"""The answer's place in the mailbox."""

ANSWER_SIZE = _ANSWER.size

SIZE = 160
"""With what only the monitor uses."""


class Command(IntEnum):
    """Requests."""

    CALL = 1
    COPY = 2
    FILL = 3
    SETUP = 4


class Ended(IntEnum):
    """How a request ended."""

    BUSY = 0
    DONE = 1
    EXPIRED = 2
    FAULT = 3
    UNKNOWN = 4


@dataclass(frozen=True, slots=True)
class Request:
    """One request. `address`, `limit` and `top` are a function, the stack's lowest address and its
    top; or destination, source and size.
    """

    command: Command
    address: int = 0
    limit: int = 0
    top: int = 0
    budget: int = 0
    pattern: int = 0
    registers: bytes = b""
    stack: bytes = b""
    pointer: int = 0

    def packed(self) -> bytes:
        """The bytes to write into the mailbox."""
        return (
            _REQUEST.pack(
                self.command,
                self.pattern,
                len(self.stack),
                self.address,
                self.limit,
                self.top,
                self.budget,
                self.pointer,
                self.registers,
            )
            + self.stack
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """The monitor's answer. `cycles` includes the overhead of reading the counter and of the
    interrupts that counted `overflows`.
    """

    ended: Ended
    cycles: int
    lowest: int
    result: int
    pc: int
    overflows: int


def unpack(content: bytes) -> Answer:
    """The answer of `ANSWER_SIZE` bytes in a mailbox. Raises `ValueError` if there is none."""
    status, cycles, lowest, result, pc, overflows = _ANSWER.unpack(content)
    return Answer(Ended(status), cycles, lowest, result, pc, overflows)
