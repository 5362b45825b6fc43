"""mipsel-linux-gnu-gcc, as packaged by Debian, for bare parts, with Pennyweight's C library."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

from pennyweight.catalogue.boards import Board
from pennyweight.toolchains.base import Family, Mnemonics, own_libc
from pennyweight.toolchains.command import which


class MipselLinuxGnuGcc(Family):
    """GNU C for little-endian MIPS, with libgcc only, without the libraries of its target
    system.
    """

    name = "mipsel-linux-gnu-gcc"
    firmware = "mips"
    short = "mips"
    machine = "MIPS"
    dumpmachine = r"mipsel-.*"
    macros = ("__mips__",)
    assembly = r"\$(?:t|a|s|v)\d\b|\bjr\s+\$ra|\baddiu\b"
    architectures = frozenset(("mips", "mips32", "mipso32", "mips64"))
    jumps_to_itself = (b"\xff\xff\x00\x10",)  # b .
    delay_slot = 4
    # MFHI and MFLO wait for the result of a multiplication or division.
    mnemonics = Mnemonics(
        loads=r"l[bh]u?|lw([lr]|pc)?|ll|restore",
        stores=r"s[bhw]|sw[lr]|sc|save",
        multiplications=r"mul|multu?|m(add|sub)u?|divu?|m[ft](hi|lo)",
        branches=r"b|b(eq|ne)l?|b(lez|gtz|ltz|gez)(al)?l?|bt?(eq|ne)z|j(al)?[rx]?c?",
    )
    # Clang has no code generator for MIPS16, which the images may use.
    clang_target = None
    packages = MappingProxyType({"apt-get": ("gcc-mipsel-linux-gnu",)})
    hint = "`apt-get install gcc-mipsel-linux-gnu`"
    cplusplus = "`apt-get install g++-mipsel-linux-gnu` adds C++"

    def locate(self) -> Path | None:
        """The compiler on PATH."""
        found = which("mipsel-linux-gnu-gcc")
        return Path(found) if found else None

    def library_headers(self, firmware: Path) -> tuple[Path, ...]:
        """Pennyweight's headers, before those of the compiler's target system."""
        return (firmware / self.firmware / "include", firmware / "libc" / "include")

    def library_sources(self, firmware: Path) -> tuple[Path, ...]:
        """Pennyweight's C library."""
        return own_libc(firmware)

    def link_arguments(self, board: Board, firmware: Path) -> list[str]:
        """One linker script for all parts: the memories are from the board file."""
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
        """Assembly is MIPS32 unless it contains `.set mips16`, whatever the compiler flags."""
        return ("-mno-mips16",) if "-mips16" in flags else ()

    def libraries(self) -> tuple[str, ...]:
        """The library libgcc."""
        return ("libgcc.a",)
