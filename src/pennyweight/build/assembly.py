"""Finds the machine that a package's assembly is written for, after a failed build.

The machine is recognised by instructions, directives and headers that only it has. Guarded assembly
(`#if defined(__AVR__)`) builds everywhere; it is examined when a symbol is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from pennyweight.build.contents import beginning_of
from pennyweight.build.failure import BuildError
from pennyweight.build.sources import ASSEMBLY_SUFFIXES, Sources
from pennyweight.model import Status

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

_LARGER_RISCV = re.compile(r"unrecognized opcode .* extension .* required")
_LARGER_AVR = re.compile(r"illegal opcode .* for mcu")
_OF_ESPRESSIF = re.compile(r"xtensa/\w+\.h: No such file")

_NO_SYMBOL = re.compile(r"^no source defines the symbol ")
_NO_REGISTERS = "'asm' operand has impossible constraints"

_GUARDS = {
    "__AVR__": "AVR",
    "__arm__": "Arm",
    "__thumb__": "Arm",
    "__riscv": "RISC-V",
    "__XTENSA__": "Xtensa",
    "__x86_64__": "x86",
    "__MSP430__": "MSP430",
    "__mips__": "MIPS",
}
"""The predefined macro of a compiler, and the machine that it builds for."""
_GUARD = re.compile(
    rf"\A\s*+#\s*+if(?:def)?\s++(?:defined\s*+\(?\s*+)?(?P<macro>{'|'.join(_GUARDS)})\b"
)
"""Assembly in a condition on its machine."""

_INCLUDE = re.compile(r"[ \t]*#[ \t]*include\b")
_INLINE = re.compile(r"\b(?:__asm__|__asm|asm)\b")
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\n]*", re.DOTALL)

_MACHINES = {
    "AVR": r"\b(?:ldi|lpm|rjmp|rcall|brne|adiw|sbiw|cpc|mulsu)\s"
    r"|\bmovw\s+r\d+\s*,\s*r\d+|\bld\s+r\d+\s*,\s*-?[XYZ]|\bst\s+-?[XYZ]\+?\s*,"
    r"|avr/io\.h|avr/pgmspace\.h",
    "Arm": r"\.syntax\s+unified|\.thumb\b|\bbx\s+lr\b|\bldmia|\bstm(?:ia|db)|\bpush\s*\{"
    r"|\bldr[bhd]?(?:\.w)?\s+r\d+\s*,|\bstr[bhd]?(?:\.w)?\s+r\d+\s*,|\bubfx|\bmovs\s|\blsrs\s"
    r"|\b(?:eor|orr|and|bic)s?(?:\.w)?\s+r\d+\s*,\s*r\d+\s*,|\beors?(?:\.w)?\s+%|\bbics?\s+%"
    r"|arm_acle|arm_neon|\.fpu\s+\w|\bv(?:ldm|stm|eor|mvn)\s",
    "RISC-V": r"\bsltu\b|\bsrli\b|\bslli\b|\bxori\b|\blw\s+[ats]\d|\bsw\s+[ats]\d|\baddi\s",
    "Xtensa": r"xtensa/\w+\.h|\bl32i|\bs32i|\bentry\s+(?:a1|sp)|\bretw|\bextui|\bssai\b",
    "x86": r"%[re][abcds][xip]\b|\bvp?xor\w*|(?:mm|x86)intrin\.h|\bmovdq|_mm\d*_",
    "MSP430": r"\bpushm|\brrax|\bbis\.[bw]|\bxor\.[bw]|\bmov\.[bw]\s+[@#&]|\bclrc\b",
    "PowerPC": r"\bstwu\b|\bmflr\b|\blwz\b|\baltivec\.h",
    "MIPS": r"\$(?:t|a|s|v)\d\b|\bjr\s+\$ra|\baddiu\b",
}
_NEON = re.compile(r"\.fpu\s+neon|arm_neon\.h|\bv(?:eor|and|orr|bic|mvn)\s+[dq]\d")
"""Arm's vector instructions, which microcontroller cores do not have."""
_ASKS_FOR_NEON = "__ARM_NEON"

_PATTERNS = {name: re.compile(pattern) for name, pattern in _MACHINES.items()}

_FAMILIES = {
    "avr-gcc": "AVR",
    "arm-none-eabi-gcc": "Arm",
    "riscv64-unknown-elf-gcc": "RISC-V",
    "msp430-elf-gcc": "MSP430",
    "xtensa-lx106-elf-gcc": "Xtensa",
    "xtensa-lx6": "Xtensa",
    "mipsel-linux-gnu-gcc": "MIPS",
}
"""The machine of a compiler family."""


def for_another_machine(
    failure: BuildError, sources: Sources, family: str, core: str
) -> BuildError:
    """The same failure, or `skipped` if the package's assembly is not for this core."""
    if _NO_SYMBOL.search(failure.reason):
        return _guarded(failure, sources, _FAMILIES.get(family, ""))
    if _NO_REGISTERS in failure.reason:
        remark = "the assembly needs more registers than this version of the compiler provides"
        return BuildError(failure.status, f"{failure.reason} ({remark})")
    if not _FROM_ASSEMBLY.search(failure.reason):
        return failure
    if _FAMILIES.get(family) == "AVR" and _LARGER_AVR.search(failure.reason):
        reason = f"its assembly is for a larger AVR core than the {core}"
        return BuildError(Status.SKIPPED, f"{reason}: {failure.reason}")
    found = machine_of(sources)
    if found is None:
        return failure
    machine, where = found
    if machine == "Arm" == _FAMILIES.get(family) and (vectors := _for_vectors(sources)):
        reason = f"its assembly is for Arm with NEON ({vectors})"
        return BuildError(Status.SKIPPED, f"{reason}: {failure.reason}")
    if _FAMILIES.get(family) == "Arm" and _LARGER_ARM.search(failure.reason):
        machine = "Arm"
    if machine != _FAMILIES.get(family):
        reason = f"its assembly is for {machine} ({where})"
    elif machine == "Arm" and _LARGER_ARM.search(failure.reason):
        reason = f"its assembly is for a larger Arm core than the {core} ({where})"
    elif machine == "RISC-V" and _LARGER_RISCV.search(failure.reason):
        reason = f"its assembly is for a larger RISC-V core than the {core} ({where})"
    elif machine == "Xtensa" and _OF_ESPRESSIF.search(failure.reason):
        reason = (
            f"its assembly needs headers of Espressif's compiler, xtensa-esp32-elf-gcc ({where})"
        )
    else:
        return failure
    return BuildError(Status.SKIPPED, f"{reason}: {failure.reason}")


def _guarded(failure: BuildError, sources: Sources, own: str) -> BuildError:
    """Handles a missing symbol whose definition may be in assembly that is disabled on this
    machine.
    """
    for name in sources.compiled:
        if not name.endswith(ASSEMBLY_SUFFIXES):
            continue
        guard = _GUARD.search(_read(sources.folder / name))
        machine = _GUARDS[guard["macro"]] if guard else own
        if machine != own:
            return BuildError(
                Status.SKIPPED, f"its assembly is for {machine} ({name}): {failure.reason}"
            )
    return failure


def machine_for(family: str) -> str:
    """The machine that a family of compilers builds for."""
    return _FAMILIES[family]


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
    for name, text in _assembly(sources):
        for machine, pattern in _PATTERNS.items():
            hits = len(pattern.findall(text))
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
