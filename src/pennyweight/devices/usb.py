"""Lists connected debug probes and serial ports.

Probes are found in Linux's sysfs (`Documentation/ABI/testing/sysfs-bus-usb`), which needs no
library and no permission; ports with pyserial.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from serial.tools import list_ports

_SYSFS = Path("/sys/bus/usb/devices")
_NODES = Path("/dev/bus/usb")


@dataclass(frozen=True, slots=True)
class Probe:
    """A debug probe."""

    name: str
    serial: str
    openocd: str
    """OpenOCD's interface script; empty for a probe of MSP430s."""
    usable: bool
    """Whether this user may open it."""
    mspdebug: str = ""
    """mspdebug's driver; empty for all other probes."""
    usb: str = ""
    """USB vendor and product number, such as `0483:374b`."""

    @property
    def needs_ti_library(self) -> bool:
        """Whether mspdebug's driver loads `libmsp430.so`."""
        return self.mspdebug == "tilib"


@dataclass(frozen=True, slots=True)
class Port:
    """A serial port; `boards` are those known to have its USB chip."""

    path: str
    name: str
    boards: tuple[str, ...]
    usable: bool
    is_adapter: bool = False
    """Whether the chip is also on adapters, to which any serial line can be connected."""


def find_probes(sysfs: Path = _SYSFS, nodes: Path = _NODES) -> list[Probe]:
    """All probes of known types, ordered by USB path."""
    found = []
    for folder in sorted(sysfs.glob("*")) if sysfs.is_dir() else ():
        vendor, product = _read(folder / "idVendor"), _read(folder / "idProduct")
        kind = _kind(vendor, product, _read(folder / "product"))
        if kind is None:
            continue
        node = nodes / f"{_number(folder / 'busnum'):03}" / f"{_number(folder / 'devnum'):03}"
        found.append(
            Probe(
                name=_read(folder / "product") or kind["name"],
                serial=_read(folder / "serial"),
                openocd=kind.get("openocd", ""),
                usable=os.access(node, os.R_OK | os.W_OK),
                mspdebug=kind.get("mspdebug", ""),
                usb=f"{vendor}:{product}",
            )
        )
    return found


def find_ports() -> list[Port]:
    """All serial ports on USB, ordered by path."""
    found = []
    for each in sorted(list_ports.comports()):
        if each.vid is None:
            continue
        chip = f"{each.vid:04x}:{each.pid:04x}"
        row = next((row for row in _known()["port"] if chip in row["usb"]), {})
        found.append(
            Port(
                each.device,
                each.description or chip,
                tuple(row.get("boards", ())),
                os.access(each.device, os.R_OK | os.W_OK),
                bool(row.get("adapter")),
            )
        )
    return found


def udev_rules() -> str:
    """Linux's udev rules that give users access to the probes and ports of `usb_ids.toml`."""
    return Path(__file__).with_name("69-pennyweight.rules").read_text(encoding="utf-8")


def _kind(vendor: str, product: str, name: str) -> dict[str, str] | None:
    for row in _known()["probe"]:
        if f"{vendor}:{product}" in row["usb"] or (vendor and f"{vendor}:*" in row["usb"]):
            return dict(row)
        if row.get("product") and row["product"] in name:
            return dict(row)
    return None


@cache
def _known() -> dict[str, list[dict[str, str]]]:
    text = Path(__file__).with_name("usb_ids.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _number(path: Path) -> int:
    text = _read(path)
    return int(text) if text.isdecimal() else 0
