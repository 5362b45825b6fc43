"""A part that is connected through a serial line, on which its monitor answers requests."""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Callable

from pennyweight.devices.conversation import Conversation
from pennyweight.devices.errors import (
    DeviceError,
    OtherVersionError,
    PartResetError,
    SilentError,
)
from pennyweight.devices.monitor import Monitor

_AWAKE_S = 6.0
"""Seconds for a boot loader to start the monitor, or for a watchdog to expire."""

_CHECK_S = 20.0
"""Seconds for the checksum of a whole flash."""

_LONG = 240
"""Limit for the bytes that a request reads. A repeated request reads fewer."""

_STEP, _READ, _CHECK, _WRITE, _RESTART, _LOADER = b"G", b"R", b"C", b"W", b"X", b"L"

Loader = Callable[[list[tuple[int, bytes]]], None]
"""Writes flash with a tool that opens the port itself."""


class SerialLink:
    """The link to a part on a serial line. All methods raise `DeviceError`."""

    runs_start_up = False
    resets_to_monitor = True

    def __init__(
        self,
        path: str,
        baud: int,
        monitor: Monitor,
        load: Loader,
        in_rom: bool = False,
        is_awake: bool = True,
    ) -> None:
        """`in_rom`: the part's boot loader is in ROM, and the monitor starts it; otherwise opening
        the port resets the part, which starts the boot loader. `is_awake`: the monitor may be
        running.
        """
        self.place = f"serial:{path}"
        self._baud = baud
        self._line = Conversation(path, baud)
        self._monitor = monitor
        self._load = load
        self._in_rom = in_rom
        self._is_awake = is_awake

    def load(self, flash: list[tuple[int, bytes]]) -> None:
        """Writes flash unless the monitor's checksums show that it is up to date."""
        if self._is_awake and self._is_up_to_date(flash):
            return
        self.close()
        self._load(flash)
        self._is_awake = True
        self._line.open()
        if not self._line.greet(_AWAKE_S):
            raise SilentError(
                f"{self.place}: the part does not answer after it was written; check that the "
                f"port is the board's and the baud rate is {self._baud}"
            )
        wrong = next((at for at, data in flash if not self._has(at, data)), None)
        if wrong is not None:
            raise DeviceError(
                f"{self.place}: flash at {wrong:#x} differs from what was written; check that "
                "it is not protected and as large as in the board file"
            )

    def _is_up_to_date(self, flash: list[tuple[int, bytes]]) -> bool:
        """Whether flash has this contents; if not, the boot loader is started."""
        if not self._line.is_open:
            self._line.open()
        with contextlib.suppress(OtherVersionError):
            if self._line.greet(_AWAKE_S):
                if all(self._has(at, data) for at, data in flash):
                    return True
                if self._in_rom:
                    self._line.end(_LOADER)
        return False

    def read(self, address: int, size: int) -> bytes:
        """Bytes of RAM or flash."""
        found = bytearray()
        while len(found) < size:
            at = (address + len(found)).to_bytes(4, "little")
            count = min(_LONG, size - len(found))
            fewer = min(self._line.chunk, count)
            piece = self._line.sure(_READ, at + bytes((count,)), again=at + bytes((fewer,)))
            if len(piece) not in (count, fewer):
                raise self._line.strange()
            found += piece
        return bytes(found)

    def refresh(
        self, start: int, end: int, known: list[tuple[int, bytes]]
    ) -> list[tuple[int, bytes]]:
        """The known bytes. They are read only if their checksum shows a change; a change that keeps
        the checksum has a probability of 2^-32.
        """
        return [
            (at, data if self._has(at, data) else self.read(at, len(data)))
            for at, data in joined(known)
        ]

    def write(self, address: int, data: bytes) -> None:
        """Writes bytes to RAM."""
        for start in range(0, len(data), self._line.chunk):
            at = (address + start).to_bytes(4, "little")
            self._line.sure(_WRITE, at + data[start : start + self._line.chunk])

    def start(self, entry: int, ready: int, seconds: float) -> int | None:
        """Does nothing: the monitor runs already, and initialises RAM itself."""
        return None

    def step(self, seconds: float) -> int | None:
        """Runs the request in the mailbox.

        Raises `PartResetError` if the part was reset meanwhile, for example by its watchdog, or
        hung and was reset through its port. Its memory can be read then.
        """
        try:
            answer = self._line.exchange(_STEP, b"", seconds, tries=1)
            if answer is None:
                # Perhaps only the answer was lost; the monitor does not run a step twice.
                answer = self._line.exchange(_STEP, b"", _AWAKE_S, again=True)
        except PartResetError:
            self._line.greet(_AWAKE_S)
            raise
        if answer is None:
            if self._line.greet(_AWAKE_S):
                raise PartResetError(f"{self.place}: the part was reset during the call")
            if not self._in_rom and self._wakes():
                raise PartResetError(f"{self.place}: the part hung during the call and was reset")
            raise SilentError(
                f"{self.place}: the part stopped answering; press its reset button or reconnect "
                "it, then run the command again"
            )
        return None

    def reset(self) -> None:
        """Resets the part: through its monitor, or by opening the port again."""
        if self._in_rom:
            self._line.end(_RESTART)
        if not self._wakes():
            raise SilentError(
                f"{self.place}: the part does not answer after a reset; "
                f"{'set BOOT0 to low and press reset' if self._in_rom else 'reconnect it'}, then "
                "run the command again"
            )

    def _wakes(self) -> bool:
        """Opens the port again; whether the monitor answers."""
        self.close()
        self._line.open()
        return self._line.greet(_AWAKE_S)

    def close(self) -> None:
        """Closes the port."""
        self._line.close()

    def _has(self, address: int, data: bytes) -> bool:
        """Whether memory contains these bytes, by checksum."""
        where = address.to_bytes(4, "little") + len(data).to_bytes(4, "little")
        answer = self._line.sure(_CHECK, where, _CHECK_S)
        return answer == zlib.crc32(data).to_bytes(4, "little")


def joined(pieces: list[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    """(address, bytes) in ascending order, with adjacent pieces joined."""
    found: list[tuple[int, bytes]] = []
    for at, data in pieces:
        if found and found[-1][0] + len(found[-1][1]) == at:
            start, before = found.pop()
            at, data = start, before + data
        found.append((at, data))
    return found


def start_rom_loader(path: str, baud: int) -> bool:
    """Lets the monitor on a part start the boot loader in its ROM; whether a monitor answered."""
    line = Conversation(path, baud)
    line.open()
    try:
        # A monitor of any version knows this request.
        with contextlib.suppress(OtherVersionError):
            if not line.greet(1.0):
                return False
        line.end(_LOADER)
        return True
    finally:
        line.close()
