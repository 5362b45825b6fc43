"""arm-none-eabi-gcc, as packaged by Debian, with newlib-nano."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from pennyweight.catalogue.boards import Board
from pennyweight.toolchains.base import Family, Mnemonics
from pennyweight.toolchains.command import which

_RUST = {
    "__ARM_ARCH_6M__": "thumbv6m-none-eabi",
    "__ARM_ARCH_7M__": "thumbv7m-none-eabi",
    "__ARM_ARCH_7EM__": "thumbv7em-none-eabi",
    "__ARM_ARCH_8M_MAIN__": "thumbv8m.main-none-eabi",
}
"""Rust's targets by the C compiler's architecture macro."""


class ArmNoneEabiGcc(Family):
    """GNU C for Cortex-M, with Pennyweight's start-up code and linker script."""

    name = "arm-none-eabi-gcc"
    firmware = "cortex-m"
    short = "arm"
    machine = "Arm"
    dumpmachine = r"arm-(none|[\w]+-none)-eabi"
    macros = ("__arm__", "__thumb__")
    assembly = (
        r"\.syntax\s+unified|\.thumb\b|\bbx\s+lr\b|\bldmia|\bstm(?:ia|db)|\bpush\s*\{"
        r"|\bldr[bhd]?(?:\.w)?\s+r\d+\s*,|\bstr[bhd]?(?:\.w)?\s+r\d+\s*,|\bubfx|\bmovs\s|\blsrs\s"
        r"|\b(?:eor|orr|and|bic)s?(?:\.w)?\s+r\d+\s*,\s*r\d+\s*,|\beors?(?:\.w)?\s+%|\bbics?\s+%"
        r"|arm_acle|arm_neon|\.fpu\s+\w|\bv(?:ldm|stm|eor|mvn)\s"
    )
    architectures = frozenset(("arm", "armeabi", "thumb"))
    jumps_to_itself = (b"\xfe\xe7",)  # b .
    mnemonics = Mnemonics(
        loads=r"ld[amr].*|pop",
        stores=r"st[lmr].*|push",
        multiplications=r"muls?|ml[as]|[us]m(ul|la|lal|laxy|ulxy|lsl).*|umaal|[us]div",
        branches=r"bl?x?|b(eq|ne|cs|cc|hs|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)|cbn?z|tb[bh]",
    )
    clang_target = "arm-none-eabi"
    # GCC's default for these parts (ARM Options, -mfloat-abi), and the size of enumerations in the
    # ABI that newlib is built for (AAPCS, section "Enumerated types").
    clang_flags = ("-mfloat-abi=soft", "-fshort-enums")
    felics_part = "ARM"
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

    def rust_target(
        self, macros: Mapping[str, str], flags: tuple[str, ...]
    ) -> tuple[str, str] | None:
        """That of the architecture, and LLVM's name of the processor."""
        target = next((_RUST[macro] for macro in _RUST if macro in macros), None)
        if target is None:
            return None
        named = [flag for flag in flags if flag.startswith("-mcpu=")]
        cpu = named[-1].removeprefix("-mcpu=") if named else ""
        # GCC's names may end in the size of the multiplier or in an extension, LLVM's do not.
        return target, re.split(r"[.+]", cpu)[0]
