"""avrdude: writes an AVR's flash through a boot loader."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

from pennyweight.devices.errors import PERMISSION_REMEDY, DeviceError, WrongPartError
from pennyweight.devices.hexfile import intel_hex
from pennyweight.devices.serial_port import refuse_if_open
from pennyweight.devices.tools import required

_LIMIT_S = 120.0
_TRIES = 3
_ONE_ATTEMPT = ("-x", "attempts=1")
"""Otherwise avrdude asks a silent boot loader for a minute. Each of the tries resets the board."""


def write_avr(place: str, port: str, part: str, baud: int, flash: list[tuple[int, bytes]]) -> None:
    """Writes flash through an Arduino's boot loader. avrdude checks the part's signature first and
    verifies the flash afterwards.

    `part` is avrdude's name for the part. Raises `DeviceError`.
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
_NOISE = re.compile(
    r"(avrdude(\.exe)?: )?(avrdude )?done\. +Thank you\.|(avrdude OS error: )?ioctl\(\"TIOCM\w+\"\)"
)
"""Lines that explain nothing: the last one, also after an error, and those on modem lines that a
port does not have.
"""
_OUT_OF_STEP = re.compile(r"protocol expects .* but got|initialization failed")
"""Before anything is written: answers to repeated greetings that come late."""
_NO_PORT = re.compile(r"open (device|port) .*No such file")


def _run(place: str, port: str, part: str, baud: int, arguments: list[str]) -> str:
    """Avrdude's output. Raises `DeviceError`."""
    tool = required(place, "avrdude")
    # avrdude would reset the board under a running measurement.
    refuse_if_open(port)
    command = [tool, "-p", part, "-c", "arduino", "-P", port, "-b", str(baud), *_ONE_ATTEMPT]
    command += arguments
    for _ in range(_TRIES):
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_LIMIT_S)
        except subprocess.TimeoutExpired:
            raise DeviceError(
                f"{place}: avrdude did not finish within {_LIMIT_S:.0f} seconds; reconnect the "
                "board and run the command again"
            ) from None
        if done.returncode == 0:
            return done.stderr
        if not _has_no_contact(done.stderr):
            break
    wrong = WrongPartError if _is_other_part(done.stderr) else DeviceError
    raise wrong(f"{place}: {explained(done.stderr, part)}")


def _is_silent(printed: str) -> bool:
    """Whether the boot loader did not answer. It waits for a second after a reset, which passes
    before avrdude's request if this machine is busy.
    """
    return "not in sync" in printed or "not responding" in printed


def _has_no_contact(printed: str) -> bool:
    """Whether it did not answer, or its answers came too late."""
    return _is_silent(printed) or _OUT_OF_STEP.search(printed) is not None


def _is_other_part(printed: str) -> bool:
    text = printed.lower()
    return "signature" in text and ("expected" in text or "double check" in text)


def explained(printed: str, part: str) -> str:
    """What avrdude's output means, and the remedy."""
    lines = (line.strip() for line in printed.splitlines())
    said = [line for line in lines if line and not _NOISE.match(line)]
    text = "\n".join(said)
    found = _SIGNATURE.search(text)
    if _is_other_part(text):
        which = f" (signature {found[1]})" if found else ""
        return (
            f"the part is not the {part} of the board file{which}; nothing was written; choose the "
            "matching board"
        )
    if _is_silent(text):
        return (
            "the boot loader does not answer; check that this is the board's port and that nothing "
            "is connected to pins 0 and 1, press reset, and run the command again"
        )
    if _OUT_OF_STEP.search(text):
        return (
            "the boot loader's answers come late or damaged; check the cable and the baud rate, "
            "close what keeps this machine busy, and run the command again"
        )
    if _NO_PORT.search(text):
        return "there is no such port; `pennyweight devices` lists the ports"
    if "ermission denied" in text:
        return f"no permission to open the port; {PERMISSION_REMEDY}"
    if "out of range" in text or "verification" in text.lower():
        return f"flash differs from what was written ({said[-1] if said else 'no message'})"
    return f"avrdude failed: {said[-1] if said else 'no message'}"
