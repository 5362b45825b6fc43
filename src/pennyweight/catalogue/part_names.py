"""How much flash a part has, and which instruction set, by its order name."""

from __future__ import annotations

import re

_STM32_KB = {
    **{"3": 8, "4": 16, "5": 24, "6": 32, "8": 64, "B": 128, "Z": 192, "C": 256, "D": 384},
    **{"E": 512, "F": 768, "G": 1024, "H": 1536, "I": 2048},
}
"""Flash by the letter after that of the pins (STM32 data sheets, "Ordering information")."""

_STM32 = re.compile(r"STM32[CFGHLU][0-9A-Z]{3}[A-Z](?P<code>[0-9A-Z])\w*", re.IGNORECASE)
_SAM = re.compile(r"ATSAM[CDEL]\d\d[A-Z](?P<bits>1[3-9]|20)\w*", re.IGNORECASE)
_MEGABYTES = re.compile(r"PIC32M[XZ]\d+F(?P<kb>\d+)\w+", re.IGNORECASE)
_AVR = re.compile(r"AVR(?P<kb>8|16|32|64|128)[DE]\w+", re.IGNORECASE)
_TINY = re.compile(r"ATtiny(?P<kb>16|32|1|2|4|8)\d*\w*", re.IGNORECASE)
_MEGA = re.compile(r"ATmega(?P<kb>48(?=0)|40(?=6)|256|128|64|32|16|8|4)\d*\w*", re.IGNORECASE)


def flash_of(part: str) -> int | None:
    """Bytes of flash in the name; `None` if it does not state them."""
    part = part.partition("-")[0]  # without package and grade
    if found := _STM32.fullmatch(part):
        kb = _STM32_KB.get(found["code"].upper())
        return kb * 1024 if kb is not None else None
    if found := _SAM.fullmatch(part):
        return int(1 << int(found["bits"]))
    for pattern in (_MEGABYTES, _AVR, _TINY, _MEGA):
        if found := pattern.fullmatch(part):
            return int(found["kb"]) * 1024
    return None


_SETS = (
    (r"STM32[CFGL]0|nRF51|RP2040|ATSAM[CDL]2", "armv6-m"),
    (r"STM32(?:F[12]|L1)|ATSAM3", "armv7-m"),
    (r"STM32(?:F[34]|[GL]4)|nRF52|ATSAM[DE]5", "armv7e-m"),
    (r"STM32(?:H5|L5|U[35])|nRF(?:53|91)", "armv8-m.main"),
)
"""Instruction sets by the beginning of the name, where all parts of a series have the same (ST's,
Nordic's, Raspberry Pi's and Microchip's product pages). RP2350 is missing because it has two.
"""


def instruction_set_of(part: str) -> str | None:
    """The instruction set of a part's core; `None` if the name does not state it."""
    for beginning, name in _SETS:
        if re.match(beginning, part, re.IGNORECASE):
            return name
    return None
