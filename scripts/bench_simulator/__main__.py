"""Speed of our simulators beside their peers, on the same ELF files, in one run.

Each program calls one function on 512 bytes in a loop. Ours runs with all timing and stack
observation on. A peer's speed in Mcycles/s is ours cycles over its time: QEMU does not count
cycles, and yasimavr counts others. Times are the best of the rounds, for each simulator, taken in
turn.
"""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pennyweight import catalogue, toolchains
from pennyweight._simulator import Board, Machine
from pennyweight.build.sources import collect
from pennyweight.catalogue.boards import Board as BoardFile
from pennyweight.model import Kind

HERE = Path(__file__).parent
FIRMWARE = HERE.parent.parent / "firmware"
ROUNDS = 3
CYCLES = 400_000_000
UNLIMITED = 1 << 62
# Machines of QEMU's whose memories lie where these boards have theirs; QEMU models no cycles, so
# that another part with the core, or a larger core, does as well.
CORTEX_M = {
    "samd21": "mps2-an385",
    "stm32f103-24mhz": "netduino2",
    "stm32f103-72mhz": "netduino2",
    "nrf52840": "mps2-an386",
    "stm32f407-24mhz": "netduinoplus2",
    "stm32f407-168mhz": "netduinoplus2",
}
PROGRAMS = [
    "aes-128-gcm/table",
    "aes-128-gcm/ct32",
    "chacha20-poly1305/fast32",
    "ascon-aead128/fast32",
    "sha-256/small",
]
QEMU = {"qemu-system-arm": "qemu-system-arm", "qemu-system-riscv32": "qemu-system-misc"}
"""Programs and their packages."""


@dataclass
class Image:
    """A linked program: its file, where it stops, how many cycles it takes here."""

    path: Path
    stop: int
    cycles: int


def build(board: BoardFile, program: str, loops: int, folder: Path) -> Path:
    """Links `program` with the loop for `board` at -O2."""
    (implementation,) = catalogue.load().find(program)
    toolchain = toolchains.for_board(board)
    sources = collect(implementation)
    target = folder / f"{program.replace('/', '-')}-{loops}.elf"
    command: list[str] = [str(toolchain.driver), *board.file.compiler.flags, "-O2"]
    command += ["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]
    command += [f"-DPW_LOOPS={loops}UL"]
    if implementation.kind is Kind.HASH:
        command.append("-DPW_HASH")
    command += ["-I.", *(f"-I{path}" for path in sources.include), f"-I{FIRMWARE / 'include'}"]
    command += [f"-isystem{path}" for path in toolchain.family.library_headers(FIRMWARE)]
    command += [*sources.compiled, str(HERE / "loop.c"), "-o", str(target)]
    command += [str(path) for path in toolchain.family.library_sources(FIRMWARE)]
    arguments = toolchain.family.link_arguments(board, FIRMWARE)
    command += [each for each in arguments if not each.endswith(("_end=_end", "__do_clear_bss"))]
    done = subprocess.run(command, cwd=sources.folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"bench-simulator: {program} does not build:\n{done.stderr}")
    return target


def run_ours(board: BoardFile, elf: Path) -> tuple[Image, float]:
    """Runs an image here: its cycles and the seconds that took."""
    text = board.path.read_text()
    machine = Machine(Board.from_toml(text, str(board.path)), elf.read_bytes())
    stop = machine.symbol("bench_done")
    assert stop is not None
    started = time.perf_counter()
    outcome = machine.boot(stop, UNLIMITED)
    seconds = time.perf_counter() - started
    if outcome.exit != "returned":
        sys.exit(f"bench-simulator: {elf.name}: {outcome.message or outcome.exit}")
    return Image(elf, stop, outcome.cycles), seconds


def simavr(folder: Path, board: BoardFile) -> Callable[[Image], float]:
    """Builds the small driver of simavr and gives a function that runs it: seconds."""
    driver = folder / "simavr_run"
    command = ["cc", "-O2", str(HERE / "simavr_run.c"), "-o", str(driver), "-lsimavr", "-lelf"]
    subprocess.run(command, check=True)

    def run(image: Image) -> float:
        part, hz = board.file.id, str(board.file.clock.hz)
        command = [str(driver), part, hz, str(image.path), hex(image.stop)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"bench-simulator: simavr: {done.stderr.strip()}")
        cycles, seconds = done.stdout.split()[-2:]
        if int(cycles) != image.cycles:
            print(f"  {image.path.name}: simavr counts {cycles} cycles, ours {image.cycles}")
        return float(seconds)

    return run


def yasimavr(board: BoardFile) -> Callable[[Image], float]:
    """Gives a function that runs an image in yasimavr: seconds. It counts other cycles than ours
    (see `lockstep_avr`), so its own count is not compared.
    """
    python = os.environ.get("PENNYWEIGHT_PYTHON", sys.executable)

    def run(image: Image) -> float:
        part, hz = board.file.id, str(board.file.clock.hz)
        command = [python, str(HERE / "yasimavr_run.py"), part, hz, str(image.path)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"bench-simulator: yasimavr: {done.stderr.strip()}")
        return float(done.stdout.split()[-1])

    return run


def qemu(program: str, machine: str) -> Callable[[Image], float]:
    """Gives a function that runs an image in a machine of QEMU's: seconds, its start included."""
    emulator = [program, "-M", machine, "-display", "none", "-monitor", "none"]
    emulator += ["-serial", "none", "-semihosting"]

    def run(image: Image) -> float:
        command = [*emulator, "-kernel", str(image.path)]
        started = time.perf_counter()
        subprocess.run(command, check=True, timeout=120, stdin=subprocess.DEVNULL)
        return time.perf_counter() - started

    return run


def mspdebug(image: Image) -> float:
    """Runs an image in mspdebug's simulator: seconds, its start included."""
    command = ["mspdebug", "-n", "-q", "sim", f"prog {image.path}", f"setbreak {image.stop:#x}"]
    started = time.perf_counter()
    done = subprocess.run([*command, "run"], capture_output=True, text=True, timeout=600)
    seconds = time.perf_counter() - started
    if f"( PC: {image.stop:05x})" not in done.stdout:
        sys.exit(f"bench-simulator: mspdebug did not reach the end: {done.stdout[-200:]}")
    return seconds


def compare(
    board: BoardFile,
    peer_name: str,
    peer: Callable[[Image], float],
    folder: Path,
    cycles: int = CYCLES,
) -> None:
    """Prints a table for one core; each program runs for about so many cycles."""
    print(f"\n{board.file.title} ({board.file.core.name})")
    print(f"  {'program':28} {'guest Mcycles':>13} {'ours':>8} {peer_name:>8} {'ratio':>6}")
    ours_all, peer_all = [], []
    for program in PROGRAMS:
        once, _ = run_ours(board, build(board, program, 1, folder))
        twice, _ = run_ours(board, build(board, program, 2, folder))
        # The first call may find a cold cache: the second tells what a call costs.
        loops = max(2, cycles // (twice.cycles - once.cycles))
        short = run_ours(board, build(board, program, 1 + loops // 8, folder))[0]
        elf = build(board, program, loops, folder)
        image, best_ours, best_long, best_short = once, math.inf, math.inf, math.inf
        for _ in range(ROUNDS):
            image, seconds = run_ours(board, elf)
            best_ours = min(best_ours, seconds)
            best_long = min(best_long, peer(image))
            best_short = min(best_short, peer(short))
        # The difference of two lengths leaves out the peer's start.
        ours = image.cycles / best_ours / 1e6
        other = (image.cycles - short.cycles) / (best_long - best_short) / 1e6
        ours_all.append(ours)
        peer_all.append(other)
        mega = image.cycles / 1e6
        print(f"  {program:28} {mega:13.0f} {ours:8.0f} {other:8.0f} {ours / other:6.2f}")
    ours, other = geometric_mean(ours_all), geometric_mean(peer_all)
    print(f"  {'geometric mean':28} {'':13} {ours:8.0f} {other:8.0f} {ours / other:6.2f}")


def geometric_mean(values: list[float]) -> float:
    """Of positive numbers."""
    return math.exp(sum(math.log(value) for value in values) / len(values))


def main() -> None:
    """Prints guest Mcycles/s for each core."""
    for program, package in QEMU.items():
        if shutil.which(program) is None:
            sys.exit(f"bench-simulator: {program} is missing: `apt-get install {package}`")
    boards = catalogue.load()
    print("Guest Mcycles/s on one host core; ours with all timing and stack observation on.")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for name in ("atmega328p", "atmega128"):
            avr = boards.board(name)
            compare(avr, "simavr", simavr(folder, avr), folder)
        avr = boards.board("atmega4809")
        compare(avr, "yasimavr", yasimavr(avr), folder)
        arm = qemu("qemu-system-arm", "microbit")
        compare(boards.board(str(HERE / "microbit.toml")), "QEMU", arm, folder)
        for name, machine in CORTEX_M.items():
            compare(boards.board(name), "QEMU", qemu("qemu-system-arm", machine), folder)
        riscv = qemu("qemu-system-riscv32", "sifive_e,revb=true")
        compare(boards.board("fe310-g002"), "QEMU", riscv, folder)
        msp430 = boards.board("msp430f1611")
        absent = toolchains.missing(msp430)
        if absent is None:
            compare(msp430, "mspdebug", mspdebug, folder, CYCLES // 8)
        else:
            print(f"\n{absent}")


if __name__ == "__main__":
    main()
