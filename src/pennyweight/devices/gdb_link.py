"""A part that is connected through a debug server."""

from __future__ import annotations

from dataclasses import dataclass

from pennyweight.catalogue.boards import Board
from pennyweight.devices.errors import DeviceError
from pennyweight.devices.families import family_of
from pennyweight.devices.gdb import GdbServer
from pennyweight.devices.monitor import Monitor


@dataclass(frozen=True, slots=True)
class Registers:
    """The program counter's number in GDB's description of an architecture and its size in bytes;
    the size in bytes of an instruction with a breakpoint.
    """

    pc: int
    size: int
    breakpoint: int
    sp: int | None = None
    """The stack pointer's number, where the reset sets it and not the start-up code."""


REGISTERS = {
    "avr": Registers(34, 4, 2),
    "cortex-m": Registers(15, 4, 2, sp=13),
    "riscv": Registers(32, 4, 2),
    "msp430": Registers(0, 2, 2),
    "lx6": Registers(0, 4, 3),
    "lx106": Registers(16, 4, 3),
    "mips": Registers(37, 4, 4),
}
"""Keyed by the folder in `firmware/`, or by the core where parts of one family differ. Sources:
GDB's files `avr-tdep.c`, `arm-tdep.h`, `riscv-tdep.h`, `msp430-tdep.c`, `mips-tdep.h`; OpenOCD's
`xtensa-core-esp32.cfg`; QEMU's `core-lx106/gdb-config.inc.c`."""


class GdbLink:
    """The link to a part through a debug server."""

    runs_start_up = True
    resets_to_monitor = False

    def __init__(self, server: GdbServer, board: Board, monitor: Monitor) -> None:
        self.place = server.place
        self._server = server
        self._registers = REGISTERS.get(board.core) or REGISTERS[family_of(board).name]
        self._monitor = monitor
        self._stops_at: int | None = None
        self._flash: list[tuple[int, bytes]] = []

    def load(self, flash: list[tuple[int, bytes]]) -> None:
        """Writes the pieces that differ from flash, and those in the same erase blocks."""
        self._flash = flash
        wanted = [(at, data) for at, data in flash if not self._has(at, data)]
        if wanted:
            while len(more := self._server.sharing_blocks(wanted, flash)) > len(wanted):
                wanted = more
            self._server.flash(wanted)
            for at, data in wanted:
                if not self._has(at, data):
                    raise DeviceError(
                        f"{self.place}: flash at {at:#x} differs from what was written; check "
                        "that it is not protected and as large as in the board file"
                    )
            # The core loads its stack pointer from the new vector table.
            self._reset()

    def read(self, address: int, size: int) -> bytes:
        """Bytes of RAM or flash."""
        return self._server.read(address, size)

    def refresh(
        self, start: int, end: int, known: list[tuple[int, bytes]]
    ) -> list[tuple[int, bytes]]:
        """All bytes between two addresses: one long transfer is faster than several."""
        return [(start, self.read(start, end - start))]

    def write(self, address: int, data: bytes) -> None:
        """Writes bytes to RAM."""
        self._server.write(address, data)

    def start(self, entry: int, ready: int, seconds: float) -> int | None:
        """Runs from the image's entry point."""
        if self._registers.sp is not None:
            # Without a reset the stack pointer is not that of the vector table.
            self._server.write_register(self._registers.sp, self._monitor.mailbox, 4)
        return self._run(entry, ready, seconds)

    def step(self, seconds: float) -> int | None:
        """Runs from the monitor's entry point to its end."""
        return self._run(self._monitor.run, self._monitor.done, seconds)

    def reset(self) -> None:
        """Resets the part through the debug server."""
        self._reset()
        # Code in RAM may be lost.
        self._server.flash([(at, data) for at, data in self._flash if not self._has(at, data)])

    def close(self) -> None:
        """Closes the connection."""
        self._server.close()

    def _reset(self) -> None:
        # QEMU and st-util lose breakpoints in a reset, OpenOCD keeps them and rejects a second one.
        self._stop_at(None)
        self._server.reset()

    def _stop_at(self, end: int | None) -> None:
        """Moves the breakpoint; `None` removes it."""
        width = self._registers.breakpoint
        if self._stops_at == end:
            return
        if self._stops_at is not None:
            self._server.clear_breakpoint(self._stops_at, width)
            self._stops_at = None
        if end is not None:
            self._server.set_breakpoint(end, width)
            self._stops_at = end

    def _run(self, start: int, end: int, seconds: float) -> int | None:
        self._stop_at(end)
        self._server.write_register(self._registers.pc, start, self._registers.size)
        self._server.resume()
        if not self._server.wait(seconds):
            self._server.interrupt()
        at = self._server.read_register(self._registers.pc, self._registers.size)
        return None if at == end else at

    def _has(self, address: int, data: bytes) -> bool:
        return self._server.read(address, len(data)) == data
