"""msp430-elf-gcc, built from Debian's source packages because no distribution packages it."""

from __future__ import annotations

from pathlib import Path

from pennyweight.catalogue.boards import Board
from pennyweight.toolchains import building
from pennyweight.toolchains.base import Family, Mnemonics, own_libc
from pennyweight.toolchains.command import which
from pennyweight.toolchains.recipes.msp430_elf_gcc import MSP430_GCC

_MULTIPLIER = {"msp430": "mul_16", "msp430x": "mul_f5"}
"""The library for the hardware multiplier by instruction set: the x1xx family's, or the MPY32."""


class Msp430ElfGcc(Family):
    """GNU C for MSP430, with Pennyweight's start-up code, linker script and string functions."""

    name = "msp430-elf-gcc"
    firmware = "msp430"
    short = "msp430"
    machine = "MSP430"
    dumpmachine = r"msp430-.*"
    macros = ("__MSP430__",)
    assembly = r"\bpushm|\brrax|\bbis\.[bw]|\bxor\.[bw]|\bmov\.[bw]\s+[@#&]|\bclrc\b"
    architectures = frozenset(("msp430",))
    jumps_to_itself = (b"\xff\x3f",)  # jmp $
    # Any operand of an MSP430's instruction may be in memory, which its name does not show.
    mnemonics = Mnemonics(loads=r"pop(\.b)?", stores=r"push(\.b)?", branches=r"j\w+|call|reti?|br")
    clang_target = "msp430-elf"
    felics_part = "MSP"
    hint = "`pennyweight toolchain build msp430`"
    recipe = MSP430_GCC

    def locate(self) -> Path | None:
        """The one built by Pennyweight first: its version is known, that on PATH is not."""
        built = building.find(MSP430_GCC)
        if built is not None:
            return built
        found = which("msp430-elf-gcc")
        return Path(found) if found else None

    def library_headers(self, firmware: Path) -> tuple[Path, ...]:
        """Pennyweight's headers: the compiler only has those of a freestanding one."""
        return (firmware / "libc" / "include",)

    def library_sources(self, firmware: Path) -> tuple[Path, ...]:
        """Pennyweight's C library."""
        return own_libc(firmware)

    def link_arguments(self, board: Board, firmware: Path) -> list[str]:
        """One linker script for all parts: the memories are from the board file."""
        return [
            "-nostdlib",
            "-T",
            str(firmware / self.firmware / "link.ld"),
            f"-Wl,--defsym=pw_flash_base={board.flash.base:#x}",
            f"-Wl,--defsym=pw_ram_base={board.ram.base:#x}",
            f"-Wl,--defsym=pw_ram_end={board.ram.end:#x}",
            "-Wl,--no-check-sections",
            "-Wl,--start-group",
            f"-l{_MULTIPLIER[board.core_file.file.instruction_set]}",
            "-lgcc",
            "-Wl,--end-group",
        ]

    def for_assembly(self, flags: tuple[str, ...], folder: Path) -> tuple[str, ...]:
        """In this configuration, the driver does not pass `-g` on, and line numbers would be
        missing.
        """
        options = ("-g", f"--debug-prefix-map={folder}=.")
        return tuple(word for option in options for word in ("-Xassembler", option))

    def libraries(self) -> tuple[str, ...]:
        """Arithmetic that the CPU lacks; multiplications use the hardware multiplier."""
        return ("libgcc.a", *(f"lib{name}.a" for name in _MULTIPLIER.values()))
