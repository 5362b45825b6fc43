"""Micro-benchmarks of memory: one program for each board, and the calls of its functions.

Each function repeats rounds of code or loads; `firmware/calibration/` has them for each family of
cores. A benchmark is the difference between two calls with different numbers of rounds, so it
contains neither the overhead of calling and counting nor the first rounds, in which buffers and
caches fill. Another call before each of the two removes what earlier code left in them.
"""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pennyweight.build.link import Linker
from pennyweight.build.objects import compile_firmware
from pennyweight.build.programs import Program
from pennyweight.catalogue.boards import Board
from pennyweight.catalogue.root import data_root
from pennyweight.model import UserError
from pennyweight.target.interface import Machine
from pennyweight.toolchains import family, for_board

Reads = Literal["code", "flash", "ram"]
"""What a benchmark depends on: fetches only, or also loads from flash or RAM."""

STRAIGHT, WIDE, JUMPS, MIXED, HOPS, LOADS, PAIRS, FLASH_LOADS = (
    "pw_straight",
    "pw_straight_wide",
    "pw_jumps",
    "pw_mixed",
    "pw_hops",
    "pw_loads",
    "pw_load_pairs",
    "pw_flash_loads",
)

FLUSH = "pw_flush"
"""Fills buffers and caches with lines that no benchmark uses."""

_MIXED, _HOPS = (12, 36), (4, 124)
"""Repetitions of the patterns of `pw_mixed` and `pw_hops`, and bytes of each. No multiples of a
line, so that the patterns begin at different places in one.
"""

_LINE = 256
"""The largest line of a board file in bytes; loads begin at a multiple of it."""

_REGIONS = 8
"""A region is at most this fraction of the flash: there are up to three, and a monitor."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How the benchmarks of a family of cores are called."""

    instruction: int
    """Bytes of an instruction of the straight-line code."""
    branch: int
    """Bytes of the code of one branch in the chain; distances are multiples of it."""
    nearest: int
    """The smallest distance between two branches in bytes."""
    largest: int
    """Limit for a region in bytes: more than any cache of such parts."""
    bias: int = 0
    """Subtracted from a distance to get the function's argument."""
    unit: int = 1
    """Bytes per address of code."""
    state: int = 0
    """Added to an address of code."""
    word: int = 4
    """Bytes of a load."""


_SHAPES = {
    "avr": Shape(2, 6, 6, 4096, unit=2, word=1),
    "cortex-m": Shape(2, 2, 4, 1 << 13, bias=4, state=1),
    "riscv": Shape(4, 4, 4, 1 << 15),
    "mips": Shape(4, 8, 8, 1 << 13),
}
"""Keyed by the family's folder in `firmware/`."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Two calls of a function of the program, with `first` and with `first + rounds` rounds."""

    name: str
    """In words, such as `straight-line code, 64 bytes`."""
    function: str
    arguments: tuple[int, ...]
    """Those after the number of rounds."""
    reads: Reads
    first: int
    rounds: int
    length: int
    """Instructions in a round, about."""


@functools.lru_cache(maxsize=4)
def build_benchmarks(board: Board) -> Program:
    """The program for a board. Raises `UserError` and `MissingToolchainError`."""
    folder_name = family(board).firmware
    if folder_name not in _SHAPES:
        raise UserError(
            f"board '{board.id}': there are no micro-benchmarks for the core {board.core} in "
            f"firmware/calibration; available: {', '.join(sorted(_SHAPES))}"
        )
    toolchain = for_board(board)
    firmware = data_root() / "firmware"
    source = firmware / "calibration" / f"{folder_name}.S"
    flags = board.file.compiler.flags
    sizes = (
        f"-DPW_REGION={region_bytes(board)}",
        f"-DPW_MIXED={_MIXED[0]}",
        f"-DPW_HOPS={_HOPS[0]}",
    )
    with tempfile.TemporaryDirectory(prefix="pennyweight-") as name:
        folder = Path(name)
        compile_firmware(toolchain, source, (*flags, *sizes), folder / "benchmarks.o")
        linker = Linker(toolchain, board, flags, firmware, folder)
        roots = frozenset((STRAIGHT, JUMPS, LOADS, FLUSH))
        elf = linker.link("benchmarks", ["benchmarks.o"], roots).image.elf
    return Program("benchmarks", elf, 0, 0)


def benchmarks_of(board: Board, machine: Machine) -> list[Benchmark]:
    """All benchmarks of the program that a machine has loaded."""
    shape = _SHAPES[family(board).firmware]
    region = region_bytes(board)
    found = [*_straight(machine, shape, STRAIGHT, "straight-line code", shape.instruction, region)]
    if machine.symbol(WIDE) is not None:
        name = "code of 4-byte instructions"
        found += _straight(machine, shape, WIDE, name, 4, region)
    found += _jumps(machine, shape, region)
    if machine.symbol(MIXED) is not None:
        found += _mixed(machine, shape, board)
        found += _hops(machine, shape, board)
    found += _loads(machine, shape, board, region)
    return found


def region_bytes(board: Board) -> int:
    """Bytes of the largest code of a benchmark, a power of two."""
    largest = _SHAPES[family(board).firmware].largest
    fits = board.flash.size // _REGIONS
    return min(largest, 1 << fits.bit_length() - 1)


def _rounds(length: int) -> tuple[int, int]:
    """Rounds of the first call, and those added in the second. A cache that replaces the line used
    longest ago repeats itself after one round.
    """
    return (8, 16) if length <= 256 else (3, 3)


def _sizes(smallest: int, region: int) -> list[int]:
    """Sizes of code in bytes: each alignment within short lines, then two for each power of two."""
    found = [*range(smallest, 40, smallest)]
    size = 64
    while size <= region:
        found += [size, size + size // 2]
        size *= 2
    return [size for size in found if size <= region]


def _straight(
    machine: Machine, shape: Shape, function: str, name: str, instruction: int, region: int
) -> Iterator[Benchmark]:
    end = _address(machine, function)
    for size in _sizes(instruction, region):
        length = size // instruction
        entry = (end - size) // shape.unit + shape.state
        yield Benchmark(
            f"{name}, {size} bytes", function, (entry,), "code", *_rounds(length), length
        )


def _jumps(machine: Machine, shape: Shape, region: int) -> Iterator[Benchmark]:
    end = _address(machine, JUMPS)
    wanted = [4, 6, 8, 12, 16, 24, 32, *(1 << power for power in range(6, 16))]
    distances = sorted({max(shape.nearest, each // shape.branch * shape.branch) for each in wanted})
    for distance in distances:
        for count in (2, 3, 5, 9, 17, 33, 65, 129):
            if distance * count > region // shape.branch * shape.branch:
                break
            entry = (end - distance * count) // shape.unit + shape.state
            step = (distance - shape.bias) // shape.unit
            name = f"{count} branches, {distance} bytes apart"
            yield Benchmark(name, JUMPS, (entry, step), "code", *_rounds(2 * count), 2 * count)


def _mixed(machine: Machine, shape: Shape, board: Board) -> Iterator[Benchmark]:
    end = _address(machine, MIXED)
    for times in (1, 2, 3, 5, 8, _MIXED[0]):
        size = times * _MIXED[1]
        entry = (end - size) // shape.unit + shape.state
        yield Benchmark(
            f"loads and arithmetic in turn, {size} bytes",
            MIXED,
            (entry, board.ram.base),
            "ram",
            *_rounds(size // 2),
            size // 2,
        )


def _hops(machine: Machine, shape: Shape, board: Board) -> Iterator[Benchmark]:
    size = _HOPS[0] * _HOPS[1]
    entry = _address(machine, f"{HOPS}_end") - size + shape.state
    for distance in range(4, 44, 2):
        yield Benchmark(
            f"loads and a branch of {distance} bytes in turn",
            HOPS,
            (entry, board.ram.base, distance - shape.bias),
            "ram",
            *_rounds(size // 2),
            size // 2,
        )


def _loads(machine: Machine, shape: Shape, board: Board, region: int) -> Iterator[Benchmark]:
    start = _address(machine, "pw_region")
    from_flash = FLASH_LOADS if machine.symbol(FLASH_LOADS) is not None else LOADS
    for distance in (0, 4, 8, 16, 32):
        for count in (1, 2, 4, 8, 9, 16, 64):
            if distance * count > region or (distance == 0 and count > 1):
                break
            name = f"{count} loads from flash, {distance} bytes apart"
            arguments = (start, distance, count)
            yield Benchmark(name, from_flash, arguments, "flash", *_rounds(count), 4 * count)
    for count in (1, 8):
        arguments = (board.ram.base, shape.word, count)
        name = f"{count} loads from RAM, {shape.word} bytes apart"
        yield Benchmark(name, LOADS, arguments, "ram", *_rounds(count), 4 * count)
    if machine.symbol(PAIRS) is None:
        return
    places: tuple[tuple[str, int, Reads], ...] = (
        ("flash", start, "flash"),
        ("RAM", board.ram.base, "ram"),
    )
    for memory, address, reads in places:
        for distance in (0, 8, 64):
            for count in (1, 8):
                name = f"{count} pairs of loads from {memory}, {distance} bytes apart"
                arguments = (address, distance, count)
                yield Benchmark(name, PAIRS, arguments, reads, *_rounds(count), 5 * count)


def _address(machine: Machine, name: str) -> int:
    address = machine.symbol(name)
    assert address is not None, name
    return address
