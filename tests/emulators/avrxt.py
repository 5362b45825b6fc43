"""An ATmega4809 on yasimavr, an independent simulator of AVRxt with its timer TCA0.

It has no debug server, so this link uses its debug interface directly.
"""

from __future__ import annotations

from pathlib import Path

import yasimavr.lib.core as yasimavr
from yasimavr.device_library import load_device

from pennyweight.devices import mailbox
from pennyweight.devices.mailbox import Command
from pennyweight.devices.monitor import Monitor

_DATA_SPACE = 0x800000
_HZ = 20_000_000
"""As yasimavr's fuses select."""


class AvrxtLink:
    """A `Link` to the simulated part, which starts with an ELF file in flash."""

    place = "yasimavr"
    runs_start_up = True
    resets_to_monitor = False

    def __init__(self, monitor: Monitor, elf: Path) -> None:
        self._monitor = monitor
        self._part = load_device("atmega4809")
        self._loop = yasimavr.SimLoop(self._part)
        self._loop.set_fast_mode(True)
        firmware = yasimavr.Firmware.read_elf(str(elf))
        firmware.frequency, firmware.vcc, firmware.aref = _HZ, 5.0, 5.0
        self._part.load_firmware(firmware)
        self._probe = yasimavr.DeviceDebugProbe()
        self._probe.attach(self._part)
        self.counts: list[tuple[int, int]] = []
        """Of each call that returned: the monitor's count and yasimavr's."""

    def load(self, flash: list[tuple[int, bytes]]) -> None:
        """Writes flash."""
        for at, data in flash:
            self._probe.write_flash(at, data)
        self.reset()

    def read(self, address: int, size: int) -> bytes:
        """Bytes of RAM or flash."""
        if address >= _DATA_SPACE:
            return bytes(self._probe.read_data(address - _DATA_SPACE, size))
        return bytes(self._probe.read_flash(address, size))

    def refresh(
        self, start: int, end: int, known: list[tuple[int, bytes]]
    ) -> list[tuple[int, bytes]]:
        """All bytes between two addresses."""
        return [(start, self.read(start, end - start))]

    def write(self, address: int, data: bytes) -> None:
        """Writes bytes to RAM."""
        self._probe.write_data(address - _DATA_SPACE, data)

    def start(self, entry: int, ready: int, seconds: float) -> int | None:
        """Runs from the image's entry point."""
        return self._run(entry, ready, seconds)

    def step(self, seconds: float) -> int | None:
        """Runs from the monitor's entry point to its end."""
        request = self.read(self._monitor.mailbox, 8)
        if request[0] != Command.CALL:
            return self._run(self._monitor.run, self._monitor.done, seconds)
        function = int.from_bytes(request[4:], "little")
        assert self._run(self._monitor.run, function, seconds) is None
        begun = self._loop.cycle()
        back = self.read(_DATA_SPACE + self._probe.read_sp() + 1, 2)
        returned = self._run(None, 2 * int.from_bytes(back, "big"), seconds) is None
        took = self._loop.cycle() - begun
        at = self._run(None, self._monitor.done, seconds)
        if returned:
            at_answer = self._monitor.mailbox + mailbox.ANSWER_AT
            answer = mailbox.unpack(self.read(at_answer, mailbox.ANSWER_SIZE))
            self.counts.append((answer.cycles, took))
        return at

    def reset(self) -> None:
        """Resets the part."""
        self._probe.reset_device()

    def close(self) -> None:
        """Nothing is open."""

    def _run(self, start: int | None, end: int, seconds: float) -> int | None:
        """From an address, or from where it is, to another, or to the monitor's end.

        Instruction by instruction: at a breakpoint, yasimavr lets time pass.
        """
        if start is not None:
            self._probe.write_pc(start)
        self._probe.set_device_state(yasimavr.Device.State.Running)
        execute, pc = self._part.exec_cycle, self._probe.read_pc
        ends, clock = (end, self._monitor.done), self._loop.cycle_manager()
        limit = clock.cycle() + round(seconds * _HZ)
        while clock.cycle() < limit:
            clock.increment_cycle(execute())
            clock.process_timers()
            if pc() in ends:
                break
        at = int(pc())
        return None if at == end else at
