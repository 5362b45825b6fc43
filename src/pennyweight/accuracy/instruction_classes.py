"""Sorts instructions into classes by what determines their time."""

from __future__ import annotations

import re
from collections.abc import Iterable

LOADS, STORES, MULTIPLIES, BRANCHES, OTHER = (
    "loads",
    "stores",
    "multiplications and divisions",
    "branches and calls",
    "arithmetic and logic",
)

CLASSES = (LOADS, STORES, MULTIPLIES, BRANCHES, OTHER)

MECHANISMS = {
    LOADS: "wait states of data reads from flash or RAM, load-use delays",
    STORES: "write buffers and bus contention",
    MULTIPLIES: "the multiplier's latency",
    BRANCHES: "refills of the pipeline, fetches of branch targets from flash",
    OTHER: "fetches of straight-line code: wait states, prefetch, instruction cache",
}
"""The timing rules that an error in each class points to."""

_PATTERNS = {
    "avr": {
        LOADS: r"ld|ldd|lds|e?lpm|pop",
        STORES: r"st|std|sts|push",
        MULTIPLIES: r"f?mul(s|su)?",
        BRANCHES: r"e?i?r?(jmp|call)|reti?|br..|cpse|sb[ir][cs]",
    },
    "cortex-m": {
        LOADS: r"ld[amr].*|pop",
        STORES: r"st[lmr].*|push",
        MULTIPLIES: r"muls?|ml[as]|[us]m(ul|la|lal|laxy|ulxy|lsl).*|umaal|[us]div",
        BRANCHES: r"bl?x?|b(eq|ne|cs|cc|hs|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)|cbn?z|tb[bh]",
    },
    # Any operand of an MSP430's instruction may be in memory, which its name does not show.
    "msp430": {
        LOADS: r"pop(\.b)?",
        STORES: r"push(\.b)?",
        BRANCHES: r"j\w+|call|reti?|br",
    },
    "riscv": {
        LOADS: r"l[bhw]u?|lr\.w",
        STORES: r"s[bhw]|sc\.w",
        MULTIPLIES: r"(mul|div|rem).*",
        BRANCHES: r"b(eq|ne|lt|ge|gt|le)u?z?|jr?|jalr?|ret|call",
    },
    "xtensa": {
        LOADS: r"l(8u|16[us]|32)i|l32[er]|ld(inc|dec)",
        STORES: r"s(8|16|32)i|s32(e|c1i)",
        MULTIPLIES: r"u?mul|mul(16[su]|l|uh|sh|a|s)|(quo|rem)[su]",
        BRANCHES: r"b(eq|ne)[iz]?|b(lt|ge)(u?i|u|z)?|b(any|none|n?all|b[cs]i?|[tf])"
        r"|jx?|callx?\d+|entry|retw?|loop(nez|gtz)?",
    },
    # MFHI and MFLO wait for the result of a multiplication or division.
    "mips": {
        LOADS: r"l[bh]u?|lw([lr]|pc)?|ll|restore",
        STORES: r"s[bhw]|sw[lr]|sc|save",
        MULTIPLIES: r"mul|multu?|m(add|sub)u?|divu?|m[ft](hi|lo)",
        BRANCHES: r"b|b(eq|ne)l?|b(lez|gtz|ltz|gez)(al)?l?|bt?(eq|ne)z|j(al)?[rx]?c?",
    },
}
"""Mnemonics as the simulators print them, by the family's folder in `firmware/`."""


def shares(family: str, mix: Iterable[tuple[str, int, int]]) -> dict[str, float]:
    """The fraction of cycles in each class, from (mnemonic, executions, cycles)."""
    found = dict.fromkeys(CLASSES, 0)
    for name, _, cycles in mix:
        found[_class_of(family, name)] += cycles
    total = max(1, sum(found.values()))
    return {name: cycles / total for name, cycles in found.items()}


def _class_of(family: str, name: str) -> str:
    for which, pattern in _PATTERNS[family].items():
        if re.fullmatch(pattern, name.lower()):
            return which
    return OTHER
