"""The compiler families by name. A new family is a file in this folder and a line here."""

from __future__ import annotations

from pennyweight.toolchains.arm_none_eabi_gcc import ArmNoneEabiGcc
from pennyweight.toolchains.avr_gcc import AvrGcc
from pennyweight.toolchains.base import Family
from pennyweight.toolchains.mipsel_linux_gnu_gcc import MipselLinuxGnuGcc
from pennyweight.toolchains.msp430_elf_gcc import Msp430ElfGcc
from pennyweight.toolchains.riscv64_unknown_elf_gcc import Riscv64UnknownElfGcc
from pennyweight.toolchains.xtensa_lx6 import XtensaLx6
from pennyweight.toolchains.xtensa_lx106_elf_gcc import XtensaLx106ElfGcc

FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        AvrGcc(),
        ArmNoneEabiGcc(),
        Riscv64UnknownElfGcc(),
        Msp430ElfGcc(),
        XtensaLx106ElfGcc(),
        XtensaLx6(),
        MipselLinuxGnuGcc(),
    )
}
