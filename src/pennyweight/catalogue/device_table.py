"""A board file's table `[device]`: how to load and identify a real board and count its cycles."""

from __future__ import annotations

import re
from typing import Annotated, Literal, NamedTuple

from pydantic import Field, field_validator, model_validator

from pennyweight.catalogue.tomlfile import Table

Tool = Literal["openocd", "pyocd", "probe-rs", "avrdude", "mspdebug", "stm32flash"]
Address = Annotated[int, Field(ge=0, lt=1 << 32)]

LOWEST_BAUD, HIGHEST_BAUD = 1200, 4_000_000
"""Limits of a serial port's baud rate."""


class IdentityWord(Table):
    """A word in memory that identifies a part: `value` under `mask`."""

    address: Annotated[int, Field(ge=0, lt=1 << 32, multiple_of=4)]
    mask: Address = 0xFFFF_FFFF
    value: Address

    @model_validator(mode="after")
    def _can_differ(self) -> IdentityWord:
        if self.mask == 0:
            raise ValueError("'mask' is 0, so that every part matches; give the bits to compare")
        if self.value & ~self.mask:
            raise ValueError(
                f"'value' has bits outside 'mask' ({self.mask:#x}), so that no part matches; "
                "correct one of them"
            )
        return self


class Uart(Table):
    """The serial port that the monitor listens on; `name` is the file of its code in
    `firmware/device/<family>/uart/`, without `.c`.
    """

    name: Literal["usart0", "stm32f0", "stm32f1", "stm32f4"]
    baud: Annotated[int, Field(ge=LOWEST_BAUD, le=HIGHEST_BAUD)] = 115_200
    rom_loader: Address | None = None
    """Where the ROM has the boot loader that stm32flash uses."""


class Device(Table):
    """How to use a real board."""

    tools: tuple[Tool, ...] = ()
    """Tools that can load this part, the preferred one first."""

    target: str = ""
    """What each of `tools` needs to know about the part: avrdude's part, OpenOCD's target script,
    pyOCD's target, `jtag` for mspdebug if the part has no Spy-Bi-Wire.
    """

    chip: str = ""
    """The part's name in probe-rs, which may differ from pyOCD's."""

    counter: Literal["timer1", "tca0", "dwt", "systick", "timer-a", "mcycle", "ccount", "cp0-count"]
    """The part's own cycle counter."""

    clock: Annotated[str, Field(pattern=r"^([a-z0-9][a-z0-9-]*)?$")] = ""
    """The clock set-up code: a file of `firmware/device/<family>/clock/`, without `.c`. Empty: the
    part runs at `clock.hz` after a reset.
    """

    boot_loader: Annotated[int, Field(ge=0, le=1 << 20)] = 0
    """Bytes at the end of flash that are reserved for a boot loader."""

    signature: str = ""
    """An AVR's three signature bytes."""

    identity: IdentityWord | None = None
    """A word that identifies the part, such as DBGMCU_IDCODE."""

    misa: Address | None = None
    """A RISC-V core's register `misa`."""

    idcode: Address | None = None
    """The JTAG IDCODE, in addition: only OpenOCD's server reports it."""

    uart: Uart | None = None

    @field_validator("signature")
    @classmethod
    def _signature(cls, value: str) -> str:
        if not re.fullmatch(r"([0-9a-fA-F]{6})?", value):
            raise ValueError(
                f"'{value}' is not three bytes; give six hexadecimal digits, such as 1e950f"
            )
        return value.lower()

    @model_validator(mode="after")
    def _identifies(self) -> Device:
        if self.identity is None and self.misa is None and not self.signature:
            raise ValueError(
                "nothing identifies the part, and a different one must not be written; give "
                "'identity', 'signature' (AVR) or 'misa' (RISC-V)"
            )
        return self

    def defines(self, hz: int) -> tuple[str, ...]:
        """The macros that the monitor is compiled with."""
        counter = self.counter.upper().replace("-", "_")
        found = [f"-DPW_HZ={hz}UL", f"-DPW_COUNTER_{counter}"]
        if self.clock:
            found.append("-DPW_CLOCK")
        if self.uart is not None:
            found += ["-DPW_UART", f"-DPW_BAUD={self.uart.baud}UL"]
            if self.uart.rom_loader is not None:
                found.append(f"-DPW_ROM_LOADER={self.uart.rom_loader:#x}UL")
        return tuple(found)


_COUNTERS = {
    "avre": ("timer1",),
    "avrxt": ("tca0",),
    "armv6-m": ("systick",),
    "armv7-m": ("dwt", "systick"),
    "armv7e-m": ("dwt", "systick"),
    "armv8-m.main": ("dwt", "systick"),
    "mips32r2": ("cp0-count",),
    "msp430": ("timer-a",),
    "msp430x": ("timer-a",),
    "rv32e": ("mcycle",),
    "rv32i": ("mcycle",),
    "xtensa": ("ccount",),
}
"""The counters that cores of an instruction set can have. ARMv6-M has no DWT_CYCCNT (DDI 0419,
C1.8).
"""

_TOOLS: dict[str, tuple[Tool, ...]] = {
    "avre": ("avrdude",),
    "avrxt": (),
    "armv6-m": ("openocd", "pyocd", "probe-rs", "stm32flash"),
    "armv7-m": ("openocd", "pyocd", "probe-rs", "stm32flash"),
    "armv7e-m": ("openocd", "pyocd", "probe-rs", "stm32flash"),
    "armv8-m.main": ("openocd", "pyocd", "probe-rs"),
    "mips32r2": ("openocd",),
    "msp430": ("mspdebug",),
    "msp430x": ("mspdebug",),
    "rv32e": ("openocd", "probe-rs"),
    "rv32i": ("openocd", "probe-rs"),
    "xtensa": ("openocd",),
}
"""The tools that are used for cores of an instruction set."""


_TARGETS: dict[Tool, str] = {
    "openocd": "the part's script, such as 'target/stm32f4x.cfg'",
    "pyocd": "the part's name in `pyocd list --targets`, such as 'nrf52840'",
    "avrdude": "the part's name in `avrdude -p ?`, such as 'm328p'",
}
"""What `target` has for the tools that cannot do without."""


def _lacks_target(tool: Tool, target: str) -> bool:
    """Whether no word is for the tool: only OpenOCD's are scripts."""
    scripts = [each.endswith(".cfg") for each in target.split()]
    return tool in _TARGETS and (tool == "openocd") not in scripts


class _SerialPort(NamedTuple):
    parts: re.Pattern[str]
    words: str
    """The parts in words."""
    loader: Tool
    """The tool that loads them over it; stm32flash needs the boot loader in ROM."""


_SERIAL_PORTS = {
    "usart0": _SerialPort(
        re.compile(r"ATmega(48|88|168|328)(A|P|PA|PB)?|ATmega128A?"),
        "ATmega48, 88, 168 and 328 (also A, P, PA, PB) and ATmega128",
        "avrdude",
    ),
    "stm32f0": _SerialPort(re.compile(r"STM32F0\w+"), "STM32F0", "stm32flash"),
    "stm32f1": _SerialPort(re.compile(r"STM32F1\w+"), "STM32F1", "stm32flash"),
    "stm32f4": _SerialPort(re.compile(r"STM32F4\w+"), "STM32F4", "stm32flash"),
}
"""The parts that have each serial port."""


def mismatch(table: Device, instruction_set: str, part: str, flash: int) -> tuple[str, str] | None:
    """A field of the table that a part with so many bytes of flash cannot have, and why: the end of
    a sentence.
    """
    counters = _COUNTERS.get(instruction_set, (table.counter,))
    if table.counter not in counters:
        names = " or ".join(f"'{each}'" for each in counters)
        return "counter", f"{instruction_set} has no '{table.counter}'; give {names}"
    tools = _TOOLS.get(instruction_set, table.tools)
    wrong = next((each for each in table.tools if each not in tools), None)
    if wrong is not None:
        names = " or ".join(f"'{each}'" for each in tools)
        remedy = f"give {names}" if tools else "remove the field, and use a debug server"
        return "tools", f"'{wrong}' is not used for {instruction_set}; {remedy}"
    lacking = next((each for each in table.tools if _lacks_target(each, table.target)), None)
    if lacking is not None:
        return "target", f"is missing for {lacking}; add {_TARGETS[lacking]}"
    if "probe-rs" in table.tools and not table.chip:
        remedy = "add the part's name in `probe-rs chip list`, such as 'nRF52840_xxAA'"
        return "chip", f"is missing for probe-rs; {remedy}"
    if table.boot_loader >= flash:
        problem = f"{table.boot_loader} bytes do not fit into the flash of {flash}; correct it"
        return "boot_loader", problem
    return _wrong_identity(table, instruction_set) or _wrong_uart(table, part)


def _wrong_identity(table: Device, instruction_set: str) -> tuple[str, str] | None:
    is_riscv = instruction_set.startswith("rv32")
    if table.signature and not instruction_set.startswith("avr"):
        remedy = "'identity' or 'misa'" if is_riscv else "'identity'"
        return "signature", f"only an AVR has a signature; give {remedy} instead"
    if table.misa is not None and not is_riscv:
        remedy = "'signature'" if instruction_set == "avre" else "'identity'"
        return "misa", f"only a RISC-V core has it; give {remedy} instead"
    if table.identity is not None and instruction_set == "avre":
        return "identity", "an AVRe core has no identity word; give 'signature' instead"
    return None


def _wrong_uart(table: Device, part: str) -> tuple[str, str] | None:
    uart = table.uart
    if uart is None:
        return None
    port = _SERIAL_PORTS[uart.name]
    if not port.parts.fullmatch(part):
        return "uart", (
            f"the serial port '{uart.name}' is for {port.words}, not {part}; remove the field and "
            "connect the board through a debug server or probe"
        )
    if (port.loader == "stm32flash") is not (uart.rom_loader is not None):
        remedy = "remove it" if uart.rom_loader is not None else "give its address (AN2606)"
        return "uart.rom_loader", f"STM32 have a boot loader in ROM, and no other part; {remedy}"
    if port.loader not in table.tools:
        return "tools", f"{port.loader} is missing, which loads the part on its serial port; add it"
    return None
