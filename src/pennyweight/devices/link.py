"""The interface to a connected part: through a debug server or a serial line."""

from __future__ import annotations

from typing import Protocol


class Link(Protocol):
    """A connection to one part.

    All methods raise `DeviceError` if the connection fails. Addresses are ELF addresses.
    """

    place: str
    """As the user gave it, such as `gdb:localhost:3333`."""

    runs_start_up: bool
    """Whether `start` runs the image's start-up code. If not, the monitor initialises RAM."""

    resets_to_monitor: bool
    """Whether the reset vector leads to the monitor instead of the image's start-up code."""

    def load(self, flash: list[tuple[int, bytes]]) -> None:
        """Writes flash where it differs from these (address, bytes), and resets the part."""

    def read(self, address: int, size: int) -> bytes:
        """Bytes of RAM or flash."""

    def refresh(
        self, start: int, end: int, known: list[tuple[int, bytes]]
    ) -> list[tuple[int, bytes]]:
        """Bytes of RAM between two addresses: at least those at the addresses of `known`, which are
        (address, bytes) in ascending order and may have changed.
        """

    def write(self, address: int, data: bytes) -> None:
        """Writes bytes to RAM."""

    def start(self, entry: int, ready: int, seconds: float) -> int | None:
        """Runs the image's start-up code from `entry` to `ready`. `None` if it got there; otherwise
        the address at which it was stopped.
        """

    def step(self, seconds: float) -> int | None:
        """Runs the request in the mailbox. `None` when it is done; after `seconds` the part is
        stopped, and the result is the address at which it was.
        """

    def reset(self) -> None:
        """Resets the part after a call that may have left it in any state."""

    def close(self) -> None:
        """Closes the connection."""
