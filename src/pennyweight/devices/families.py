"""The properties of each family of cores that requests to the monitor depend on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pennyweight.catalogue.boards import Board
from pennyweight.devices.image import avr_jump
from pennyweight.toolchains import family as compiler_family

Change = tuple[int, bytes]
"""An address in flash, and the bytes that replace the image's there."""

_PATIENCE_S = 5.0
"""Seconds for a call, in addition to twice the time of its budget."""


@dataclass(frozen=True, slots=True)
class Family:
    """One family of cores; `name` is its folder in `firmware/`."""

    name: str
    below: int
    """Distance in bytes from the stack pointer to the first used address above it."""
    counter_bits: int
    """The counter, or the timer that ends a call over its budget, overflows after 2 to this power
    cycles.
    """
    vectors: Callable[[dict[str, int], int], list[Change]]
    """The vectors to redirect to the monitor, from its symbols and the image's first address."""
    reset: Callable[[dict[str, int], int], list[Change]] | None
    """The same for the reset vector; `None` if it stays."""
    widest: int = 0
    """Width in bits of the monitor's count of overflows; 0: it counts none."""
    int_size: int = 4
    """Bytes of an `int`."""
    state: int = 0
    """Added to a function's address to call it: the Thumb bit."""
    rounds: int = 60_000
    """Rounds of the monitor's loop in which the counter overflows."""
    grain: int = 1
    """Cycles from one value of the counter to the next."""

    def overflows(self, cycles: int) -> int:
        """The overflows after which `cycles`, at most `longest`, have certainly passed."""
        return (cycles >> self.counter_bits) + 2

    @property
    def longest(self) -> int:
        """The most cycles of a call that can be counted."""
        overflows = (1 << self.widest) - 3 if self.widest else 1
        return (overflows << self.counter_bits) - 1

    def seconds(self, cycles: int, slowest: float, hz: int) -> float:
        """The time limit for a call of `cycles` on a part that is known to run at `slowest` Hz and
        should run at `hz`: longer than the call needs, and shorter than a counter without an
        overflow count needs to wrap.
        """
        patient = 2 * cycles / slowest + _PATIENCE_S
        return patient if self.widest else min(patient, (1 << self.counter_bits) / hz)

    def signed(self, value: int) -> int:
        """A result as a signed `int`."""
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


def _msp430_vectors(symbols: dict[str, int], start: int) -> list[Change]:
    """Timer_A's overflow (MSP430F15x, F16x and F161x datasheet, SLAS368, "Interrupt Vectors")."""
    return [(0xFFEA, symbols["pw_device_overflow"].to_bytes(2, "little"))]


def _none(symbols: dict[str, int], start: int) -> list[Change]:
    """RISC-V, MIPS and Xtensa: the monitor sets the trap vector itself."""
    return []


FAMILIES = {
    each.name: each
    for each in (
        Family("avr", 1, 16, _avr_vectors, _avr_reset, widest=16, int_size=2),
        Family(
            "cortex-m",
            0,
            24,
            _cortex_m_vectors,
            _cortex_m_reset,
            widest=32,
            state=1,
            rounds=8_000_000,
        ),
        Family("mips", 0, 33, _none, None, grain=2),
        Family("msp430", 0, 16, _msp430_vectors, None, widest=16, int_size=2),
        Family("riscv", 0, 32, _none, None),
        Family("xtensa", 0, 32, _none, None),
    )
}
"""Keyed by the family's folder in `firmware/`."""


def family_of(board: Board) -> Family:
    """The family of a board that has a monitor. Raises `KeyError`."""
    return FAMILIES[compiler_family(board).firmware]
