"""xtensa-lx106-elf-gcc, as packaged by Debian, with Pennyweight's C library and parts of libgcc."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

from pennyweight.catalogue.boards import Board
from pennyweight.toolchains.base import Family, own_libc
from pennyweight.toolchains.command import which


class XtensaLx106ElfGcc(Family):
    """GNU C for Xtensa with the call0 ABI."""

    name = "xtensa-lx106-elf-gcc"
    firmware = "xtensa"
    short = "xtensa"
    packages = MappingProxyType({"apt-get": ("gcc-xtensa-lx106", "binutils-xtensa-lx106")})
    hint = "`apt-get install gcc-xtensa-lx106 binutils-xtensa-lx106`"

    def locate(self) -> Path | None:
        """The compiler on PATH."""
        found = which("xtensa-lx106-elf-gcc")
        return Path(found) if found else None

    def library_headers(self, firmware: Path) -> tuple[Path, ...]:
        """Pennyweight's headers: the compiler only has those of a freestanding one."""
        return (firmware / "libc" / "include",)

    def library_sources(self, firmware: Path) -> tuple[Path, ...]:
        """Pennyweight's C library, and the arithmetic that this libgcc lacks."""
        return (*own_libc(firmware), firmware / self.firmware / "arithmetic.c")

    def link_arguments(self, board: Board, firmware: Path) -> list[str]:
        """One linker script for all parts: the memories are from the board file."""
        return [
            "-nostdlib",
            "-T",
            str(firmware / self.firmware / "link.ld"),
            f"-Wl,--defsym=pw_flash_base={board.flash.base:#x}",
            f"-Wl,--defsym=pw_ram_base={board.ram.base:#x}",
            f"-Wl,--defsym=pw_ram_end={board.ram.end:#x}",
            "-lgcc",
        ]

    def libraries(self) -> tuple[str, ...]:
        """The library libgcc."""
        return ("libgcc.a",)
