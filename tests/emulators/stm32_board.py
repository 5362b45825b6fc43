"""An STM32 on a serial line: QEMU's part, and the boot loader in ROM that QEMU lacks.

The boot loader is written after AN3155 ("USART protocol used in the STM32 bootloader"). It reads
and writes the part's memory through QEMU's debug server. While the part's program runs, its USART1
is connected to the line.
"""

from __future__ import annotations

import contextlib
import os
import pty
import select
import socket
import threading
import time
import tty
from collections.abc import Iterator
from dataclasses import dataclass, field

from emulators.running import free_port, qemu_gdb
from pennyweight.devices import frames
from pennyweight.devices.gdb import GdbServer

ACK, NACK = b"\x79", b"\x1f"
FLASH = 0x0800_0000
BFAR = 0xE000_ED38
_COMMANDS = bytes((0x00, 0x01, 0x02, 0x11, 0x21, 0x31, 0x44))


@dataclass(frozen=True)
class Kind:
    """A part: QEMU's machine, DEV_ID, address of its ROM, ends of its flash pages."""

    machine: str
    device: int
    rom: int
    ends: tuple[int, ...]


KINDS = {
    "stm32vldiscovery": Kind(
        "stm32vldiscovery", 0x420, 0x1FFF_F000, tuple(1024 * (i + 1) for i in range(128))
    ),
    "netduinoplus2": Kind(
        "netduinoplus2",
        0x413,
        0x1FFF_0000,
        tuple(1024 * each for each in (16, 32, 48, 64, *range(128, 1025, 128))),
    ),
}


@dataclass
class Stm32Board:
    """The running board; `place` is the value for `--on`."""

    kind: Kind
    server: GdbServer
    uart: socket.socket
    line: int
    place: str
    erased: list[int] = field(default_factory=list)
    """The pages that were erased."""
    started: list[str] = field(default_factory=list)
    """What was started: the program, or the boot loader by the monitor."""
    _ending: threading.Event = field(default_factory=threading.Event)
    _initialised: bool = False

    def serve(self) -> None:
        """Runs the boot loader and the part's program in turns."""
        while not self._ending.is_set():
            with contextlib.suppress(_DamagedError):
                if self._loader():
                    self._program()

    def started_after(self, count: int) -> list[str]:
        """What was started after the first `count` starts, when a program was started last."""
        end = time.monotonic() + 10.0
        while self.started[-1:] != ["program"] and time.monotonic() < end:
            time.sleep(0.02)
        return self.started[count:]

    def end(self) -> None:
        """Ends `serve`."""
        self._ending.set()

    def _loader(self) -> bool:
        """Serves one command; whether it starts the program."""
        if not self._initialised:
            while self._take(1) != b"\x7f":
                pass
            self._initialised = True
            self._put(ACK)
            return False
        command = self._take(1)
        if self._take(1)[0] != command[0] ^ 0xFF or command[0] not in _COMMANDS:
            raise self._damaged()
        self._put(ACK)
        if command == b"\x00":
            self._put(bytes((len(_COMMANDS), 0x31)) + _COMMANDS + ACK)
        elif command == b"\x01":
            self._put(b"\x31\x00\x00" + ACK)
        elif command == b"\x02":
            self._put(b"\x01" + self.kind.device.to_bytes(2, "big") + ACK)
        elif command == b"\x11":
            address = self._address()
            count = self._checked(2)[0] + 1
            self._put(self.server.read(address, count))
        elif command == b"\x31":
            address = self._address()
            size = self._take(1)
            data = self._take(size[0] + 1)
            self._check(size + data, self._take(1))
            self.server.write(address, data)
            self._put(ACK)
        elif command == b"\x44":
            self._erase()
        else:
            if self._address() != FLASH:
                raise self._damaged()
            self.started.append("program")
            # The core takes stack pointer and program counter from flash, which is also at 0.
            self.server.reset()
            return True
        return False

    def _erase(self) -> None:
        head = self._take(2)
        count = int.from_bytes(head, "big") + 1
        pages = self._take(2 * count)
        self._check(head + pages, self._take(1))
        for i in range(count):
            page = int.from_bytes(pages[2 * i : 2 * i + 2], "big")
            start = self.kind.ends[page - 1] if page else 0
            self.server.write(FLASH + start, b"\xff" * (self.kind.ends[page] - start))
            self.erased.append(page)
        self._put(ACK)

    def _address(self) -> int:
        return int.from_bytes(self._checked(5)[:4], "big")

    def _checked(self, size: int) -> bytes:
        """Bytes, of which the last is a checksum: the exclusive or of the rest, or the complement
        of a single byte.
        """
        found = self._take(size)
        self._check(found[:-1], found[-1:])
        self._put(ACK)
        return found

    def _check(self, data: bytes, checksum: bytes) -> None:
        wanted = 0xFF if len(data) == 1 else 0
        for byte in data:
            wanted ^= byte
        if checksum != bytes((wanted,)):
            raise self._damaged()

    def _damaged(self) -> Exception:
        self._put(NACK)
        return _DamagedError()

    def _program(self) -> None:
        """Connects the line to the part's USART until the monitor starts the boot loader."""
        self.server.resume()
        waiting = bytearray()
        while not self._ending.is_set():
            ready, _, _ = select.select([self.line, self.uart.fileno()], [], [], 0.1)
            if self.uart.fileno() in ready:
                self._put(self.uart.recv(4096))
            if self.line in ready:
                data = self._read(4096)
                self.uart.sendall(data)
                waiting += data
                while (payload := frames.take(waiting)) is not None:
                    if payload[:1] == b"L":
                        self._enter_loader()
                        return

    def _enter_loader(self) -> None:
        """The program reads the boot loader's vectors, where QEMU has no memory."""
        end = time.monotonic() + 2.0
        while time.monotonic() < end and select.select([self.uart], [], [], 0.3)[0]:
            self._put(self.uart.recv(4096))
        self.server.interrupt()
        fault = int.from_bytes(self.server.read(BFAR, 4), "little")
        self.started.append("loader" if fault == self.kind.rom else f"fault at {fault:#x}")
        self._initialised = False

    def _take(self, size: int) -> bytes:
        found = b""
        while len(found) < size:
            if self._ending.is_set():
                raise _DamagedError
            if select.select([self.line], [], [], 0.1)[0]:
                found += self._read(size - len(found))
        return found

    def _read(self, size: int) -> bytes:
        """Bytes of the line; none while no program has its other end open."""
        try:
            return os.read(self.line, size)
        except OSError:
            time.sleep(0.02)
            return b""

    def _put(self, data: bytes) -> None:
        os.write(self.line, data)


class _DamagedError(Exception):
    """A command that was not complete."""


@contextlib.contextmanager
def stm32_board(machine: str) -> Iterator[Stm32Board]:
    """A board whose boot loader waits, as after a reset with BOOT0 high."""
    port = free_port()
    own, other = pty.openpty()
    tty.setraw(own)
    tty.setraw(other)
    with qemu_gdb(
        machine, serial=f"tcp:127.0.0.1:{port},server=on,wait=off,nodelay=on"
    ) as emulator:
        host, _, number = emulator.place.removeprefix("gdb:").rpartition(":")
        path = os.ttyname(other)
        # A port that this process has open is in use.
        os.close(other)
        board = Stm32Board(
            KINDS[machine],
            GdbServer(host, int(number)),
            socket.create_connection(("127.0.0.1", port)),
            own,
            f"serial:{path}",
        )
        thread = threading.Thread(target=board.serve, daemon=True)
        thread.start()
        try:
            yield board
        finally:
            board.end()
            thread.join(10.0)
            board.server.close()
            board.uart.close()
            os.close(own)
