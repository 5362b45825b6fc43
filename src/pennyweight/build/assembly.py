"""Finds the machine that a package's assembly is written for, after a failed build.

The machine is recognised by instructions, directives and headers that only it has. Guarded assembly
(`#if defined(__AVR__)`) builds everywhere; it is examined when a symbol is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pennyweight.build.contents import beginning_of
from pennyweight.build.failure import BuildError
from pennyweight.build.sources import ASSEMBLY_SUFFIXES, Sources
from pennyweight.catalogue.boards import Board
from pennyweight.model import Status, printable
from pennyweight.toolchains import FAMILIES
from pennyweight.toolchains.base import Family

_FROM_ASSEMBLY = re.compile(
    r"(?:^|\s)Error: |'asm'|(?:avr|xtensa)/\w+\.h|(?:mm|x86)intrin\.h|altivec\.h|"
    r"arm_neon\.h|arm_acle"
)
"""Compiler messages that point to assembly or headers for another machine."""

_LARGER_ARM = re.compile(
    r"register required|selected processor does not support|not supported in Thumb16|"
    r"cannot honor width suffix|instruction not supported|lo register required"
)
"""Assembler messages for Thumb-2 code on Armv6-M."""

_LARGER_RISCV = re.compile(r"unrecognized opcode .* extension (?P<extension>.*) required")
_LARGER_AVR = re.compile(r"illegal opcode .* for mcu")
_FLOATING_POINT = re.compile(
    r"[`'](?:v[a-z]+\.[fF](?:16|32|64)|v(?:ldr|str|ldm|stm|push|pop|mov|mrs|msr)\w*)\b"
    r"|does not support VFP|selected FPU does not support"
)
"""Arm instructions of the floating-point unit, in the assembler's messages."""
_UPPER_REGISTER = re.compile(
    r"illegal operands [`'][^'\n]*\b(?P<register>a[67]|s[2-9]|s1[01]|t[3-6]|x1[6-9]|x2\d|x3[01])\b"
)
"""The assembler's message for a register that RV32E lacks."""
_RV32E = "rv32e"
_OF_ESPRESSIF = re.compile(r"xtensa/\w+\.h: No such file")

_PLACE = re.compile(r"(?P<file>[^\s:]+):(?P<line>\d+):(?:\d+:)? Error: ")
"""Where the assembler found an error."""
_QUOTED = re.compile(r"`([^'\n]+)'")
"""The instruction in its message."""
_QUOTED_WORD = re.compile(r"[`'](\w+)'")
_LINE_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|//.*|;.*")
_LONGEST_LINE = 80

_NO_SYMBOL = re.compile(r"^no source defines the symbol ")
_NO_REGISTERS = "'asm' operand has impossible constraints"

_INCLUDE = re.compile(r"[ \t]*#[ \t]*include\b")
_INLINE = re.compile(r"\b(?:__asm__|__asm|asm)\b")
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\n]*", re.DOTALL)

_OTHERS = {
    "x86": r"%[re][abcds][xip]\b|\bvp?xor\w*|(?:mm|x86)intrin\.h|\bmovdq|_mm\d*_",
    "PowerPC": r"\bstwu\b|\bmflr\b|\blwz\b|\baltivec\.h",
}
"""Patterns of the assembly of machines without boards; those of the others are in their families.
"""
_OTHER_MACROS = {"__x86_64__": "x86"}
"""The predefined macros of compilers for them."""

_NEON = re.compile(r"\.fpu\s+neon|arm_neon\.h|\bv(?:eor|and|orr|bic|mvn)\s+[dq]\d")
"""Arm's vector instructions, which microcontroller cores do not have."""
_ASKS_FOR_NEON = "__ARM_NEON"


def for_another_machine(
    failure: BuildError, sources: Sources, family: Family, board: Board
) -> BuildError:
    """The same failure, or `skipped` if the package's assembly is not for the board's core."""
    own, core = family.machine, board.core
    if _NO_SYMBOL.search(failure.reason):
        return _guarded(failure, sources, own)
    if _NO_REGISTERS in failure.reason:
        remark = "the assembly needs more registers than this version of the compiler provides"
        return BuildError(failure.status, f"{failure.reason} ({remark})")
    if not _FROM_ASSEMBLY.search(failure.reason):
        return failure
    lacking = _lacking(failure.reason, own, core, board.core_file.file.instruction_set)
    if lacking is not None:
        return BuildError(Status.SKIPPED, _sentence(lacking, failure.reason, sources))
    found = machine_of(sources)
    if found is None:
        return failure
    machine, where = found
    if machine == "Arm" == own and (vectors := _for_vectors(sources)):
        reason = f"its assembly is for Arm with NEON ({vectors})"
        return BuildError(Status.SKIPPED, f"{reason}: {failure.reason}")
    if own == "Arm" and _LARGER_ARM.search(failure.reason):
        machine = "Arm"
    if machine != own:
        reason = f"its assembly is for {machine} ({where})"
    elif machine == "Arm" and _LARGER_ARM.search(failure.reason):
        reason = f"its assembly is for a larger Arm core than the {core} ({where})"
    elif machine == "Xtensa" and _OF_ESPRESSIF.search(failure.reason):
        reason = (
            f"its assembly needs headers of Espressif's compiler, xtensa-esp32-elf-gcc ({where})"
        )
    else:
        return failure
    return BuildError(Status.SKIPPED, f"{reason}: {failure.reason}")


@dataclass(frozen=True, slots=True)
class _Lacking:
    """What a core lacks: the end of a sentence that begins with the instruction, and the remedy."""

    what: str
    remedy: str


def _lacking(message: str, own: str, core: str, instruction_set: str) -> _Lacking | None:
    """What a core lacks by the assembler's message; `None` if the message does not say."""
    replace = "replace it, or choose a board with another core"
    if own == "AVR" and _LARGER_AVR.search(message):
        return _Lacking(f"is for a larger AVR core than the {core}", replace)
    if own == "RISC-V" and (found := _LARGER_RISCV.search(message)):
        extension = _QUOTED_WORD.sub(r"\1", found["extension"])
        return _Lacking(f"is of the extension {extension}, which the {core} does not have", replace)
    if instruction_set == _RV32E and (found := _UPPER_REGISTER.search(message)):
        what = f"uses the register {found['register']}, which RV32E does not have"
        return _Lacking(what, "use x0 to x15 only, or choose a board with RV32I")
    if own == "Arm" and _FLOATING_POINT.search(message):
        what = "uses the floating-point unit, which is not simulated"
        return _Lacking(what, "use integer instructions")
    return None


def _sentence(lacking: _Lacking, message: str, sources: Sources) -> str:
    """File, line and instruction, as far as the assembler's message has them; what the core lacks,
    and the remedy.
    """
    place = _PLACE.match(message)
    instruction = _instruction(message) or (_line(sources, place) if place else "")
    subject = f"'{instruction}'" if instruction else "its assembly"
    where = f"{place['file']}:{place['line']}: " if place else ""
    return f"{where}{subject} {lacking.what}; {lacking.remedy}"


def _instruction(message: str) -> str:
    """The instruction in an assembler's message; empty for an AVR's: for `mul r24, r22` that
    assembler prints `illegal opcode or`.
    """
    found = _QUOTED.search(message)
    return found[1] if found else ""


def _line(sources: Sources, place: re.Match[str]) -> str:
    """The line of a source without its comment; empty if it cannot be read."""
    path = sources.folder / place["file"]
    if not path.is_file():
        return ""
    lines = beginning_of(path).decode("utf-8", errors="replace").splitlines()
    text = lines[int(place["line"]) - 1 : int(place["line"])]
    return printable(" ".join(_LINE_COMMENT.sub("", "".join(text)).split()))[:_LONGEST_LINE]


def _patterns() -> dict[str, str]:
    """A pattern for each machine's assembly."""
    return {each.machine: each.assembly for each in FAMILIES.values()} | _OTHERS


def _guards() -> dict[str, str]:
    """The predefined macros of compilers, and the machines that they build for."""
    own = {macro: each.machine for each in FAMILIES.values() for macro in each.macros}
    return own | _OTHER_MACROS


def _condition_on(macros: Iterable[str]) -> re.Pattern[str]:
    """What a file begins with whose assembly is in a condition on one of the macros."""
    return re.compile(
        rf"\A\s*+#\s*+if(?:def)?\s++(?:defined\s*+\(?\s*+)?(?P<macro>{'|'.join(macros)})\b"
    )


def _guarded(failure: BuildError, sources: Sources, own: str) -> BuildError:
    """Handles a missing symbol whose definition may be in assembly that is disabled on this
    machine.
    """
    guards = _guards()
    condition = _condition_on(guards)
    for name in sources.compiled:
        if not name.endswith(ASSEMBLY_SUFFIXES):
            continue
        guard = condition.search(_read(sources.folder / name))
        machine = guards[guard["macro"]] if guard else own
        if machine != own:
            return BuildError(
                Status.SKIPPED, f"its assembly is for {machine} ({name}): {failure.reason}"
            )
    return failure


def _for_vectors(sources: Sources) -> str | None:
    """The first file with Arm's vector instructions that are not in a condition."""
    found = _assembly(sources)
    if any(_ASKS_FOR_NEON in _read(sources.folder / name) for name, _ in found):
        return None
    return next((name for name, text in found if _NEON.search(text)), None)


def machine_of(sources: Sources) -> tuple[str, str] | None:
    """The machine that most of a package's assembly is for, and the first such file."""
    counts: dict[str, int] = {}
    shown: dict[str, str] = {}
    patterns = _patterns()
    for name, text in _assembly(sources):
        for machine, pattern in patterns.items():
            hits = len(re.findall(pattern, text))
            if hits:
                counts[machine] = counts.get(machine, 0) + hits
                shown.setdefault(machine, name)
    if not counts:
        return None
    most = max(counts, key=lambda machine: (counts[machine], machine))
    return most, shown[most]


def _assembly(sources: Sources) -> list[tuple[str, str]]:
    """The assembly in a package by file: complete assembly sources, and inline assembly in C."""
    headers = sorted(path.name for path in sources.folder.glob("*.h"))
    found = []
    for name in dict.fromkeys((*sources.compiled, *headers)):
        text = _read(sources.folder / name)
        if name.endswith(ASSEMBLY_SUFFIXES):
            found.append((name, text))
        else:
            inline = "\n".join(_inline(text))
            includes = "\n".join(line for line in text.splitlines() if _INCLUDE.match(line))
            found.append((name, f"{inline}\n{includes}"))
    return found


def _inline(text: str) -> Iterator[str]:
    """The assembly statements of C, from the keyword on."""
    for statement in text.split(";")[:-1]:
        word = _INLINE.search(statement)
        if word is not None and "(" in statement:
            yield statement[word.start() :]


def _read(path: Path) -> str:
    return _COMMENT.sub(" ", beginning_of(path).decode("utf-8", errors="replace"))
