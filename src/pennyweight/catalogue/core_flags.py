"""The compiler flags of a board file select its part and core.

A compiler accepts any part that it knows, and the image of another part may even run: the figures
would then belong to no board. The flags that select a core are in the core's file; they come from
GCC's manual ("AVR Options", "ARM Options", "MSP430 Options", "RISC-V Options", "MIPS Options").
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pennyweight.catalogue.cores import CoreFile, Selection
from pennyweight.catalogue.flags import check_steering

_PART, _ISA = "{part}", "{isa}"

_TOOLCHAINS = {
    "arm": ("arm-none-eabi-gcc",),
    "avr": ("avr-gcc",),
    "mips": ("mipsel-linux-gnu-gcc",),
    "msp430": ("msp430-elf-gcc",),
    "rv32": ("riscv64-unknown-elf-gcc",),
    "xtensa": ("xtensa-lx106-elf-gcc", "xtensa-lx6"),
}
"""The compilers for instruction sets whose names begin so."""


def wrong_toolchain(toolchain: str, core: CoreFile) -> str | None:
    """Why a compiler is not for a core, with the remedy, for the end of a sentence."""
    own = next((each for each, names in _TOOLCHAINS.items() if toolchain in names), None)
    if own is None or core.instruction_set.startswith(own):
        return None
    right = next(
        (names for each, names in _TOOLCHAINS.items() if core.instruction_set.startswith(each)), ()
    )
    remedy = f"give {' or '.join(map(repr, right))}, or " if right else ""
    return (
        f"'{toolchain}' does not compile for {core.instruction_set}, the instruction set of the "
        f"core '{core.name}'; {remedy}correct 'core'"
    )


def contradiction(
    flags: Sequence[str], part: str, core: CoreFile, extensions: Sequence[str]
) -> str | None:
    """What is wrong with a board's flags, with the remedy, for the end of a sentence.

    `None` if nothing is. Of a flag that is given twice, the last counts, as for the compiler.
    """
    for flag in flags:
        problem = check_steering(flag)
        if problem is not None:
            return problem
    selections = core.compiler.select
    given = {name: value for name, _, value in (flag.partition("=") for flag in flags)}
    for selection in selections:
        if selection.flag in given:
            wrong = _wrong(selection, given[selection.flag], part, core, extensions)
            if wrong is not None:
                return wrong
    if not selections or any(selection.flag in given for selection in selections):
        return None
    first = selections[0]
    what = {_PART: "the part", _ISA: "the instruction set"}.get(first.values[0], "the core")
    return f"nothing selects {what}; add '{first.flag}={_first(first, part, core, extensions)}'"


def _first(selection: Selection, part: str, core: CoreFile, extensions: Sequence[str]) -> str:
    """The value to recommend."""
    value = selection.values[0]
    return value.replace(_PART, _order_name(part)).replace(_ISA, _isa(core, extensions))


def _wrong(
    selection: Selection, value: str, part: str, core: CoreFile, extensions: Sequence[str]
) -> str | None:
    """What is wrong with a flag's value, or `None`."""
    written, right = f"'{selection.flag}={value}'", _first(selection, part, core, extensions)
    remedy = f"write '{selection.flag}={right}'"
    if _ISA in selection.values:
        if _is_subset(value, core, extensions):
            return None
        other = ", or correct 'core.extensions'" if core.optional else ""
        return f"{written} has instructions that are not in the core '{core.name}'; {remedy}{other}"
    plain = value.partition("+")[0]
    if plain in (each.replace(_PART, _order_name(part)) for each in selection.values):
        return None
    if _PART in selection.values:
        return (
            f"{written} selects a different part from the field 'part', '{part}'; {remedy}, or "
            "correct 'part'"
        )
    return (
        f"{written} selects a different core from the field 'core', '{core.name}'; {remedy}, or "
        "correct 'core'"
    )


def _order_name(part: str) -> str:
    """The part as compilers name it: without the suffix for package and temperature."""
    return part.casefold().partition("-")[0]


def _letters(core: CoreFile) -> str:
    """A RISC-V core's extensions of one letter, the base's first."""
    base = core.instruction_set.removeprefix("rv32")
    return base + "".join(each for each in core.extensions if len(each) == 1)


def _isa(core: CoreFile, extensions: Sequence[str]) -> str:
    """The instruction set to recommend for `-march`."""
    return "_".join(["rv32" + _letters(core), *extensions])


def _is_subset(march: str, core: CoreFile, extensions: Sequence[str]) -> bool:
    """Has the core all of the extensions of a `-march`?"""
    base, *more = march.split("_")
    letters = re.fullmatch(r"rv32([a-z]+)", base)
    has = {*core.extensions, *extensions}
    return letters is not None and set(letters[1]) <= set(_letters(core)) and set(more) <= has
