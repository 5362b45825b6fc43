"""Compares the simulators' speed with that of their peers on the same ELF files, for every board.

Pennyweight runs with all timing and stack observation, with the interpreter and with the default
engine, which translates what runs often. Its speed is the run's cycles divided by its time, after
some runs that translate. A peer's speed is Pennyweight's cycles divided by the peer's time,
whatever it counts itself. A short run is subtracted, which removes the peer's start. Times are
CPU times, which other programs on the machine affect less. With `--write`, the table is also
written to docs/speed.md.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from scripts.bench_simulator.peers import QEMU, Peer, peers
from scripts.bench_simulator.programs import HERE, PROGRAMS, Image, link, moved

from pennyweight import catalogue, toolchains
from pennyweight._simulator import Machine, Outcome
from pennyweight.build.image import Image as BuiltImage
from pennyweight.catalogue.boards import Board

PAGE = HERE.parent.parent / "docs" / "speed.md"
ROUNDS = 2
SECONDS = 0.15
"""Approximate length of a run in seconds."""

Engine = Literal["interpreter", "auto"]

RUN = 20
"""Approximate length of a run here, of which there are as many as that time takes, in Mcycles."""

WARM: dict[Engine, int] = {"interpreter": 1, "auto": 10}
"""Runs here before those that are measured, once something is translated."""

UNTRANSLATED = 100
"""Runs in which nothing is translated, after which nothing will be."""

UNLIMITED = 1 << 62
NEEDED = {False: 2000, True: 1000}
"""Required Mcycles/s of the default engine, without and with a model of caches or prefetching."""

PEER = "QEMU"
RATIO = {False: 1.0, True: 0.7}
"""The same relative to QEMU without a count of instructions."""

QEMU_PACKAGES = {
    "qemu-system-arm": "qemu-system-arm",
    "qemu-system-mipsel": "qemu-system-mips",
    "qemu-system-riscv32": "qemu-system-misc",
}


@dataclass
class Row:
    """The results of one board."""

    board: Board
    interpreted: list[float]
    """Mcycles/s for each program, with the interpreter."""
    speeds: list[float]
    """The same with the default engine."""
    others: dict[str, list[float]]
    """By peer."""
    remark: str

    @property
    def clock(self) -> float:
        """The part's clock in MHz."""
        return self.board.file.clock.hz / 1e6

    @property
    def cached(self) -> bool:
        """Whether its memory timing depends on earlier accesses."""
        return self.board.has_memory_effects

    def shortcoming(self) -> str | None:
        """The requirement that it does not meet, if any."""
        mean, needed = geometric_mean(self.speeds), NEEDED[self.cached]
        if mean < needed:
            return (
                f"{self.board.file.id} does {mean:.0f} Mcycles/s in the mean, {needed} are needed"
            )
        if min(self.speeds) < self.clock:
            return (
                f"{self.board.file.id} does {min(self.speeds):.0f} Mcycles/s, less than its clock"
            )
        ratio, least = self._ratio(), RATIO[self.cached]
        if ratio is not None and ratio < least:
            return f"{self.board.file.id} does {ratio:.2f} of QEMU's speed, {least} is needed"
        return None

    def _ratio(self) -> float | None:
        theirs = self.others.get(PEER)
        return geometric_mean(self.speeds) / geometric_mean(theirs) if theirs else None


def geometric_mean(values: list[float]) -> float:
    """The geometric mean of positive numbers."""
    return math.exp(sum(math.log(value) for value in values) / len(values))


class Program:
    """A program in a simulator, after its start-up code."""

    def __init__(self, board: Board, image: Image, engine: Engine) -> None:
        self._machine = Machine.with_engine(board.simulated(), image.path.read_bytes(), engine)
        self._name = image.path.name
        self._function = self._symbol("bench_calls")
        self._ended(self._machine.boot(self._symbol("main"), UNLIMITED))

    @property
    def is_translated(self) -> bool:
        """Whether translated code has run."""
        return self._machine.translated_runs > 0

    def run(self) -> tuple[int, float]:
        """Makes the image's number of calls; returns the cycles and the seconds that they take."""
        started = time.process_time()
        outcome = self._machine.call(self._function, [], UNLIMITED, 0)
        seconds = time.process_time() - started
        return self._ended(outcome).cycles, seconds

    def _symbol(self, name: str) -> int:
        found = self._machine.symbol(name)
        if found is None:
            sys.exit(f"bench-simulator: {self._name} has no {name}")
        return found

    def _ended(self, outcome: Outcome) -> Outcome:
        if outcome.exit != "returned":
            sys.exit(f"bench-simulator: {self._name}: {outcome.message or outcome.exit}")
        return outcome


def speed_here(board: Board, image: Image, engine: Engine) -> float:
    """Mcycles/s: the best of several runs, each long enough, after some that are not measured, in
    which everything is translated.
    """
    program = Program(board, image, engine)
    for _ in range(UNTRANSLATED if engine == "auto" else 0):
        if program.is_translated:
            break
        program.run()
    for _ in range(WARM[engine]):
        program.run()
    best = 0.0
    for _ in range(ROUNDS):
        cycles, seconds = 0, 0.0
        while seconds < SECONDS:
            more, time_of_it = program.run()
            cycles, seconds = cycles + more, seconds + time_of_it
        best = max(best, cycles / seconds / 1e6)
    return best


def fits(board: Board, elf: Path) -> bool:
    """Whether a program and its data are no larger than the board's memories."""
    image = BuiltImage(elf.read_bytes())
    return image.flash <= board.flash.size and image.ram < board.ram.size


def end(board: Board, elf: Path) -> int:
    """The address at which a program ends."""
    stop = Machine(board.simulated(), elf.read_bytes()).symbol("bench_done")
    if stop is None:
        sys.exit(f"bench-simulator: {elf.name} has no bench_done")
    return stop


def calls(mega_cycles: float, per_call: int) -> int:
    """Number of calls for a run of this length, at least one in addition to the first."""
    return 1 + max(1, round(mega_cycles * 1e6 / per_call))


def speed(peer: Peer, image: Image, per_call: int) -> float:
    """A peer's Mcycles/s; the difference between two lengths removes its start."""
    once = min(peer.run(image.calling(1)) for _ in range(2))
    times = calls(peer.guess * SECONDS, per_call)
    while True:
        more = peer.run(image.calling(times)) - once
        if more > SECONDS / 2:
            return (times - 1) * per_call / more / 1e6
        times = calls(4 * times * per_call / 1e6, per_call)


def compare(name: str, folder: Path, programs: list[str], details: bool) -> Row:
    """Pennyweight and all peers on one board."""
    board = catalogue.load().board(name)
    machine = QEMU.get(name)
    if machine is not None and machine.moved is not None:
        board = moved(board, *machine.moved, folder)
    found, absent = peers(board, folder)
    row = Row(board, [], [], {peer.name: [] for peer in found}, "; ".join(absent))
    if machine is None and board.file.bits == 8:
        others = [] if found else ["nor by yasimavr"]
        row.remark = "; ".join([*absent, " ".join(["not supported by QEMU", *others])])
    large = []
    for program in programs:
        elf = link(board, program, folder)
        if not fits(board, elf):
            large.append(program)
            continue
        image = Image(elf, end(board, elf))
        # The first call may find a cold cache: the second one gives the cost of a call.
        first, second = (
            Program(board, image.calling(times), "interpreter").run()[0] for times in (1, 2)
        )
        per_call = second - first
        several = image.calling(calls(RUN, per_call))
        row.interpreted.append(speed_here(board, several, "interpreter"))
        row.speeds.append(speed_here(board, several, "auto"))
        for peer in found:
            row.others[peer.name].append(speed(peer, image, per_call))
        if details:
            others = [f"{peer} {each[-1]:.0f}" for peer, each in row.others.items()]
            both = f"{row.interpreted[-1]:6.0f} {row.speeds[-1]:6.0f}"
            print(f"    {program:26} {both}   {', '.join(others)}", flush=True)
    if large:
        row.remark = "; ".join(
            [*filter(None, [row.remark]), f"without {', '.join(large)}: too large"]
        )
    return row


def cells(row: Row) -> list[str]:
    """A board's remarks in the table."""
    means = {name: geometric_mean(each) for name, each in row.others.items()}
    ours = geometric_mean(row.speeds)
    speeds = [
        f"{name} {mean:.0f} ({ours / mean:.1f})"
        for name, mean in sorted(means.items(), key=lambda item: -item[1])
    ]
    file = row.board.file
    return [
        file.id,
        row.board.core,
        "yes" if row.cached else "no",
        f"{row.clock:.0f}",
        f"{geometric_mean(row.interpreted):.0f}",
        f"{ours:.0f}",
        f"{min(row.speeds):.0f}",
        f"{min(row.speeds) / row.clock:.1f}",
        ", ".join(speeds) or "none",
        row.remark,
    ]


HEADINGS = [
    "board",
    "core",
    "cache",
    "MHz",
    "interpreter",
    "Pennyweight",
    "slowest",
    "× clock",
    "peers (ratio)",
    "remark",
]
WIDTHS = [17, 14, 5, 4, 11, 11, 7, 7, 62, 0]
NUMBERS = (3, 4, 5, 6, 7)


def line(words: list[str]) -> str:
    """One line of the table on the terminal."""
    padded = [
        word.rjust(width) if number in NUMBERS else word.ljust(width)
        for number, (word, width) in enumerate(zip(words, WIDTHS, strict=True))
    ]
    return "  ".join(padded).rstrip()


def host() -> str:
    """The host: the processor's name and the load."""
    name = ""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        found = re.search(r"model name\s*: (.*)", cpuinfo.read_text())
        name = found.group(1) if found else ""
    return f"{name or 'an unknown processor'}, load {os.getloadavg()[0]:.1f} at the start"


def write(page: Path, rows: list[Row], on: str) -> None:
    """Writes the table to the page, between its two markers."""
    table = [
        f"Measured on {datetime.now(UTC):%Y-%m-%d} on one core of {on}.",
        "",
        "| " + " | ".join(HEADINGS) + " |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | --- | --- |",
        *("| " + " | ".join(cells(row)) + " |" for row in rows),
    ]
    text = page.read_text()
    head, rest = text.split("<!-- table -->\n")
    _, tail = rest.split("<!-- end of table -->\n")
    lines = "\n".join(table)
    page.write_text(f"{head}<!-- table -->\n{lines}\n<!-- end of table -->\n{tail}")


def main(arguments: list[str], page: Path = PAGE) -> None:
    """Measures every board and prints as it proceeds; changes `page` only with `--write`."""
    parser = argparse.ArgumentParser(prog="bench-simulator", description=__doc__)
    parser.add_argument("--board", action="append", help="only this board; repeatable")
    parser.add_argument(
        "--programs", type=int, default=len(PROGRAMS), help="only the first N programs"
    )
    parser.add_argument("--details", action="store_true", help="each program's figures")
    parser.add_argument(
        "--write", action="store_true", help="replace the table in docs/speed.md; all boards"
    )
    options = parser.parse_args(arguments)
    if options.write and (options.board is not None or options.programs != len(PROGRAMS)):
        parser.error("--write needs all boards and programs; drop --board and --programs")
    for program, package in QEMU_PACKAGES.items():
        if shutil.which(program) is None:
            sys.exit(f"bench-simulator: {program} is missing: `apt-get install {package}`")
    started = time.perf_counter()
    on = host()
    print(f"Guest Mcycles/s on one core of {on}; all timing and stack observation enabled.")
    print("Geometric mean of five programs; of the default engine also the slowest of them.\n")
    print(line(HEADINGS), flush=True)
    rows = []
    known = catalogue.load()
    with tempfile.TemporaryDirectory() as name:
        for board in options.board or known.boards:
            absent = toolchains.missing(known.board(board))
            if absent is not None:
                print(f"{board:17}  {absent}", flush=True)
                continue
            folder = Path(name)
            row = compare(board, folder, PROGRAMS[: options.programs], options.details)
            if row.speeds:
                rows.append(row)
                print(line(cells(row)), flush=True)
            else:
                print(f"{board:17}  none of the programs fits", flush=True)
            for old in folder.glob("*.elf"):
                old.unlink()
    short = [found for row in rows if (found := row.shortcoming()) is not None]
    print("", *short, sep="\n")
    if not short:
        print("Every board does its clock, and 2,000 Mcycles/s, 1,000 with a model of caches.")
    print(f"{time.perf_counter() - started:.0f} s")
    if options.write:
        write(page, rows, on)
        print(f"The table is in {page}.")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except subprocess.CalledProcessError as error:
        sys.exit(f"bench-simulator: {' '.join(map(str, error.cmd))} failed")
