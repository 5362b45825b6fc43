"""mipsel-linux-gnu-gcc, as Debian packages it, for bare parts; the C library is ours."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

from pennyweight.catalogue.boards import Board
from pennyweight.toolchains.base import Family, own_libc
from pennyweight.toolchains.command import which


class MipselLinuxGnuGcc(Family):
    """GNU C for little-endian MIPS, with libgcc and nothing else of the system it is meant for."""

    name = "mipsel-linux-gnu-gcc"
    firmware = "mips"
    short = "mips"
    packages = MappingProxyType({"apt-get": ("gcc-mipsel-linux-gnu",)})
    hint = "`apt-get install gcc-mipsel-linux-gnu`"
    cplusplus = "`apt-get install g++-mipsel-linux-gnu` adds C++"

    def locate(self) -> Path | None:
        """The one on PATH."""
        found = which("mipsel-linux-gnu-gcc")
        return Path(found) if found else None

    def library_headers(self, firmware: Path) -> tuple[Path, ...]:
        """Ours, before those of the system that the compiler is meant for."""
        return (firmware / self.firmware / "include", firmware / "libc" / "include")

    def library_sources(self, firmware: Path) -> tuple[Path, ...]:
        """Ours."""
        return own_libc(firmware)

    def link_arguments(self, board: Board, firmware: Path) -> list[str]:
        """One linker script for all parts: the memories come from the board file."""
        return [
            "-nostdlib",
            "-static",
            "-no-pie",
            "-T",
            str(firmware / self.firmware / "link.ld"),
            f"-Wl,--defsym=pw_flash_base={board.flash.base:#x}",
            f"-Wl,--defsym=pw_ram_base={board.ram.base:#x}",
            f"-Wl,--defsym=pw_ram_end={board.ram.end:#x}",
            "-Wl,--build-id=none",
            "-lgcc",
        ]

    def for_assembly(self, flags: tuple[str, ...], folder: Path) -> tuple[str, ...]:
        """Assembly is MIPS32 unless it says `.set mips16`, whatever is asked of the compiler."""
        return ("-mno-mips16",) if "-mips16" in flags else ()

    def libraries(self) -> tuple[str, ...]:
        """Libgcc."""
        return ("libgcc.a",)
