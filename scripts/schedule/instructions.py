"""Instructions as a disassembler prints them: registers, memory operands, and what must not move.

What an instruction reads and writes comes from the simulators, not from here. The text gives the
address of an access as a register and a constant, and shows two instructions to be the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

FLAGS = {"arm": range(16, 22), "riscv": range(0)}
"""Cells of the flags, as the simulators number them behind the registers."""

_ARM = {
    **{f"r{number}": number for number in range(16)},
    **{"sb": 9, "sl": 10, "fp": 11, "ip": 12, "sp": 13, "lr": 14, "pc": 15},
}
_RISCV = {
    **{f"x{number}": number for number in range(32)},
    **dict(zip(("zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2"), range(8), strict=True)),
    **{"fp": 8, "s0": 8, "s1": 9},
    **{f"a{number}": 10 + number for number in range(8)},
    **{f"s{number}": 16 + number for number in range(2, 12)},
    **{f"t{number}": 25 + number for number in range(3, 7)},
}
REGISTERS = {"arm": _ARM, "riscv": _RISCV}

_WORD = re.compile(r"\b[a-z][a-z0-9]*\b")
_RANGE = re.compile(r"\b(r\d+|s[bpl]|fp|ip)-(r\d+|s[bpl]|fp|ip|lr)\b")

_ARM_CONDITION = "(?:eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le|al)?"
_FIXED = {
    "arm": re.compile(
        rf"(?:b|bl|blx|bx|bxj){_ARM_CONDITION}$|cbn?z$|tb[bh]$|it(?:t|e)*$|"
        "(?:msr|mrs|svc|udf|bkpt|cps\\w*|dmb|dsb|isb|wf[ei]|sev|yield|ldrex\\w*|strex\\w*|clrex|"
        "lda\\w*|stl\\w*|v\\w+|mcr\\w*|mrc\\w*|cdp\\w*|ldc\\w*|stc\\w*|\\.\\w+)$"
    ),
    "riscv": re.compile(
        r"(?:b(?:eq|ne|lt|ge|ltu|geu|gt|le|gtu|leu)z?|j|jr|jal|jalr|ret|call|tail|auipc|"
        r"csr\w*|fence.*|ecall|ebreak|mret|wfi|lr\..*|sc\..*|amo.*|cm\..*|\.\w+)$"
    ),
}
"""Branches, and what has effects beyond registers and memory."""

_TWO_OPERANDS = frozenset(
    ("add", "adc", "sub", "rsb", "and", "bic", "eor", "orr", "lsl", "lsr", "asr", "ror", "sbc")
)
"""Arm's instructions that may have two operands, if the first is both result and operand."""

_ARM_MEMORY = re.compile(r"\[(?P<base>\w+)(?:, #(?P<offset>-?\d+))?\](?P<more>!|, #-?\d+)?$")
_RISCV_MEMORY = re.compile(r"(?P<offset>-?\d+)\((?P<base>\w+)\)$")
_ARM_SIZES = {"ldr": 4, "str": 4, "ldrd": 8, "strd": 8, "ldrb": 1, "strb": 1, "ldrh": 2, "strh": 2}
_ARM_SIZES |= {"ldrsb": 1, "ldrsh": 2}
_RISCV_SIZES = {"lw": 4, "sw": 4, "lh": 2, "lhu": 2, "sh": 2, "lb": 1, "lbu": 1, "sb": 1}


@dataclass(frozen=True, slots=True)
class Access:
    """Bytes that an instruction accesses: `size` of them at `offset` from the register `base`."""

    base: int
    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class Text:
    """An instruction's text, taken apart."""

    mnemonic: str
    """Without the suffix that selects a width."""
    operands: str
    family: str

    @staticmethod
    def of(text: str, family: str) -> Text:
        """Reads a line of a disassembler without its comment; `family` is 'arm' or 'riscv'."""
        word, _, operands = text.partition(" ")
        operands = operands.strip()
        if family == "riscv":
            return Text(word, operands, family)
        mnemonic = re.sub(r"\.[nw]$", "", word)
        parts = operands.split(", ")
        if len(parts) == 2 and mnemonic.removesuffix("s") in _TWO_OPERANDS:
            operands = f"{parts[0]}, {operands}"
        return Text(mnemonic, operands, family)

    @property
    def is_fixed(self) -> bool:
        """Whether nothing may move across it: a branch, or an access to the program counter."""
        if _FIXED[self.family].match(self.mnemonic):
            return True
        return self.family == "arm" and 15 in self.registers()

    @property
    def conditional(self) -> int:
        """How many of the following instructions this one makes conditional."""
        if self.family == "arm" and re.fullmatch(r"it(?:t|e){0,3}", self.mnemonic):
            return len(self.mnemonic) - 1
        return 0

    @property
    def is_return(self) -> bool:
        """Whether it returns to the function's caller, to which flags mean nothing (AAPCS32)."""
        if self.family == "riscv":
            return self.mnemonic == "ret"
        to_link = self.mnemonic == "bx" and self.operands == "lr"
        popped = self.mnemonic in {"pop", "ldmia"} and self.operands.endswith("pc}")
        return to_link or popped

    @property
    def target(self) -> int | None:
        """Where a direct branch leads."""
        found = re.search(r"(?:^|,\s*)([0-9a-f]+) <", self.operands)
        if found is None or not _FIXED[self.family].match(self.mnemonic):
            return None
        return int(found[1], 16)

    @property
    def falls_through(self) -> bool:
        """Whether execution may continue with the instruction that follows."""
        return self.mnemonic not in {"b", "bx", "j", "jr", "ret", "tail"} and not self.is_return

    @property
    def is_call(self) -> bool:
        """Whether it calls a function."""
        return self.mnemonic in {"bl", "blx", "jal", "jalr", "call"}

    def registers(self) -> list[int]:
        """Its registers in the order in which they are written; those of a range, too."""
        names = REGISTERS[self.family]

        def spread(found: re.Match[str]) -> str:
            first, last = names[found[1]], names[found[2]]
            return ", ".join(f"r{number}" for number in range(first, last + 1))

        operands = _RANGE.sub(spread, self.operands) if self.family == "arm" else self.operands
        return [names[word] for word in _WORD.findall(operands) if word in names]

    def shape(self) -> str:
        """The text with `_` in place of each register."""
        names = REGISTERS[self.family]
        shown = _WORD.sub(lambda word: "_" if word[0] in names else word[0], self.operands)
        return f"{self.mnemonic} {shown}"

    def access(self) -> Access | None:
        """What it accesses, if it is a single access at a constant distance from a register."""
        if self.family == "riscv":
            found, size = _RISCV_MEMORY.search(self.operands), _RISCV_SIZES.get(self.mnemonic)
        else:
            found, size = _ARM_MEMORY.search(self.operands), _ARM_SIZES.get(self.mnemonic)
        if found is None or size is None:
            return None
        offset = int(found["offset"] or 0)
        if self.family == "arm" and found["more"] and found["more"] != "!":
            offset = 0  # The address is changed after the access.
        return Access(REGISTERS[self.family][found["base"]], offset, size)
