"""The values of `--on`: where a board is connected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pennyweight.catalogue.device_table import HIGHEST_BAUD, LOWEST_BAUD
from pennyweight.model import UserError

_FORMS = "gdb:HOST:PORT, serial:PORT[@BAUD], or probe[:SERIAL]"


@dataclass(frozen=True, slots=True)
class Place:
    """A debug server, a serial port, or a debug probe that needs a server."""

    kind: Literal["gdb", "serial", "probe"]
    name: str = ""
    """A host, a port's path, or a probe's serial number (empty: the only probe)."""
    port: int = 0
    baud: int = 0
    """Baud rate of a serial port; 0: that of the board file."""

    def __str__(self) -> str:
        """The form that `--on` accepts."""
        if self.kind == "gdb":
            return f"gdb:{self.name}:{self.port}"
        if self.kind == "serial":
            return f"serial:{self.name}" + (f"@{self.baud}" if self.baud else "")
        return f"probe:{self.name}" if self.name else "probe"


def parse_place(text: str) -> Place:
    """Parses a place. Raises `UserError`."""
    kind, _, rest = text.partition(":")
    if kind == "gdb":
        host, _, port = rest.rpartition(":")
        if host and port.isdecimal() and 0 < int(port) < 1 << 16:
            return Place("gdb", host, int(port))
        problem = (
            f": '{port}' is not a port number, 1 to 65535" if host and port else " has no port"
        )
        raise UserError(f"--on: '{text}'{problem}; give gdb:HOST:PORT, such as gdb:localhost:3333")
    if kind == "serial" and rest:
        path, mark, baud = rest.partition("@")
        # The first condition also keeps int() from numbers of any length.
        is_rate = len(baud) <= 7 and baud.isdecimal() and LOWEST_BAUD <= int(baud) <= HIGHEST_BAUD
        if mark and not is_rate:
            raise UserError(
                f"--on: invalid baud rate '{baud}'; give a number from {LOWEST_BAUD:,} to "
                f"{HIGHEST_BAUD:,}, such as serial:{path}@115200"
            )
        return Place("serial", path, baud=int(baud or 0))
    if kind == "probe":
        if ":" in text and not rest:
            raise UserError(
                "--on: 'probe:' has no serial number; give probe:SERIAL, or probe for the only one"
            )
        return Place("probe", rest)
    raise UserError(f"--on: invalid value '{text}'; give {_FORMS}")
