"""riscv64-unknown-elf-gcc, as packaged by Debian, for 32-bit parts, with Pennyweight's C
library.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from pennyweight.catalogue.boards import Board
from pennyweight.toolchains.base import Family, Mnemonics, own_libc
from pennyweight.toolchains.command import run, which

_RUST = ("imac", "ima", "imc", "im", "i", "emc", "em", "e")
"""The extensions of Rust's targets for RV32, the largest sets first."""

_EXTENSIONS = {"m": "__riscv_mul", "a": "__riscv_atomic", "c": "__riscv_compressed"}
"""RISC-V C API Specification, section "Preprocessor Definitions"."""


class Riscv64UnknownElfGcc(Family):
    """GNU C for RISC-V, with libgcc only."""

    name = "riscv64-unknown-elf-gcc"
    firmware = "riscv"
    short = "riscv"
    machine = "RISC-V"
    dumpmachine = r"riscv(32|64)-.*elf"
    macros = ("__riscv",)
    assembly = r"\bsltu\b|\bsrli\b|\bslli\b|\bxori\b|\blw\s+[ats]\d|\bsw\s+[ats]\d|\baddi\s"
    architectures = frozenset(("riscv", "riscv32", "riscv64"))
    jumps_to_itself = (b"\x01\xa0", b"\x6f\x00\x00\x00")  # c.j . and j .
    mnemonics = Mnemonics(
        loads=r"l[bhw]u?|lr\.w",
        stores=r"s[bhw]|sc\.w",
        multiplications=r"(mul|div|rem).*",
        branches=r"b(eq|ne|lt|ge|gt|le)u?z?|jr?|jalr?|ret|call",
    )
    clang_target = "riscv32-unknown-elf"
    packages = MappingProxyType({"apt-get": ("gcc-riscv64-unknown-elf",)})
    hint = "`apt-get install gcc-riscv64-unknown-elf`"

    def locate(self) -> Path | None:
        """The compiler on PATH."""
        found = which("riscv64-unknown-elf-gcc")
        return Path(found) if found else None

    def library_headers(self, firmware: Path) -> tuple[Path, ...]:
        """Pennyweight's headers: the compiler only has those of a freestanding one."""
        return (firmware / "libc" / "include",)

    def library_sources(self, firmware: Path) -> tuple[Path, ...]:
        """Pennyweight's C library."""
        return own_libc(firmware)

    def link_arguments(self, board: Board, firmware: Path) -> list[str]:
        """The linker scripts, one of them for the part's flash; the memories are from the board
        file.
        """
        scripts = ("memories.ld", _constants(board), "zeroed.ld")
        return [
            "-nostdlib",
            *(f"-T{firmware / self.firmware / name}" for name in scripts),
            f"-Wl,--defsym=pw_flash_base={board.flash.base:#x}",
            f"-Wl,--defsym=pw_ram_base={board.ram.base:#x}",
            f"-Wl,--defsym=pw_ram_end={board.ram.end:#x}",
            *self._libgcc(board.file.compiler.flags),
            "-lgcc",
        ]

    def libraries(self) -> tuple[str, ...]:
        """The library libgcc."""
        return ("libgcc.a",)

    def library_flags(self, flags: tuple[str, ...]) -> tuple[str, ...]:
        """Without extensions: the compiler has no libgcc with them, and would use that of 64-bit
        parts.
        """
        return tuple(
            each.partition("_")[0] if each.startswith("-march=") else each for each in flags
        )

    def rust_target(
        self, macros: Mapping[str, str], flags: tuple[str, ...]
    ) -> tuple[str, str] | None:
        """That with the most extensions of the part."""
        if macros.get("__riscv_xlen") != "32":
            return None
        has = {letter for letter, macro in _EXTENSIONS.items() if macro in macros}
        has.add("e" if {"__riscv_32e", "__riscv_e"} & macros.keys() else "i")
        letters = next(each for each in _RUST if has >= set(each))
        return f"riscv32{letters}-unknown-none-elf", ""

    def _libgcc(self, flags: tuple[str, ...]) -> list[str]:
        """The folder of libgcc, if the compiler would not find it with the board's flags."""
        driver = self.driver or self.locate()
        plain = self.library_flags(flags)
        if driver is None or plain == flags:
            return []
        return [f"-L{_folder_of_libgcc(driver, plain)}"]


def _constants(board: Board) -> str:
    """Constants are copied to RAM if data reads go past an instruction cache to the flash."""
    cached = board.flash.timing.model == "instruction-cache"
    return "constants-in-ram.ld" if cached else "constants-in-flash.ld"


@functools.cache
def _folder_of_libgcc(driver: Path, flags: tuple[str, ...]) -> Path:
    found = run([driver, *flags, "-print-libgcc-file-name"], cwd=driver.parent)
    return Path(found.output.strip()).parent
