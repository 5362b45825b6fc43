"""Places the arguments of a call according to each family's calling convention.

The same rules as the simulators' (`aapcs.rs`, `ilp32.rs`, `eabi.rs`, `call0.rs`, `o32.rs`,
`abi.rs`), which cite the ABIs' documents: calls on a device and in the simulator are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pennyweight.target.interface import Argument

Placed = tuple[bytes, bytes]
"""Argument registers in the order of the ABI, and the arguments on the stack, both as bytes."""


def avr(arguments: Sequence[Argument]) -> Placed:
    """r8 to r25, assigned from r25 downwards. The first argument that does not fit and all later
    ones are passed on the stack.
    """
    registers, stack = bytearray(18), bytearray()
    free = 18
    for kind, value in arguments:
        size = 8 if kind == "u64" else 2
        data = (value & (1 << 8 * size) - 1).to_bytes(size, "little")
        if not stack and size <= free:
            free -= size
            registers[free : free + size] = data
        else:
            stack += data
    return bytes(registers), bytes(stack)


def cortex_m(arguments: Sequence[Argument]) -> Placed:
    """r0 to r3, then the stack; 64 bits are aligned to eight bytes."""
    words = _aligned_words(arguments)
    return _split(words, 4, 2)


def riscv(arguments: Sequence[Argument]) -> Placed:
    """a0 to a7, then the stack; 64 bits are not aligned among registers."""
    words: list[int] = []
    for kind, value in arguments:
        if kind == "u64":
            if len(words) > 8 and len(words) % 2:
                words.append(0)
            words += _halves(value)
        else:
            words.append(value & 0xFFFF_FFFF)
    return _split(words, 8, 4)


def msp430(arguments: Sequence[Argument]) -> Placed:
    """r12 to r15; 64 bits take all four or none; later arguments take the free registers."""
    registers, stack = bytearray(), bytearray()
    for kind, value in arguments:
        size = 8 if kind == "u64" else 2
        data = (value & (1 << 8 * size) - 1).to_bytes(size, "little")
        (registers if len(registers) + size <= 8 else stack).extend(data)
    return bytes(registers.ljust(8, b"\0")), bytes(stack)


def xtensa(arguments: Sequence[Argument]) -> Placed:
    """a2 to a7, then the stack; 64 bits are aligned to eight bytes."""
    return _split(_aligned_words(arguments), 6, 4)


def mips(arguments: Sequence[Argument]) -> Placed:
    """a0 to a3, which also have slots on the stack; 64 bits are aligned to eight bytes."""
    words = _aligned_words(arguments)
    registers, stack = _split(words, 4, 2)
    return registers, bytes(16) + stack


PLACING: dict[str, Callable[[Sequence[Argument]], Placed]] = {
    "avr": avr,
    "cortex-m": cortex_m,
    "riscv": riscv,
    "msp430": msp430,
    "xtensa": xtensa,
    "mips": mips,
}
"""Keyed by the family's folder in `firmware/`."""


def _aligned_words(arguments: Sequence[Argument]) -> list[int]:
    words: list[int] = []
    for kind, value in arguments:
        if kind == "u64":
            words += [0] * (len(words) % 2)
            words += _halves(value)
        else:
            words.append(value & 0xFFFF_FFFF)
    return words


def _halves(value: int) -> tuple[int, int]:
    return value & 0xFFFF_FFFF, value >> 32 & 0xFFFF_FFFF


def _split(words: list[int], registers: int, multiple: int) -> Placed:
    """The first words in registers, the rest on the stack, padded to `multiple` words."""
    above = words[registers:]
    above += [0] * (-len(above) % multiple)
    first = words[:registers] + [0] * (registers - len(words))
    return _packed(first), _packed(above)


def _packed(words: list[int]) -> bytes:
    return b"".join(word.to_bytes(4, "little") for word in words)
