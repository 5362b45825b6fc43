"""The compiler flags of a board file: those that select the part agree with its part and core.

A compiler takes any part that it knows, and the image of another part may even run: the figures
would be those of no board at all. What a core needs is a fact of the compilers' manuals ("AVR
Options", "ARM Options", "MSP430 Options", "RISC-V Options", "MIPS
Options" of GCC's).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from pennyweight.catalogue.flags import check_steering

_AVR_ARCHITECTURES: Mapping[str, tuple[str, ...]] = {
    "avre+": ("avr4", "avr5", "avr51", "avr6"),
    "avrxt": ("avrxmega2", "avrxmega3", "avrxmega4"),
}
_ARM_ARCHITECTURES: Mapping[str, tuple[str, ...]] = {
    "cortex-m0": ("armv6-m", "armv6s-m"),
    "cortex-m0plus": ("armv6-m", "armv6s-m"),
    "cortex-m3": ("armv7-m",),
    "cortex-m4": ("armv7e-m",),
}
_MIPS_ARCHITECTURES: Mapping[str, tuple[str, ...]] = {"m4k": ("m4k", "mips32r2")}
_RISCV_EXTENSIONS: Mapping[str, str] = {"sifive-e31": "imac", "sifive-e31-g000": "imac"}


def what_contradicts(
    flags: Sequence[str], part: str, core: str, extensions: Sequence[str]
) -> str | None:
    """The problem with a board's flags and its remedy, as the end of a sentence.

    `None` if there is no problem. If a flag is repeated, the last one counts, as in the compiler.
    Flags for unknown cores are not checked here.
    """
    for flag in flags:
        problem = check_steering(flag)
        if problem is not None:
            return problem
    given = {name: value for name, _, value in (flag.partition("=") for flag in flags)}
    check = next((check for known, check in _CHECKS if core in known), None)
    return check(given, part, core, extensions) if check else None


def _avr(given: Mapping[str, str], part: str, core: str, _: Sequence[str]) -> str | None:
    name = part.casefold().partition("-")[0]
    selected = given.get("-mmcu")
    if selected is None:
        return f"nothing selects the part; add '-mmcu={name}'"
    if selected in (name, *_AVR_ARCHITECTURES[core]):
        return None
    return (
        f"'-mmcu={selected}' selects a different part from the field 'part', '{part}'; write "
        f"'-mmcu={name}', or correct 'part'"
    )


def _arm(given: Mapping[str, str], _: str, core: str, __: Sequence[str]) -> str | None:
    selected = given.get("-mcpu", "").partition("+")[0]
    if selected:
        if selected == core:
            return None
        return (
            f"'-mcpu={selected}' selects a different core from the field 'core.name', '{core}'; "
            f"write '-mcpu={core}', or correct 'core.name'"
        )
    architecture = given.get("-march", "").partition("+")[0]
    if architecture in _ARM_ARCHITECTURES[core]:
        return None
    if architecture:
        return f"'-march={architecture}' is not the architecture of a {core}; write '-mcpu={core}'"
    return f"nothing selects the core; add '-mcpu={core}'"


def _msp430(given: Mapping[str, str], part: str, core: str, _: Sequence[str]) -> str | None:
    selected, device = given.get("-mcpu"), given.get("-mmcu")
    if selected not in (None, core):
        return (
            f"'-mcpu={selected}' selects a different core from the field 'core.name', '{core}'; "
            f"write '-mcpu={core}', or correct 'core.name'"
        )
    if device not in (None, part.casefold()):
        return (
            f"'-mmcu={device}' selects a different part from the field 'part', '{part}'; write "
            f"'-mmcu={part.casefold()}', or correct 'part'"
        )
    if selected is None and device is None:
        return f"nothing selects the core; add '-mcpu={core}'"
    return None


def _riscv(given: Mapping[str, str], _: str, core: str, extensions: Sequence[str]) -> str | None:
    has = _RISCV_EXTENSIONS[core]
    right = "_".join(["rv32" + has, *extensions])
    selected = given.get("-march")
    if selected is None:
        return f"nothing selects the instruction set; add '-march={right}'"
    base, *more = selected.split("_")
    letters = re.fullmatch(r"rv32([a-z]+)", base)
    if letters is None or not set(letters[1]) <= set(has) or not set(more) <= set(extensions):
        return (
            f"'-march={selected}' has instructions that are not in the core '{core}'; write "
            f"'-march={right}', or correct 'core.extensions'"
        )
    return None


def _mips(given: Mapping[str, str], _: str, core: str, __: Sequence[str]) -> str | None:
    selected = given.get("-march")
    if selected is None:
        return f"nothing selects the instruction set; add '-march={core}'"
    if selected not in _MIPS_ARCHITECTURES[core]:
        return f"'-march={selected}' is not the architecture of a {core}; write '-march={core}'"
    return None


_Check = Callable[[Mapping[str, str], str, str, Sequence[str]], str | None]
_CHECKS: tuple[tuple[tuple[str, ...], _Check], ...] = (
    (tuple(_AVR_ARCHITECTURES), _avr),
    (tuple(_ARM_ARCHITECTURES), _arm),
    (("msp430",), _msp430),
    (tuple(_RISCV_EXTENSIONS), _riscv),
    (tuple(_MIPS_ARCHITECTURES), _mips),
)
