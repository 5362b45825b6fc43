"""arm-none-eabi-gcc, as packaged by Debian, with newlib-nano."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

from pennyweight.catalogue.boards import Board
from pennyweight.toolchains.base import Family
from pennyweight.toolchains.command import which


class ArmNoneEabiGcc(Family):
    """GNU C for Cortex-M, with Pennyweight's start-up code and linker script."""

    name = "arm-none-eabi-gcc"
    firmware = "cortex-m"
    short = "arm"
    packages = MappingProxyType(
        {
            "apt-get": ("gcc-arm-none-eabi", "libnewlib-arm-none-eabi"),
            "dnf": ("arm-none-eabi-gcc-cs", "arm-none-eabi-newlib"),
            "pacman": ("arm-none-eabi-gcc", "arm-none-eabi-newlib"),
        }
    )
    hint = "`apt-get install gcc-arm-none-eabi libnewlib-arm-none-eabi`"

    def locate(self) -> Path | None:
        """The compiler on PATH."""
        found = which("arm-none-eabi-gcc")
        return Path(found) if found else None

    def link_arguments(self, board: Board, firmware: Path) -> list[str]:
        """One linker script for all parts: the memories are from the board file."""
        return [
            "-nostartfiles",
            "--specs=nano.specs",
            "--specs=nosys.specs",
            "-T",
            str(firmware / self.firmware / "link.ld"),
            f"-Wl,--defsym=pw_flash_base={board.flash.base:#x}",
            f"-Wl,--defsym=pw_ram_base={board.ram.base:#x}",
            f"-Wl,--defsym=pw_ram_end={board.ram.end:#x}",
        ]

    def libraries(self) -> tuple[str, ...]:
        """newlib-nano, its stubs of operating system functions, and libgcc."""
        return ("libgcc.a", "libc_nano.a", "libg_nano.a", "libnosys.a", "nano.specs", "nosys.specs")
