"""The compiler for the ESP32: Espressif's if it is installed, otherwise the LX106's.

Espressif's `xtensa-esp32-elf-gcc` uses windowed registers, loops and all multiplications. Code of
the LX106's compiler also runs on an LX6: it uses base instructions and the CALL0 ABI.
"""

from __future__ import annotations

from pathlib import Path

from pennyweight.toolchains.command import which
from pennyweight.toolchains.xtensa_lx106_elf_gcc import XtensaLx106ElfGcc


class XtensaLx6(XtensaLx106ElfGcc):
    """GNU C for the LX6, with the windowed ABI if the user's own compiler has it."""

    name = "xtensa-lx6"
    short = "esp32"
    dumpmachine = r"xtensa-(lx106|esp32)-.*"
    hint = (
        "`apt-get install gcc-xtensa-lx106 binutils-xtensa-lx106`, whose code runs on an ESP32 too,"
        " or put Espressif's xtensa-esp32-elf-gcc on PATH"
    )

    @property
    def program(self) -> str:
        """The LX106's, which distributions package in several versions."""
        return XtensaLx106ElfGcc.name

    def locate(self) -> Path | None:
        """Espressif's on PATH, otherwise the LX106's."""
        found = _windowed()
        return found if found is not None else super().locate()

    def library_sources(self, firmware: Path) -> tuple[Path, ...]:
        """Pennyweight's C library; the arithmetic only for the LX106's libgcc, which lacks it."""
        sources = super().library_sources(firmware)
        return sources[:-1] if _windowed() is not None else sources


def _windowed() -> Path | None:
    found = which("xtensa-esp32-elf-gcc")
    return Path(found) if found else None
