"""What differs between the families of cores when the monitor is asked to do something."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pennyweight.catalogue.boards import Board
from pennyweight.devices.image import avr_jump
from pennyweight.toolchains import family as compiler_family

Change = tuple[int, bytes]
"""An address in flash and the bytes that are put there instead of the image's."""


@dataclass(frozen=True, slots=True)
class Family:
    """One family of cores; `name` is its folder in `firmware/`."""

    name: str
    below: int
    """By how many bytes a stack pointer lies below the first free address above it."""
    counter_bits: int
    """Of the counter, or of the timer whose overflow ends a call that takes too long."""
    vectors: Callable[[dict[str, int], int], list[Change]]
    """The vectors that lead to the monitor, from its symbols and the image's first address."""
    reset: Callable[[dict[str, int], int], list[Change]] | None
    """The same for the vector of reset; `None` where there is none to change."""
    widest: int = 32
    """Bits of the monitor's count of overflows."""
    int_size: int = 4
    """Bytes of an `int`."""
    state: int = 0
    """What is added to a function's address to call it: Thumb's bit."""
    rounds: int = 60_000
    """Of the monitor's loop, in which the counter overflows."""

    def overflows(self, cycles: int) -> int:
        """After how many overflows so many cycles have passed for sure."""
        return min((cycles >> self.counter_bits) + 2, (1 << self.widest) - 1)

    def signed(self, value: int) -> int:
        """A result as the `int` that it is."""
        bits = 8 * self.int_size
        value &= (1 << bits) - 1
        return value - (1 << bits) if value >> bits - 1 else value


def _avr_vectors(symbols: dict[str, int], start: int) -> list[Change]:
    return [(start + symbols["pw_overflow_vector"], avr_jump(symbols["pw_device_overflow"]))]


def _avr_reset(symbols: dict[str, int], start: int) -> list[Change]:
    return [(start, avr_jump(symbols["pw_device_serial"]))]


def _cortex_m_vectors(symbols: dict[str, int], start: int) -> list[Change]:
    """Faults and SysTick (ARMv6-M Architecture Reference Manual, DDI 0419, B1.5.3)."""
    fault, overflow = (
        (symbols[name] | 1).to_bytes(4, "little")
        for name in ("pw_device_fault", "pw_device_overflow")
    )
    return [*((start + 4 * number, fault) for number in range(2, 7)), (start + 4 * 15, overflow)]


def _cortex_m_reset(symbols: dict[str, int], start: int) -> list[Change]:
    return [(start + 4, (symbols["pw_device_serial"] | 1).to_bytes(4, "little"))]


def _none(symbols: dict[str, int], start: int) -> list[Change]:
    """RISC-V: the monitor sets the trap vector itself."""
    return []


FAMILIES = {
    each.name: each
    for each in (
        Family("avr", 1, 16, _avr_vectors, _avr_reset, widest=16, int_size=2),
        Family("cortex-m", 0, 24, _cortex_m_vectors, _cortex_m_reset, state=1, rounds=8_000_000),
        Family("riscv", 0, 32, _none, None),
    )
}
"""By the folder of `firmware/` that a family of compilers has."""


def family_of(board: Board) -> Family:
    """The family of a board for which there is a monitor. Raises `KeyError`."""
    return FAMILIES[compiler_family(board).firmware]
