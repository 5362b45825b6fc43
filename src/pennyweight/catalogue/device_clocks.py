"""Which part, clock frequency and wait states go with each clock set-up code.

The frequencies and wait states are those of the code in `firmware/device/*/clock/`, whose files
cite the reference manuals; a test compares both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import NamedTuple

from pennyweight.catalogue.root import data_root

_FOLDERS = {
    **dict.fromkeys(("armv6-m", "armv7-m", "armv7e-m", "armv8-m.main"), "cortex-m"),
    "avrxt": "avr",
    "mips32r2": "mips",
    **dict.fromkeys(("rv32e", "rv32i"), "riscv"),
}
"""The folder in `firmware/device/` of the instruction sets that have clock set-up code."""

_STM32_FLASH = 0x0800_0000
"""Where STM32 have flash; a board file may have another memory for code."""


class _Setting(NamedTuple):
    """What a file of clock set-up code does on some parts."""

    parts: re.Pattern[str]
    words: str
    """The parts in words."""
    mhz: Collection[int]
    frequencies: str
    """`mhz` in words."""
    wait_states: Callable[[int], int] | None = None
    """The wait states of flash at a frequency in MHz. `None`: it leaves them, or board files have
    the cycles of a cache miss instead.
    """


def _at(mhz: int) -> tuple[Collection[int], str]:
    return (mhz,), f"{mhz} MHz"


def _steps(first: int, last: int, step: int) -> tuple[Collection[int], str]:
    return range(first, last + 1, step), f"{first} to {last} MHz in steps of {step} MHz"


_L4 = (16, *range(18, 64, 2))
_L4_WORDS = "16 to 64 MHz in steps of 2 MHz, and up to"

CLOCKS: dict[str, tuple[_Setting, ...]] = {
    "avrxt": (
        _Setting(re.compile(r"AVR\d+(DA|DB|DD)\w+"), "AVR DA, DB and DD", *_at(24)),
        _Setting(
            re.compile(r"AT(tiny|mega)\d+"),
            "tinyAVR 0 to 2 and megaAVR 0",
            (16, 20),
            "16 or 20 MHz",
        ),
    ),
    "fe310": (_Setting(re.compile(r"FE310-G00[02]"), "FE310", *_steps(192, 320, 8)),),
    "nrf52": (_Setting(re.compile(r"nRF52\d+(-\w+)?"), "nRF52", *_at(64)),),
    "pic32mx": (_Setting(re.compile(r"PIC32MX[34]\d\dF\w+"), "PIC32MX3xx and 4xx", *_at(80)),),
    "rp2040": (_Setting(re.compile(r"RP2040"), "RP2040", *_steps(63, 133, 1)),),
    "sam3x": (_Setting(re.compile(r"ATSAM3[XA]\w+"), "SAM3X and SAM3A", *_at(84), lambda _: 4),),
    "samd21": (_Setting(re.compile(r"ATSAMD21\w+"), "SAM D21", *_at(48), lambda _: 1),),
    "stm32f0": (
        _Setting(
            re.compile(r"STM32F0\w+"), "STM32F0", *_steps(8, 48, 4), lambda mhz: int(mhz > 24)
        ),
    ),
    "stm32f1": (
        _Setting(
            re.compile(r"STM32F10\w+|STM32F303\w[BC]\w*"),
            "STM32F10x and STM32F303xB and xC",
            (*range(8, 65, 4), 72),
            "8 to 64 MHz in steps of 4 MHz, or 72 MHz",
            lambda mhz: (mhz - 1) // 24,
        ),
    ),
    "stm32f4": (
        _Setting(
            re.compile(r"STM32F4([01][57]|[23][79])\w*"),
            "STM32F405, F407, F415, F417, F42x and F43x",
            *_steps(24, 168, 1),
            lambda mhz: (mhz - 1) // 30,
        ),
    ),
    "stm32g0": (
        _Setting(
            re.compile(r"STM32G0[78]1\w*"),
            "STM32G071 and G081",
            (16, 64),
            "16 or 64 MHz",
            lambda mhz: (mhz > 24) + (mhz > 48),
        ),
    ),
    "stm32l0": (
        _Setting(re.compile(r"STM32L0[56]\w+"), "STM32L05x and L06x", *_at(16), lambda _: 0),
    ),
    "stm32l4": (
        _Setting(
            re.compile(r"STM32L4[78]\w+"),
            "STM32L47x and L48x",
            (*_L4, *range(64, 81, 8)),
            f"{_L4_WORDS} 80 MHz in steps of 8 MHz",
            lambda mhz: (mhz - 1) // 16,
        ),
    ),
    "stm32l4r": (
        _Setting(
            re.compile(r"STM32L4[RS]\w+"),
            "STM32L4Rx and L4Sx",
            (*_L4, *range(64, 121, 8)),
            f"{_L4_WORDS} 120 MHz in steps of 8 MHz",
            lambda mhz: (mhz - 1) // 20,
        ),
    ),
    "stm32u5": (
        _Setting(re.compile(r"STM32U5[78]5\w*"), "STM32U575 and U585", *_steps(64, 160, 8)),
    ),
}


def clock_problem(clock: str, instruction_set: str, part: str, hz: int) -> tuple[str, str] | None:
    """A field of a board file that contradicts its clock set-up code, and why: the end of a
    sentence.
    """
    folder = _FOLDERS.get(instruction_set, "none")
    files = (data_root() / "firmware" / "device" / folder / "clock").glob("*.c")
    known = sorted(each.stem for each in files)
    if clock not in known:
        remedy = f"available: {', '.join(known)}" if known else "remove the field"
        problem = f"there is no clock set-up code '{clock}' for {instruction_set}; {remedy}"
        return "device.clock", problem
    settings = CLOCKS.get(clock)
    if settings is None:
        return None  # a file that the user added
    setting = next((each for each in settings if each.parts.fullmatch(part)), None)
    if setting is None:
        words = "; ".join(each.words for each in settings)
        other = _for_part(part)
        remedy = f"give '{other}'" if other in known else "remove the field, or correct 'part'"
        return "device.clock", f"'{clock}' is for {words}, not {part}; {remedy}"
    mhz, rest = divmod(hz, 1_000_000)
    if rest or mhz not in setting.mhz:
        return "clock.hz", (
            f"is {hz}, but the clock set-up code '{clock}' sets the {part} to "
            f"{setting.frequencies}; correct it, or the field 'device.clock'"
        )
    return None


def wait_state_problem(clock: str, part: str, hz: int, base: int, states: int) -> str | None:
    """Why a flash's wait states contradict the clock set-up code: the end of a sentence."""
    setting = next((each for each in CLOCKS.get(clock, ()) if each.parts.fullmatch(part)), None)
    if setting is None or setting.wait_states is None:
        return None
    if part.startswith("STM32") and base != _STM32_FLASH:
        return None
    sets = setting.wait_states(hz // 1_000_000)
    if states == sets:
        return None
    return (
        f"has {states} wait states, but the clock set-up code '{clock}' sets {sets} at {hz} Hz; "
        "correct it, or 'clock.hz'"
    )


def _for_part(part: str) -> str:
    """The clock set-up code for a part; empty: no code is available."""
    return next(
        (
            name
            for name, settings in CLOCKS.items()
            if any(each.parts.fullmatch(part) for each in settings)
        ),
        "",
    )
