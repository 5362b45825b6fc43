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

_VERSION = 3
_OK, _NO_SESSION = b"A", b"N"
_LONGEST = 56
"""Bytes of the longest frame that the monitor accepts, of which PW_FRAME is the payload, and a few
more.
"""

_GREETING_S, _LATER_S = 0.4, 0.8
"""Seconds for the answer to the first greeting, and to each later one."""

_ANSWER_S = 0.5
"""Seconds for an immediate answer; a long frame at 9600 baud takes 0.3 s. Doubled with each try."""

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
        self.chunk = 32
        """Limit for the data of a request, in bytes."""

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
        self._session = random.randrange(1, 1 << 16)
        patience, again = _GREETING_S, False
        while time.monotonic() < end:
            # A late answer to an earlier greeting is as good.
            answer = self.exchange(b"H", b"", patience, tries=1, again=again)
            if answer is None:
                self._flush()
                patience, again = _LATER_S, True
                continue
            if len(answer) < 3 or answer[0] != _VERSION:
                raise OtherVersionError(
                    f"{self.place}: the monitor on the part is from another version of "
                    "Pennyweight; press reset and run the command again with --yes to replace it"
                )
            self.chunk = answer[1]
            return True
        return False

    def sure(
        self,
        command: bytes,
        data: bytes = b"",
        seconds: float = _ANSWER_S,
        again: bytes | None = None,
    ) -> bytes:
        """The data of an answer that must come; `again`: the data of a repeated request."""
        answer = self.exchange(command, data, seconds, fallback=again)
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
        self,
        command: bytes,
        data: bytes,
        seconds: float,
        tries: int = _TRIES,
        again: bool = False,
        fallback: bytes | None = None,
    ) -> bytes | None:
        """The data of an answer; `None` if there is none. `again`: as the request before;
        `fallback`: the data if the first try gets no answer.

        Raises `PartResetError` if the part has no such session.
        """
        if not again:
            self._sequence = self._sequence % 255 + 1
        session = self._session.to_bytes(2, "little")
        payload = command + session + bytes((self._sequence,))
        for attempt in range(tries):
            if attempt:
                self._flush()
                data = data if fallback is None else fallback
            self._connected.write(frames.frame(payload + data))
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
        self._connected.write(bytes(_LONGEST))
        time.sleep(10 * _LONGEST / self._baud)
        self._connected.discard()
        self._waiting.clear()

    @property
    def _connected(self) -> SerialPort:
        assert self._port is not None
        return self._port
