"""Explains undefined instructions whose encoding shows what the core lacks."""

from __future__ import annotations

import re

_UNDEFINED = re.compile(r"undefined instruction (?P<code>0x[0-9a-f]{8})")
_OF_BASE = 'of the extension "i", which the core lacks'


def explained(message: str, machine: str) -> str:
    """A simulator's message, with what is missing in words. `machine` is the compiler family's."""
    if machine == "RISC-V":
        return message.replace(_OF_BASE, "with a register above x15, which RV32E does not have")
    found = _UNDEFINED.search(message) if machine == "Arm" else None
    if found is not None and _is_floating_point(int(found["code"], 16)):
        return message.replace(found[0], f"floating-point instruction {found['code']}") + (
            ": the floating-point unit is not simulated"
        )
    return message


def _is_floating_point(code: int) -> bool:
    """Whether a 32-bit instruction is for coprocessor 10 or 11, the floating-point extension
    (Armv7-M Architecture Reference Manual, DDI 0403E, A5.3.18 and chapter A6).
    """
    return code >> 26 & 0b111011 == 0b111011 and code >> 9 & 0b111 == 0b101
