"""A serial port, opened exclusively."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import time
from pathlib import Path

import serial

from pennyweight.devices.errors import PERMISSION_REMEDY, DeviceError, LostConnectionError

_MEMORY = 1
"""Major number of /dev/null, /dev/zero and others in Linux's `admin-guide/devices.txt`."""


class SerialPort:
    """An open port. All methods raise `LostConnectionError` when it is disconnected."""

    def __init__(self, path: str, baud: int) -> None:
        self.place = f"serial:{path}"
        try:
            self._port = serial.Serial(path, baud, timeout=0, write_timeout=5.0, exclusive=True)
        except serial.SerialException as error:
            raise _not_opened(self.place, error.errno, str(error)) from None
        except ValueError as error:
            raise DeviceError(f"{self.place}: {error}; correct device.uart.baud") from None

    def close(self) -> None:
        """Closes the port."""
        with contextlib.suppress(OSError, serial.SerialException):
            self._port.close()

    def write(self, data: bytes) -> None:
        """Sends bytes."""
        try:
            self._port.write(data)
        except (OSError, serial.SerialException) as error:
            raise self._lost(error) from None

    def read(self, end: float) -> bytes:
        """The bytes received so far, or the next ones before `end` (monotonic clock)."""
        try:
            self._port.timeout = max(0.0, end - time.monotonic())
            first: bytes = self._port.read(1)
            return first + self._port.read(self._port.in_waiting) if first else b""
        except (OSError, serial.SerialException) as error:
            raise self._lost(error) from None

    def discard(self) -> None:
        """Discards pending input."""
        try:
            self._port.reset_input_buffer()
        except (OSError, serial.SerialException) as error:
            raise self._lost(error) from None

    def _lost(self, error: Exception) -> LostConnectionError:
        return LostConnectionError(
            f"{self.place}: the port was disconnected ({error}); reconnect the board, then run the "
            "command again"
        )


def refuse_if_no_port(path: str) -> None:
    """Raises `DeviceError` if a path is not a serial port that this user can open; not on Windows.

    For tools that report less clearly what is wrong.
    """
    if os.name != "posix":
        return
    place = f"serial:{path}"
    try:
        found = Path(path).stat()
        is_memory = sys.platform == "linux" and os.major(found.st_rdev) == _MEMORY
        is_port = stat.S_ISCHR(found.st_mode) and not is_memory
        if is_port:
            # Opening the port resets the board.
            refuse_if_open(path)
            number = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            is_port = os.isatty(number)
            os.close(number)
    except OSError as error:
        raise _not_opened(place, error.errno, error.strerror or str(error)) from None
    if not is_port:
        raise DeviceError(
            f"{place}: this is not a serial port; `pennyweight devices` lists the ports"
        )


def refuse_if_open(path: str, processes: Path = Path("/proc")) -> None:
    """Raises `DeviceError` if another process has a port open.

    For tools that open it without a lock. Finds the processes of this user only, on Linux only.
    """
    port = Path(path).resolve()
    for process in processes.glob("[0-9]*"):
        # Processes end meanwhile, and those of another user cannot be read.
        with contextlib.suppress(OSError):
            if process.name != str(os.getpid()) and any(
                each.is_symlink() and each.readlink() == port for each in (process / "fd").iterdir()
            ):
                name = (process / "comm").read_text(encoding="utf-8").strip()
                raise _busy(f"serial:{path}", f"another program ({name}, process {process.name})")


def _busy(place: str, who: str) -> DeviceError:
    return DeviceError(
        f"{place}: {who} has the port open; close it (a serial terminal or another pennyweight), "
        "then run the command again"
    )


def _not_opened(place: str, number: int | None, reason: str) -> DeviceError:
    """The error for a port that cannot be opened."""
    if number == errno.ENOENT:
        return DeviceError(
            f"{place}: no such port; connect the board, or run `pennyweight devices` to list the "
            "ports"
        )
    if number in (errno.EACCES, errno.EPERM):
        return DeviceError(f"{place}: no permission to open the port; {PERMISSION_REMEDY}")
    if number in (errno.EBUSY, errno.EAGAIN) or "lock" in reason:
        return _busy(place, "another program")
    return DeviceError(f"{place}: the port cannot be opened ({reason})")
