"""xtensa-lx106-elf-gcc, as packaged by Debian, with Pennyweight's C library and parts of libgcc."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

from pennyweight.catalogue.boards import Board
from pennyweight.toolchains.base import Family, Mnemonics, own_libc
from pennyweight.toolchains.command import which


class XtensaLx106ElfGcc(Family):
    """GNU C for Xtensa with the call0 ABI."""

    name = "xtensa-lx106-elf-gcc"
    firmware = "xtensa"
    short = "xtensa"
    machine = "Xtensa"
    dumpmachine = r"xtensa-lx106-.*"
    macros = ("__XTENSA__",)
    assembly = r"xtensa/\w+\.h|\bl32i|\bs32i|\bentry\s+(?:a1|sp)|\bretw|\bextui|\bssai\b"
    architectures = frozenset(("xtensa",))
    jumps_to_itself = (b"\x06\xff\xff",)  # j .
    mnemonics = Mnemonics(
        loads=r"l(8u|16[us]|32)i|l32[er]|ld(inc|dec)",
        stores=r"s(8|16|32)i|s32(e|c1i)",
        multiplications=r"u?mul|mul(16[su]|l|uh|sh|a|s)|(quo|rem)[su]",
        branches=r"b(eq|ne)[iz]?|b(lt|ge)(u?i|u|z)?|b(any|none|n?all|b[cs]i?|[tf])"
        r"|jx?|callx?\d+|entry|retw?|loop(nez|gtz)?",
    )
    clang_target = None  # Clang has no code generator for Xtensa.
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
