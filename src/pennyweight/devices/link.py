"""What a device's machine needs of the way to the part: a debug server, or a serial line."""

from __future__ import annotations

from typing import Protocol


class Link(Protocol):
    """A way to one part on which the monitor is, or can be put.

    All methods raise `DeviceError` where the way itself fails. Addresses are ELF addresses.
    """

    place: str
    """As it was asked for, such as `gdb:localhost:3333`."""

    runs_start_up: bool
    """Does `start` run the image's own start-up code? Else the monitor does what that would do."""

    resets_to_monitor: bool
    """Does the part's reset lead to the monitor, instead of to the image's own start-up code?"""

    def load(self, flash: list[tuple[int, bytes]]) -> None:
        """Makes flash contain these bytes, at their addresses, and resets the part."""

    def read(self, address: int, size: int) -> bytes:
        """Bytes of RAM or flash."""

    def write(self, address: int, data: bytes) -> None:
        """Puts bytes into RAM."""

    def start(self, entry: int, ready: int, seconds: float) -> int | None:
        """Runs the image's own start-up code from `entry` until `ready`. The address where it was
        found instead if it did not get there; `None` if it did.
        """

    def step(self, seconds: float) -> int | None:
        """Lets the monitor do what the mailbox says. `None` once it has; if it has not in that
        time, the part is stopped: the address where it was found.
        """

    def reset(self) -> None:
        """Resets the part, after a call that may have left it in any state."""

    def close(self) -> None:
        """Leaves the part and the port to others."""
