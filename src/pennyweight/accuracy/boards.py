"""The boards of NIST's benchmark: which of ours each is, and what its figures are.

A board is one entry of `NIST_BOARDS`; it is compared once `boards/` has a file for it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NistBoard:
    """One board of the benchmark.

    `cycles_per_unit` turns a figure of its CSV files into cycles of the core; `step` is the
    smallest difference of two figures, in their unit. The Arduino core's timer interrupt, where it
    was on, takes `interrupt_cycles` in every `interrupt_period` cycles; `why` is its mechanism.
    With `assembly_only`, rows of C code are left out, as that board's compiler is not ours. `flags`
    are added to the row's optimisation level.
    """

    id: str
    """As in the names of the CSV files."""
    board: str
    """As in `boards/`."""
    title: str
    unit: str
    cycles_per_unit: int
    step: int
    why: str
    compiler: str
    flags: str = ""
    assembly_only: bool = False
    aim: tuple[float, float] | None = None
    """Median and 90th percentile of the evaluation marginals that are aimed at, as shares."""
    interrupt_cycles: int = 0
    interrupt_period: int = 0

    def with_interrupts(self, cycles: int) -> int:
        """What a call of so many cycles takes with the timer interrupt on.

        Interrupts come whole: a figure is the median of five trials, and more than half of them
        meet the nearest whole number of interrupts.
        """
        if not self.interrupt_period:
            return cycles
        own = self.interrupt_period - self.interrupt_cycles
        return cycles + self.interrupt_cycles * ((2 * cycles + own) // (2 * own))


_LTO = "avr-gcc 7.3.0 with -flto, as ours"
_OFF = "interrupts were off"

NIST_BOARDS = (
    NistBoard(
        id="uno",
        board="atmega328p",
        title="Arduino Uno (ATmega328P, 16 MHz)",
        unit="µs",
        cycles_per_unit=16,
        step=4,
        why="the overflow interrupt of Timer0 that counts milliseconds takes about 98 cycles "
        "every 16,384 (prescaler 64, 256 counts)",
        compiler=_LTO,
        flags="-flto",
        aim=(0.001, 0.0075),
        interrupt_cycles=98,
        interrupt_period=16_384,
    ),
    NistBoard(
        id="nano_every",
        board="atmega4809",
        title="Arduino Nano Every (ATmega4809, 16 MHz)",
        unit="µs",
        cycles_per_unit=16,
        step=4,
        why="the interrupt of TCB3 that counts milliseconds takes about 133 cycles every 16,384 "
        "(prescaler 64, 256 counts)",
        compiler=_LTO,
        flags="-flto",
        aim=(0.001, 0.0075),
        interrupt_cycles=133,
        interrupt_period=16_384,
    ),
    NistBoard(
        id="mkrzero",
        board="samd21",
        title="Arduino MKR Zero (SAMD21G18, 48 MHz)",
        unit="cycles of SysTick",
        cycles_per_unit=1,
        step=1,
        why=_OFF,
        compiler="arm-none-eabi-gcc 7.2.1, unlike ours",
        assembly_only=True,
        aim=(0.013, 0.07),
    ),
    NistBoard(
        id="nano33ble",
        board="nrf52840",
        title="Arduino Nano 33 BLE (nRF52840, 64 MHz)",
        unit="cycles of DWT",
        cycles_per_unit=1,
        step=1,
        why=_OFF,
        compiler="arm-none-eabi-gcc 7.2.1, unlike ours",
        assembly_only=True,
        aim=(0.010, 0.035),
    ),
    NistBoard(
        id="dueUSB",
        board="sam3x8e",
        title="Arduino Due (SAM3X8E, 84 MHz)",
        unit="µs",
        cycles_per_unit=84,
        step=1,
        why="the interrupt of SysTick that counts milliseconds was on; how many cycles it takes is "
        "not known, and nothing is added for it",
        compiler="arm-none-eabi-gcc, probably 4.8, unlike ours",
        assembly_only=True,
        aim=(0.025, 0.08),
    ),
    NistBoard(
        id="nodemcuv2",
        board="esp8266",
        title="NodeMCU v2 (ESP8266, 80 MHz)",
        unit="cycles",
        cycles_per_unit=1,
        step=1,
        why=_OFF,
        compiler="xtensa-lx106-elf-gcc, unlike ours",
    ),
    NistBoard(
        id="chipkit_uc32",
        board="pic32mx340",
        title="chipKIT uC32 (PIC32MX340, 80 MHz)",
        unit="µs",
        cycles_per_unit=80,
        step=1,
        why="the interrupt of the core timer that counts milliseconds was on; how many cycles it "
        "takes is not known, and nothing is added for it",
        compiler="pic32-gcc, unlike ours",
    ),
)
