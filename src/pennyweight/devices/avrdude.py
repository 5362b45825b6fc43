"""avrdude: writes an AVR's flash through a boot loader."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from pennyweight.devices.errors import DeviceError
from pennyweight.devices.hexfile import intel_hex

_LIMIT_S = 120.0


def write_avr(place: str, port: str, part: str, baud: int, flash: list[tuple[int, bytes]]) -> None:
    """Writes flash through the boot loader of an Arduino; avrdude compares the part's signature
    first, and reads back what it wrote.

    `part` is avrdude's name of the part. Raises `DeviceError`.
    """
    with tempfile.TemporaryDirectory(prefix="pennyweight-") as folder:
        file = Path(folder) / "image.hex"
        file.write_text(intel_hex(flash), encoding="ascii")
        _run(place, port, part, baud, ["-q", "-q", "-D", "-U", f"flash:w:{file}:i"])


def read_signature(place: str, port: str, part: str, baud: int) -> str:
    """The part's signature, six hexadecimal digits. Raises `DeviceError` for another part."""
    found = _SIGNATURE.search(_run(place, port, part, baud, []))
    return found[1] if found else ""


_SIGNATURE = re.compile(r"[Dd]evice signature = 0x([0-9a-f]{6})")


def _run(place: str, port: str, part: str, baud: int, arguments: list[str]) -> str:
    """What avrdude prints. Raises `DeviceError`."""
    tool = shutil.which("avrdude")
    if tool is None:
        raise DeviceError(
            f"{place}: avrdude is missing, which writes AVRs; install it with `apt-get install "
            "avrdude`"
        )
    command = [tool, "-p", part, "-c", "arduino", "-P", port, "-b", str(baud), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_LIMIT_S)
    except subprocess.TimeoutExpired:
        raise DeviceError(
            f"{place}: avrdude did not end within {_LIMIT_S:.0f} seconds; plug the board in again, "
            "then run the same command"
        ) from None
    if done.returncode != 0:
        raise DeviceError(f"{place}: {explained(done.stderr, part)}")
    return done.stderr


def explained(printed: str, part: str) -> str:
    """What avrdude's words mean and what to do."""
    said = [line.strip() for line in printed.splitlines() if line.strip()]
    text = "\n".join(said)
    found = _SIGNATURE.search(text)
    if "signature" in text and ("expected" in text.lower() or "double check" in text.lower()):
        which = f" (signature {found[1]})" if found else ""
        return (
            f"the part is not the {part} that the board file names{which}, and was not written; "
            "choose the board that it is"
        )
    if "not in sync" in text or "not responding" in text:
        return (
            "no boot loader answers; is it the board's port, and nothing on its pins 0 and 1? "
            "Press reset and run the same command again"
        )
    if "ermission denied" in text:
        return (
            "no permission to open the port; install firmware/device/99-pennyweight.rules, or add "
            "yourself to the group that owns it (usually dialout), and log in again"
        )
    if "out of range" in text or "verification" in text.lower():
        return f"the flash does not hold what was written ({said[-1] if said else ''})"
    return f"avrdude failed: {said[-1] if said else 'it says nothing'}"
