"""Starts emulators and ends them again."""

from __future__ import annotations

import contextlib
import hashlib
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pennyweight import cache

_HERE = Path(__file__).parent
_WAIT_S = 60.0


@dataclass
class Emulator:
    """A running emulator; `place` is what `--on` takes."""

    process: subprocess.Popen[bytes]
    place: str

    def kill(self) -> None:
        """As a cable that is pulled."""
        self.process.kill()
        self.process.wait()

    def stall(self) -> None:
        """As a part or a server that hangs."""
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Ends a stall."""
        self.process.send_signal(signal.SIGCONT)


def free_port() -> int:
    """A TCP port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def running(command: Sequence[str | Path], place: str) -> Iterator[Emulator]:
    """A command for as long as the block lasts."""
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
    """The program of `avr_board.c`, compiled once for all tests of a run."""
    source = _HERE / "avr_board.c"
    key = hashlib.sha256(source.read_bytes()).hexdigest()

    def compile_into(folder: Path) -> None:
        command = ["cc", "-O2", "-I/usr/include/simavr", source, "-o", folder / "avr_board"]
        subprocess.run([*map(str, command), "-lsimavr", "-lelf"], check=True)

    return cache.fill("emulators", key, compile_into) / "avr_board"


@contextlib.contextmanager
def avr_gdb() -> Iterator[Emulator]:
    """An ATmega328P behind simavr's debug server."""
    port = free_port()
    with running([avr_board(), "gdb", str(port)], f"gdb:127.0.0.1:{port}") as emulator:
        assert emulator.process.stdout is not None
        while (line := emulator.process.stdout.readline()).strip() != b"ready":
            assert line, "the emulator ended at once"
        yield emulator


def wait_for_port(port: int) -> None:
    """Until somebody listens on it."""
    end = time.monotonic() + _WAIT_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            assert time.monotonic() < end, "the emulator does not listen"
            time.sleep(0.05)
