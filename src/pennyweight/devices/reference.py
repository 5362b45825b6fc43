"""Simulated cycles of the monitor's functions, the reference for the counter's overhead."""

from __future__ import annotations

import functools
import tempfile
from dataclasses import dataclass
from pathlib import Path

from pennyweight.build.link import Linker
from pennyweight.build.objects import compile_firmware
from pennyweight.build.programs import Program
from pennyweight.catalogue.boards import Board
from pennyweight.catalogue.root import data_root
from pennyweight.target.interface import Argument, Machine
from pennyweight.target.simulated import simulate
from pennyweight.toolchains import for_board

EMPTY = "pw_device_empty"
LOOP = "pw_device_loop"
_BUDGET = 10_000_000


@dataclass(frozen=True, slots=True)
class Reference:
    """Cycles of the empty function and of one round of the loop."""

    empty: int
    round: int


@functools.lru_cache(maxsize=16)
def reference(board: Board) -> Reference:
    """Simulates both functions on a board."""
    toolchain = for_board(board)
    firmware = data_root() / "firmware"
    source = firmware / "device" / toolchain.family.firmware / "functions.S"
    flags = board.file.compiler.flags
    with tempfile.TemporaryDirectory(prefix="pennyweight-") as name:
        folder = Path(name)
        compile_firmware(toolchain, source, flags, folder / "functions.o")
        linker = Linker(toolchain, board, flags, firmware, folder)
        elf = linker.link("functions", ["functions.o"], frozenset((EMPTY, LOOP))).image.elf
    machine = simulate(board, Program("functions", elf, 0, 0))
    ready = machine.symbol("pw_ready")
    assert ready is not None
    machine.boot(ready, _BUDGET)
    machine.snapshot()
    empty = _cycles(machine, EMPTY, None)
    few, more = (_cycles(machine, LOOP, rounds) for rounds in (100, 200))
    return Reference(empty, (more - few) // 100)


def _cycles(machine: Machine, name: str, rounds: int | None) -> int:
    """Cycles of the second of two calls, with warm caches."""
    address = machine.symbol(name)
    assert address is not None
    arguments: list[Argument] = [] if rounds is None else [("size", rounds)]
    machine.restore()
    machine.call(address, arguments, _BUDGET, 0)
    return machine.call(address, arguments, _BUDGET, 0).cycles
