"""A part that is connected through a serial line, on which its monitor answers frames."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from pennyweight.devices import frames
from pennyweight.devices.errors import (
    DeviceError,
    OtherVersionError,
    PartResetError,
    SilentError,
)
from pennyweight.devices.mailbox import SIZE as MAILBOX_SIZE
from pennyweight.devices.mailbox import Command, Ended, Request, unpack
from pennyweight.devices.monitor import Monitor
from pennyweight.devices.serial_port import SerialPort

_VERSION = 2
_OK, _NO_SESSION = b"A", b"N"
_LONGEST = 264
"""Zero bytes that end any frame the monitor waits for."""

_ANSWER_S = 0.4
"""Seconds for an immediate answer; a frame on a slow line takes 0.1 s."""

_TRIES = 5
_AWAKE_S = 6.0
"""Seconds for a boot loader to start the monitor, or for a watchdog to expire."""

Loader = Callable[[list[tuple[int, bytes]]], None]
"""Writes flash with a tool that opens the port itself."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The monitor's answer to a greeting."""

    chunk: int
    """Limit for the data of a frame, in bytes."""
    identity: bytes


class SerialLink:
    """The link to a part on a serial line. All methods raise `DeviceError`."""

    runs_start_up = False
    resets_to_monitor = True

    def __init__(self, path: str, baud: int, monitor: Monitor, load: Loader) -> None:
        self.place = f"serial:{path}"
        self._path, self._baud = path, baud
        self._monitor = monitor
        self._load = load
        self._waiting = bytearray()
        self._sequence = 0
        self._session = 0
        self._chunk = 32
        self._port: SerialPort | None = None

    def load(self, flash: list[tuple[int, bytes]]) -> None:
        """Writes flash unless the monitor's checksums show that it is up to date."""
        if self._port is None:
            self._open()
        with contextlib.suppress(OtherVersionError):
            if self._greet(_AWAKE_S) is not None and all(self._has(at, data) for at, data in flash):
                return
        self.close()
        self._load(flash)
        self._open()
        if self._greet(_AWAKE_S) is None:
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

    def read(self, address: int, size: int) -> bytes:
        """Bytes of RAM or flash."""
        found = bytearray()
        while len(found) < size:
            count = min(self._chunk, size - len(found))
            at = (address + len(found)).to_bytes(4, "little")
            piece = self._sure(b"R", at + bytes((count,)))
            if len(piece) != count:
                raise self._strange()
            found += piece
        return bytes(found)

    def write(self, address: int, data: bytes) -> None:
        """Writes bytes to RAM."""
        for start in range(0, len(data), self._chunk):
            at = (address + start).to_bytes(4, "little")
            self._sure(b"W", at + data[start : start + self._chunk])

    def start(self, entry: int, ready: int, seconds: float) -> int | None:
        """Does nothing: the monitor runs already, and initialises RAM itself."""
        return None

    def step(self, seconds: float) -> int | None:
        """Runs the request in the mailbox.

        Raises `PartResetError` if the part was reset meanwhile, for example by its watchdog.
        """
        answer = self._exchange(b"G", b"", seconds, tries=1)
        if answer is None:
            # Perhaps only the answer was lost; the monitor does not run a step twice.
            answer = self._exchange(b"G", b"", _AWAKE_S, again=True)
        if answer is None:
            if self._greet(_AWAKE_S) is not None:
                raise PartResetError(f"{self.place}: the part was reset during the call")
            raise SilentError(
                f"{self.place}: the part stopped answering; press its reset button or reconnect "
                "it, then run the command again"
            )
        return None

    def reset(self) -> None:
        """Reopens the port, which resets boards whose reset line is connected to DTR."""
        self.close()
        self._open()
        if self._greet(_AWAKE_S) is None:
            raise SilentError(
                f"{self.place}: the part does not answer after a reset; reconnect it, then run the "
                "command again"
            )

    def close(self) -> None:
        """Closes the port."""
        if self._port is not None:
            self._port.close()
            self._port = None

    def _open(self) -> None:
        self._port = SerialPort(self._path, self._baud)
        self._waiting.clear()

    def _greet(self, seconds: float) -> Hello | None:
        """Starts a session."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._session = random.randrange(1, 1 << 16)
            answer = self._exchange(b"H", b"", _ANSWER_S, tries=1)
            if answer is None:
                self._flush()
                continue
            if len(answer) < 3 or answer[0] != _VERSION:
                raise OtherVersionError(
                    f"{self.place}: the monitor on the part is from another version of "
                    "Pennyweight; press reset and run the command again with --yes to replace it"
                )
            self._chunk = answer[1]
            return Hello(answer[1], answer[2:])
        return None

    def _has(self, address: int, data: bytes) -> bool:
        """Whether flash contains these bytes, by checksum."""
        import zlib

        request = Request(Command.CHECKSUM, limit=address, top=len(data))
        self.write(self._monitor.mailbox, request.packed())
        self.step(20.0)
        answer = unpack(self.read(self._monitor.mailbox, MAILBOX_SIZE))
        return answer.ended is Ended.DONE and answer.result == zlib.crc32(data)

    def _sure(self, command: bytes, data: bytes) -> bytes:
        answer = self._exchange(command, data, _ANSWER_S)
        if answer is None:
            raise SilentError(
                f"{self.place}: the part does not answer; check the cable and the baud rate "
                f"({self._baud})"
            )
        return answer

    def _exchange(
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
            answer = self._answer(time.monotonic() + seconds)
            if answer is None:
                continue
            if answer[:1] == _NO_SESSION:
                raise PartResetError(f"{self.place}: the part was reset")
            if answer[:1] != _OK:
                raise self._strange()
            return answer[2:]
        return None

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
        """Ends any frame the monitor waits for, and discards pending input."""
        self._connected.write(bytes(_LONGEST))
        time.sleep(10 * _LONGEST / self._baud)
        self._connected.discard()
        self._waiting.clear()

    @property
    def _connected(self) -> SerialPort:
        assert self._port is not None
        return self._port

    def _strange(self) -> DeviceError:
        return SilentError(
            f"{self.place}: the device that answers is not Pennyweight's monitor; check that "
            "this is the board's port"
        )
