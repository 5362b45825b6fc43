"""A serial port of this machine, opened for this process alone."""

from __future__ import annotations

import contextlib
import errno
import time

import serial

from pennyweight.devices.errors import DeviceError, LostConnectionError


class SerialPort:
    """An open port. All methods raise `LostConnectionError` when it goes away."""

    def __init__(self, path: str, baud: int) -> None:
        self.place = f"serial:{path}"
        try:
            self._port = serial.Serial(path, baud, timeout=0, write_timeout=5.0, exclusive=True)
        except serial.SerialException as error:
            raise _not_opened(self.place, path, error) from None
        except ValueError as error:
            raise DeviceError(f"{self.place}: {error}; correct device.uart.baud") from None

    def close(self) -> None:
        """Leaves the port to others."""
        with contextlib.suppress(OSError, serial.SerialException):
            self._port.close()

    def write(self, data: bytes) -> None:
        """Sends bytes."""
        try:
            self._port.write(data)
        except (OSError, serial.SerialException) as error:
            raise self._lost(error) from None

    def read(self, end: float) -> bytes:
        """What has come, or comes until `end` of the monotonic clock; empty if nothing does."""
        try:
            self._port.timeout = max(0.0, end - time.monotonic())
            first: bytes = self._port.read(1)
            return first + self._port.read(self._port.in_waiting) if first else b""
        except (OSError, serial.SerialException) as error:
            raise self._lost(error) from None

    def discard(self) -> None:
        """Drops what has come so far."""
        try:
            self._port.reset_input_buffer()
        except (OSError, serial.SerialException) as error:
            raise self._lost(error) from None

    def _lost(self, error: Exception) -> LostConnectionError:
        return LostConnectionError(
            f"{self.place}: the port is gone ({error}); plug the board in again, then run the same "
            "command"
        )


def _not_opened(place: str, path: str, error: serial.SerialException) -> DeviceError:
    """What to do about a port that cannot be opened."""
    number = getattr(error, "errno", None)
    if number == errno.ENOENT:
        return DeviceError(
            f"{place}: there is no such port; plug the board in, or see `pennyweight devices` for "
            "the ports that there are"
        )
    if number in (errno.EACCES, errno.EPERM):
        return DeviceError(
            f"{place}: no permission to open it; install firmware/device/99-pennyweight.rules, or "
            "add yourself to the group that owns the port (usually dialout), and log in again"
        )
    if number in (errno.EBUSY, errno.EAGAIN) or "lock" in str(error):
        return DeviceError(
            f"{place}: another program has the port open; close it (a serial monitor, another "
            "pennyweight), then run the same command"
        )
    return DeviceError(f"{place}: it cannot be opened ({error})")
