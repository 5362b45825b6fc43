"""stm32flash: identifies an STM32 and writes its flash through the boot loader in its ROM.

The boot loader runs after a reset with BOOT0 high (AN2606), or when the monitor starts it.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from pennyweight.devices.errors import PERMISSION_REMEDY, DeviceError, SilentError
from pennyweight.devices.serial_port import refuse_if_open
from pennyweight.devices.tools import required

_LIMIT_S = 600.0
_GAP = 4096
"""Pieces that are closer may share a page, which is erased before a piece is written."""

_DEVICE = re.compile(r"Device ID\s*: 0x([0-9a-fA-F]{4})")
_ERASED = b"\xff"


def read_device_id(
    place: str, port: str, baud: int, start_loader: Callable[[], bool]
) -> tuple[int, bool]:
    """The part's DEV_ID, and whether the monitor runs on it; the same program runs afterwards.

    `start_loader` lets the monitor start the boot loader. Raises `SilentError` if neither answers.
    """
    try:
        printed, is_awake = _run(place, port, baud, []), False
    except SilentError:
        # Other requests would disturb a boot loader that detects the baud rate, so it is first.
        if not start_loader():
            raise
        printed, is_awake = _run(place, port, baud, ["-g", "0"]), True
    found = _DEVICE.search(printed)
    if found is None:
        raise DeviceError(f"{place}: stm32flash does not print the part's device ID")
    return int(found[1], 16), is_awake


def write_stm32(place: str, port: str, baud: int, flash: list[tuple[int, bytes]]) -> None:
    """Writes flash and starts the program in it. The boot loader must be running."""
    pieces = _near_ones_joined(flash)
    with tempfile.TemporaryDirectory(prefix="pennyweight-") as folder:
        for number, (address, data) in enumerate(pieces):
            file = Path(folder) / f"{number}.bin"
            file.write_bytes(data)
            words = ["-S", f"{address:#x}:{len(data)}", "-w", str(file)]
            is_last = number == len(pieces) - 1
            _run(place, port, baud, [*words, *(["-g", f"{pieces[0][0]:#x}"] if is_last else [])])


def _near_ones_joined(flash: list[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    found: list[tuple[int, bytes]] = []
    for address, data in sorted(flash):
        if found and (gap := address - found[-1][0] - len(found[-1][1])) < _GAP:
            found[-1] = (found[-1][0], found[-1][1] + gap * _ERASED + data)
        else:
            found.append((address, data))
    return found


def _run(place: str, port: str, baud: int, arguments: list[str]) -> str:
    """Its output. Raises `DeviceError`, `SilentError`."""
    tool = required(place, "stm32flash")
    refuse_if_open(port)
    command = [tool, "-b", str(baud), *arguments, port]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=_LIMIT_S
        )
    except subprocess.TimeoutExpired:
        raise DeviceError(
            f"{place}: stm32flash did not finish within {_LIMIT_S:.0f} seconds; reset the board "
            "and run the command again"
        ) from None
    if done.returncode == 0:
        return done.stdout
    raise explained(place, done.stdout + done.stderr)


def explained(place: str, printed: str) -> DeviceError:
    """What stm32flash's output means, and the remedy."""
    text = printed.lower()
    if "failed to init" in text:
        return SilentError(
            f"{place}: neither the monitor nor the part's boot loader answers; check the wires of "
            "PA9 and PA10, set BOOT0 to high, press reset, and run the command again"
        )
    if "permission denied" in text:
        return DeviceError(f"{place}: no permission to open the port; {PERMISSION_REMEDY}")
    if "write-protect" in text or "readout" in text or "read-protect" in text:
        return DeviceError(
            f"{place}: the part's flash is protected; remove the protection, which erases it: "
            "`stm32flash -k PORT`, then `stm32flash -u PORT`"
        )
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    return DeviceError(f"{place}: stm32flash failed: {lines[-1] if lines else 'no message'}")
