"""A board file's table `[device]`: how to load and identify a real board and count its cycles."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pennyweight.catalogue.tomlfile import Table

Tool = Literal["openocd", "pyocd", "probe-rs", "avrdude", "esptool", "mspdebug"]
Address = Annotated[int, Field(ge=0, lt=1 << 32)]


class IdentityWord(Table):
    """A word in memory that identifies a part: `value` under `mask`."""

    address: Address
    mask: Address = 0xFFFF_FFFF
    value: Address


class Uart(Table):
    """The serial port that the monitor listens on; `name` is one that its port code supports."""

    name: str
    baud: Annotated[int, Field(ge=1200, le=4_000_000)] = 115_200


class Device(Table):
    """How to use a real board."""

    tools: tuple[Tool, ...] = ()
    """Tools that can load this part, the preferred one first."""

    target: str = ""
    """The part's name in each of `tools`: avrdude's part, OpenOCD's target script, pyOCD's
    target.
    """

    counter: Literal["timer1", "tca0", "dwt", "systick", "timer-a", "mcycle", "ccount", "cp0-count"]
    """The part's own cycle counter."""

    clock: Annotated[str, Field(pattern=r"^([a-z0-9][a-z0-9-]*)?$")] = ""
    """The clock set-up code: a file of `firmware/device/<family>/clock/`, without `.c`. Empty: the
    part runs at `clock.hz` after a reset.
    """

    boot_loader: Annotated[int, Field(ge=0, le=1 << 20)] = 0
    """Bytes at the end of flash that are reserved for a boot loader."""

    signature: Annotated[str, Field(pattern=r"^([0-9a-f]{6})?$")] = ""
    """An AVR's three signature bytes."""

    identity: IdentityWord | None = None
    """A word that identifies the part, such as DBGMCU_IDCODE."""

    uart: Uart | None = None

    def defines(self, hz: int) -> tuple[str, ...]:
        """The macros that the monitor is compiled with."""
        counter = self.counter.upper().replace("-", "_")
        found = [f"-DPW_HZ={hz}UL", f"-DPW_COUNTER_{counter}"]
        if self.clock:
            found.append("-DPW_CLOCK")
        if self.uart is not None:
            name = self.uart.name.upper().replace("-", "_")
            found += ["-DPW_UART", f"-DPW_UART_{name}", f"-DPW_BAUD={self.uart.baud}UL"]
        return tuple(found)
