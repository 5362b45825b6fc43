"""The mailbox: requests to the monitor and its answers, one at a time.

`firmware/device/mailbox.h` has the same layout and describes the fields.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum

_FORM = struct.Struct("<BBBBIIII32s56sIIIIIIIIIII")

SIZE = _FORM.size
REQUEST_SIZE = 112
"""Bytes before the answer."""

STACKED_MOST = 56
"""Limit for the bytes of arguments on the stack."""


class Command(IntEnum):
    """Requests."""

    CALL = 1
    COPY = 2
    FILL = 3
    CHECKSUM = 4
    SETUP = 5


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
        whole = _FORM.pack(
            self.command,
            Ended.BUSY,
            self.pattern,
            len(self.stack),
            self.address,
            self.limit,
            self.top,
            self.budget,
            self.registers,
            self.stack,
            self.pointer,
            *(0,) * 10,
        )
        return whole[:REQUEST_SIZE]


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
    """The answer in a mailbox. Raises `ValueError` if there is none."""
    fields = _FORM.unpack(content)
    low, high, lowest, result, pc, _, _, overflows, *_ = fields[11:]
    return Answer(Ended(fields[1]), high << 32 | low, lowest, result, pc, overflows)
