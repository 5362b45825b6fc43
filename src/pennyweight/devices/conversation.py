"""Requests to a monitor on a serial line and its answers, as `firmware/device/serial.c` describes
them.
"""

from __future__ import annotations

import contextlib
import random
import time

from pennyweight.devices import frames
from pennyweight.devices.errors import (
    DeviceError,
    OtherVersionError,
    PartResetError,
    SilentError,
)
from pennyweight.devices.serial_port import SerialPort

_VERSION = 2
_OK, _NO_SESSION = b"A", b"N"
_LONGEST = 264
"""Bytes of the longest frame of any monitor, and a few more."""

_AROUND = 16
"""The bytes of a frame that are not data, and a few more."""

_GREETING_S = 0.4
_ANSWER_S = 0.5
"""Seconds for an immediate answer; a frame on a slow line takes 0.1 s. Doubled with each try."""

_TRIES = 4

_RESET_S = 0.2
"""Seconds until a boot loader in ROM answers after a reset: 0.1 s and less (AN2606)."""


class Conversation:
    """A session with the monitor behind a serial port. All methods raise `DeviceError`."""

    def __init__(self, path: str, baud: int) -> None:
        self.place = f"serial:{path}"
        self._path, self._baud = path, baud
        self._waiting = bytearray()
        self._sequence = 0
        self._session = 0
        self._port: SerialPort | None = None
        self._longest = _LONGEST
        self.chunk = 32
        """Limit for the data of a frame, in bytes."""

    @property
    def is_open(self) -> bool:
        """Whether the port is open."""
        return self._port is not None

    def open(self) -> None:
        """Opens the port, which resets boards whose reset line is connected to DTR."""
        self._port = SerialPort(self._path, self._baud)
        self._waiting.clear()

    def close(self) -> None:
        """Closes the port."""
        if self._port is not None:
            self._port.close()
            self._port = None

    def greet(self, seconds: float) -> bool:
        """Starts a session; whether the monitor answered in time.

        Raises `OtherVersionError` if the monitor is from another version.
        """
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._session = random.randrange(1, 1 << 16)
            answer = self.exchange(b"H", b"", _GREETING_S, tries=1)
            if answer is None:
                self._flush()
                continue
            if len(answer) < 3 or answer[0] != _VERSION:
                raise OtherVersionError(
                    f"{self.place}: the monitor on the part is from another version of "
                    "Pennyweight; press reset and run the command again with --yes to replace it"
                )
            self.chunk = answer[1]
            self._longest = self.chunk + _AROUND
            return True
        return False

    def sure(self, command: bytes, data: bytes = b"") -> bytes:
        """The data of an answer that comes at once."""
        answer = self.exchange(command, data, _ANSWER_S)
        if answer is None:
            raise SilentError(
                f"{self.place}: the part does not answer; check the cable and the baud rate "
                f"({self._baud})"
            )
        return answer

    def end(self, command: bytes) -> None:
        """Sends a request after which the part is reset, and waits until its boot loader or its
        program runs; the answer may be lost.
        """
        with contextlib.suppress(PartResetError):
            self.exchange(command, b"", _ANSWER_S, tries=1)
        time.sleep(_RESET_S)

    def exchange(
        self, command: bytes, data: bytes, seconds: float, tries: int = _TRIES, again: bool = False
    ) -> bytes | None:
        """The data of an answer; `None` if there is none.

        Raises `PartResetError` if the part has no such session.
        """
        if not again:
            self._sequence = self._sequence % 255 + 1
        session = self._session.to_bytes(2, "little")
        payload = command + session + bytes((self._sequence,)) + data
        for attempt in range(tries):
            if attempt:
                self._flush()
            self._connected.write(frames.frame(payload))
            answer = self._answer(time.monotonic() + seconds * (1 << attempt))
            if answer is None:
                continue
            if answer[:1] == _NO_SESSION:
                raise PartResetError(f"{self.place}: the part was reset")
            if answer[:1] != _OK:
                raise self.strange()
            return answer[2:]
        return None

    def strange(self) -> DeviceError:
        """The error for an answer that the monitor cannot give."""
        return SilentError(
            f"{self.place}: the device that answers is not Pennyweight's monitor; check that "
            "this is the board's port"
        )

    def _answer(self, end: float) -> bytes | None:
        """The answer with the current sequence number; `None` if there is none before `end`."""
        while True:
            found = frames.take(self._waiting)
            if found is not None and len(found) >= 2 and found[1] == self._sequence:
                return found
            if found is None:
                more = self._connected.read(end)
                if not more:
                    return None
                self._waiting += more

    def _flush(self) -> None:
        """Ends any frame the monitor waits for, with zero bytes, and discards pending input."""
        self._connected.write(bytes(self._longest))
        time.sleep(10 * self._longest / self._baud)
        self._connected.discard()
        self._waiting.clear()

    @property
    def _connected(self) -> SerialPort:
        assert self._port is not None
        return self._port
