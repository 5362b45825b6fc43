"""The simulators to compare with: how each runs an image, and on which boards."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from scripts.bench_simulator.programs import HERE, Image
from yasimavr.device_library import model_list

from pennyweight.catalogue.boards import Board

TIMEOUT_S = 60
AVR8JS = "avr8js@0.21.1"


@dataclass(frozen=True)
class Peer:
    """Another simulator."""

    name: str
    run: Callable[[Image], float]
    """Seconds of CPU time for an image, including the simulator's start."""

    guess: float
    """Approximate speed in Mcycles/s, for the length of its first run."""


@dataclass(frozen=True)
class Machine:
    """A QEMU machine that can run a board's images.

    QEMU does not model cycles, so a different part with the same or a larger core is sufficient.
    """

    program: str
    options: tuple[str, ...]
    moved: tuple[int, int] | None = None
    """The addresses of its memories, if they differ from the board's: flash, RAM."""


def _arm(machine: str, moved: tuple[int, int] | None = None) -> Machine:
    return Machine("qemu-system-arm", ("-M", machine), moved)


# QEMU's `sim` has RAM at 0x60000000 with this core; the LX6 runs the LX106's code here.
_XTENSA = Machine(
    "qemu-system-xtensa", ("-M", "sim", "-cpu", "lx106"), moved=(0x6010_0000, 0x6000_0000)
)
# Enough RAM to include the addresses of the part's flash.
_MIPS = Machine("qemu-system-mipsel", ("-M", "mipssim", "-cpu", "4KEm", "-m", "480M"))
# Its core has all of the parts' instructions and registers. `virt` has 128 MB of RAM from
# 0x80000000 on, of which the largest part's flash takes 16.
_RISCV = Machine(
    "qemu-system-riscv32", ("-M", "virt", "-bios", "none"), moved=(0x8000_0000, 0x8100_0000)
)
QEMU = {
    "atmega328p": Machine("qemu-system-avr", ("-M", "uno")),
    "stm32f030": _arm("netduino2"),
    "stm32f030-48mhz": _arm("netduino2"),
    "samd21": _arm("mps2-an385"),
    "sam3x8e": _arm("mps2-an385", moved=(0, 0x2007_0000)),
    "stm32f103-24mhz": _arm("netduino2"),
    "stm32f103-72mhz": _arm("netduino2"),
    "nrf52840": _arm("mps2-an386"),
    "stm32f407-24mhz": _arm("netduinoplus2"),
    "stm32f407-168mhz": _arm("netduinoplus2"),
    "stm32f429": _arm("netduinoplus2"),
    "nrf52833": _arm("mps2-an386"),
    "rp2040": _arm("mps2-an385", moved=(0, 0x2002_0000)),
    "rp2040-xip": _arm("mps2-an385", moved=(0, 0x2000_0000)),
    "rp2350": _arm("mps2-an505", moved=(0x1000_0000, 0x3800_0000)),
    "rp2350-xip": _arm("mps2-an505", moved=(0x1000_0000, 0x3800_0000)),
    "rp2350-hazard3": _RISCV,
    "samd51": _arm("mps2-an386"),
    "cc2652r": _arm("mps2-an386"),
    "nrf5340-64mhz": _arm("mps2-an505", moved=(0x1000_0000, 0x3800_0000)),
    "nrf5340-128mhz": _arm("mps2-an505", moved=(0x1000_0000, 0x3800_0000)),
    "stm32f303-72mhz": _arm("netduinoplus2"),
    "stm32f303-ccm": _arm("mps2-an386", moved=(0, 0x2000_0000)),
    "stm32g071-16mhz": _arm("netduino2"),
    "stm32g071-64mhz": _arm("netduino2"),
    "stm32l053-16mhz": _arm("netduino2"),
    "stm32l476-16mhz": _arm("netduinoplus2"),
    "stm32l476-80mhz": _arm("netduinoplus2"),
    "stm32l4r5-20mhz": _arm("mps2-an386", moved=(0, 0x2000_0000)),
    "stm32l4r5-120mhz": _arm("mps2-an386", moved=(0, 0x2000_0000)),
    "stm32u585": _arm("mps2-an505", moved=(0x1000_0000, 0x3800_0000)),
    "esp32-c3": _RISCV,
    "ch32v003-24mhz": _RISCV,
    "ch32v003-48mhz": _RISCV,
    "fe310-g002": Machine("qemu-system-riscv32", ("-M", "sifive_e,revb=true")),
    "esp8266": _XTENSA,
    "esp32": _XTENSA,
    "pic32mx340": _MIPS,
}


def qemu(machine: Machine, board: Board, counting: bool) -> Peer:
    """QEMU, with and without counting instructions (`-icount`)."""
    emulator = [machine.program, *machine.options, "-display", "none", "-monitor", "none"]
    emulator += [*(["-icount", "shift=0"] if counting else [])]
    name = "QEMU -icount" if counting else "QEMU"
    if machine.program == "qemu-system-avr":
        emulator += ["-serial", "stdio"]
        return Peer(
            name, lambda image: _until_character([*emulator, "-bios", str(image.path)]), 900
        )
    emulator += ["-serial", "none", "-semihosting"]

    def run(image: Image) -> float:
        if machine.program == "qemu-system-xtensa":
            # Its `-kernel` does not start at the image's entry on this core.
            load = ["-device", f"loader,file={image.path},cpu-num=0"]
        else:
            load = ["-kernel", str(image.path)]
        return _run([*emulator, *load], name)[1]

    return Peer(name, run, 1200)


def _until_character(command: list[str]) -> float:
    """Runs a machine that cannot exit, until a character arrives from its serial port."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.read(1)
        process.kill()
        return _spent(process)


def _spent(process: subprocess.Popen[bytes]) -> float:
    """The CPU time of a process that has ended or is about to end."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime


def _run(command: list[str], name: str) -> tuple[str, float]:
    """The output of a command, and its CPU time."""
    with (
        tempfile.TemporaryFile() as output,
        subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        ) as process,
    ):
        timer = threading.Timer(TIMEOUT_S, process.kill)
        timer.start()
        seconds = _spent(process)
        timer.cancel()
        output.seek(0)
        text = output.read().decode(errors="replace")
    if process.returncode == -signal.SIGKILL:
        sys.exit(f"bench-simulator: {name} did not end within {TIMEOUT_S} s: {' '.join(command)}")
    if process.returncode != 0:
        sys.exit(f"bench-simulator: {name}: {text.strip() or process.returncode}")
    return text, seconds


def simavr(folder: Path, board: Board) -> Peer:
    """Builds the driver for simavr."""
    driver = folder / "simavr_run"
    if not driver.exists():
        source = str(HERE / "simavr_run.c")
        subprocess.run(["cc", "-O2", source, "-o", str(driver), "-lsimavr", "-lelf"], check=True)
    part, hz = board.file.id, str(board.file.clock.hz)
    command = [str(driver), part, hz]
    return Peer(
        "simavr", lambda i: _run([*command, str(i.path), hex(i.stop)], "simavr")[1], guess=200
    )


def yasimavr(board: Board) -> Peer:
    """Runs in the Python that has yasimavr."""
    python = os.environ.get("PENNYWEIGHT_PYTHON", sys.executable)
    command = [python, str(HERE / "yasimavr_run.py"), board.file.id, str(board.file.clock.hz)]
    return Peer("yasimavr", lambda i: _run([*command, str(i.path)], "yasimavr")[1], guess=100)


def avr8js(folder: Path) -> Peer | None:
    """Downloads it from its registry into `folder`; `None` if that fails."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        return None
    command = [npm, "install", "--silent", "--no-save", "--prefix", str(folder), AVR8JS]
    try:
        done = subprocess.run(command, capture_output=True, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return None
    module = folder / "node_modules" / "avr8js"
    if done.returncode != 0 or not module.exists():
        return None
    driver = [node, str(HERE / "avr8js_run.cjs"), str(module)]
    return Peer(
        "avr8js", lambda i: _run([*driver, str(i.path), hex(i.stop)], "avr8js")[1], guess=60
    )


MSPDEBUG = {"msp430": "sim", "msp430x": "simx"}
"""The names of mspdebug's simulators by instruction set; that of CPUX exists since 0.26."""


def mspdebug(simulator: str) -> Peer | None:
    """One of its simulators, including its start; `None` if it is not installed."""
    if shutil.which("mspdebug") is None:
        return None
    listed = subprocess.run(["mspdebug", "--help"], capture_output=True, text=True)
    if simulator not in (listed.stdout + listed.stderr).split():
        return None

    def run(image: Image) -> float:
        driver = ["mspdebug", "-n", "-q", simulator]
        command = [*driver, f"prog {image.path}", f"setbreak {image.stop:#x}"]
        output, seconds = _run([*command, "run"], "mspdebug")
        if f"( PC: {image.stop:05x})" not in output:
            sys.exit(f"bench-simulator: mspdebug did not reach the end: {output[-200:]}")
        return seconds

    return Peer("mspdebug", run, 40)


def peers(board: Board, folder: Path) -> tuple[list[Peer], list[str]]:
    """The installed peers of a board, and a remark for each missing one."""
    found: list[Peer] = []
    absent: list[str] = []
    name, instructions = board.file.id, board.core_file.file.instruction_set
    if instructions == "avre":
        found.append(simavr(folder, board))
    if name == "atmega328p":  # the part of avr8js
        js = avr8js(folder)
        found += [js] if js is not None else []
        absent += [] if js is not None else ["avr8js is not available (npm)"]
    if instructions == "avrxt" and name in model_list():
        found.append(yasimavr(board))
    if instructions in MSPDEBUG:
        peer = mspdebug(MSPDEBUG[instructions])
        found += [peer] if peer is not None else []
        name_there = f"mspdebug's {MSPDEBUG[instructions]}"
        absent += [] if peer is not None else [f"{name_there} is not installed"]
    machine = QEMU.get(name)
    if machine is not None and shutil.which(machine.program):
        found += [qemu(machine, board, counting) for counting in (False, True)]
    elif machine is not None:
        absent.append(f"{machine.program} is not installed")
    return found, absent
