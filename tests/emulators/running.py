"""Starts and stops emulators."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shlex
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pennyweight import cache
from pennyweight.devices.hexfile import intel_hex
from pennyweight.devices.image import contents
from pennyweight.toolchains.avr_gcc import AvrGcc

_HERE = Path(__file__).parent
_WAIT_S = 60.0


@dataclass
class Emulator:
    """A running emulator; `place` is the value for `--on`."""

    process: subprocess.Popen[bytes]
    place: str

    def kill(self) -> None:
        """Like a disconnected cable."""
        self.process.kill()
        self.process.wait()

    def stall(self) -> None:
        """Like a hung part or server."""
        self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Continues after `stall`."""
        self.process.send_signal(signal.SIGCONT)


def free_port() -> int:
    """A free TCP port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def running(command: Sequence[str | Path], place: str) -> Iterator[Emulator]:
    """Runs a command during the block."""
    process = subprocess.Popen(
        [*map(str, command)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield Emulator(process, place)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGCONT)
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def avr_board() -> Path:
    """The compiled program of `avr_board.c`, cached."""
    source = _HERE / "avr_board.c"
    key = hashlib.sha256(source.read_bytes()).hexdigest()

    def compile_into(folder: Path) -> None:
        command = ["cc", "-O2", "-I/usr/include/simavr", source, "-o", folder / "avr_board"]
        subprocess.run([*map(str, command), "-lsimavr", "-lelf"], check=True)

    return cache.fill("emulators", key, compile_into) / "avr_board"


@contextlib.contextmanager
def avr_gdb(part: str = "atmega328p") -> Iterator[Emulator]:
    """A part behind simavr's debug server."""
    port = free_port()
    with running([avr_board(), "gdb", str(port), part], f"gdb:127.0.0.1:{port}") as emulator:
        assert emulator.process.stdout is not None
        while (line := emulator.process.stdout.readline()).strip() != b"ready":
            assert line, "the emulator exited at once"
        yield emulator


MSP430_PART = (
    *("simio add timer ta0", "simio config ta0 irq1 5", "simio config ta0 iv 0x12e"),
    "mw 0x0ff0 0xf1 0x6c",
)
"""mspdebug's commands that give its simulator a Timer_A and an MSP430F1611's device ID."""


@contextlib.contextmanager
def msp430_gdb() -> Iterator[Emulator]:
    """An MSP430 behind the debug server of mspdebug's simulator, which ends with each client."""
    port = free_port()
    words = shlex.join(["mspdebug", "-n", "-q", "sim", *MSP430_PART, f"gdb {port}"])
    process = subprocess.Popen(
        ["sh", "-c", f"while :; do {words}; done"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        wait_for_port(port)
        yield Emulator(process, f"gdb:127.0.0.1:{port}")
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def wait_for_port(port: int) -> None:
    """Waits until a server listens on the port."""
    end = time.monotonic() + _WAIT_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            assert time.monotonic() < end, "the emulator does not listen"
            time.sleep(0.05)


BOOT_LOADER = Path("/usr/share/arduino/hardware/arduino/avr/bootloaders/optiboot/optiboot.c")


def boot_loader() -> Path:
    """Optiboot, built from the source that Debian's arduino-core-avr ships.

    The package's binary has 524 bytes, 12 more than fit; without blinking the LED it fits.
    """
    found = AvrGcc().locate()
    assert found is not None
    compiler: Path = found
    key = hashlib.sha256(BOOT_LOADER.read_bytes() + str(compiler).encode()).hexdigest()

    def make(folder: Path) -> None:
        flags = ["-Os", "-fno-inline-small-functions", "-fno-split-wide-types", "-mshort-calls"]
        flags += ["-mmcu=atmega328p", "-DF_CPU=16000000L", "-DBAUD_RATE=115200"]
        flags += ["-DLED_START_FLASHES=0", "-nostartfiles", "-nostdlib", "-Wl,--relax", "-w"]
        flags += ["-Wl,--section-start=.text=0x7e00", "-Wl,--section-start=.version=0x7ffe"]
        elf = folder / "boot.elf"
        subprocess.run([str(compiler), *flags, str(BOOT_LOADER), "-o", str(elf)], check=True)
        pieces = [piece for piece in contents(elf.read_bytes()).flash if piece[0] < 0x8000]
        (folder / "boot.hex").write_text(intel_hex(pieces), encoding="ascii")

    return cache.fill("emulators", key, make) / "boot.hex"


@contextlib.contextmanager
def avr_serial() -> Iterator[Emulator]:
    """An Arduino Uno: an ATmega328P with its boot loader, on a pseudo terminal."""
    with running([avr_board(), "serial", boot_loader()], "") as emulator:
        assert emulator.process.stdout is not None
        line = emulator.process.stdout.readline().decode().strip()
        while line and not line.startswith("/dev/"):
            line = emulator.process.stdout.readline().decode().strip()
        assert line, "the emulator exited at once"
        emulator.place = f"serial:{line}"
        yield emulator


BOARDS = _HERE / "boards"
"""Board files of QEMU's machines, as `<machine>.toml`."""


QEMU = {
    "sifive_e": ("qemu-system-riscv32", "-M", "sifive_e"),
    "pic32mx340": (
        # The first 506 MB are RAM, so the part's registers and flash keep what is written to them;
        # DEVID and OSCCON have the values of a chipKIT uC32.
        *("qemu-system-mipsel", "-M", "mipssim", "-cpu", "4KEm", "-m", "506M"),
        *("-bios", "/dev/null", "-nic", "none"),
        *("-device", "loader,addr=0x1f80f220,data=0x40916053,data-len=4"),
        *("-device", "loader,addr=0x1f80f000,data=0x00053000,data-len=4"),
    ),
    "lx106": (
        *("qemu-system-xtensa", "-M", "sim", "-cpu", "lx106"),
        *("-device", "loader,addr=0x40001000,data=0x00f01d83,data-len=4"),
    ),
}
"""The command of each machine that is not an Arm; `pic32mx340` and `lx106` are a core and RAM."""


@contextlib.contextmanager
def qemu_gdb(machine: str, *options: str, serial: str = "null") -> Iterator[Emulator]:
    """One of QEMU's machines behind its debug server; an instruction takes 16 ns of its time.
    `serial` is where its first UART is connected.
    """
    port = free_port()
    program = QEMU.get(machine, ("qemu-system-arm", "-M", machine))
    command = [*program, "-S", "-icount", "shift=4", "-display", "none"]
    command += ["-gdb", f"tcp:127.0.0.1:{port}", "-serial", serial, "-monitor", "none", *options]
    with running(command, f"gdb:127.0.0.1:{port}") as emulator:
        wait_for_port(port)
        yield emulator
