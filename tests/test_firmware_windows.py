"""The windowed start-up of firmware/xtensa, simulated under hand-written windowed code."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from pennyweight._simulator import Machine
from pennyweight.catalogue.boards import load_board
from verdicts import cached_by_project

pytestmark = cached_by_project("measurements")

HERE = Path(__file__).parent
ROOT = HERE.parent
COMPILER = "xtensa-lx106-elf-gcc"
BOARD = ROOT / "boards" / "esp32.toml"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Start-up code and `windowed.S`, with macros for what the LX106's assembler lacks."""
    if shutil.which(COMPILER) is None:
        pytest.fail(f"{COMPILER} is not there; install gcc-xtensa-lx106")
    folder = tmp_path_factory.mktemp("windowed")
    macros = ["-D__XTENSA_WINDOWED_ABI__", "-include", str(HERE / "lx6.inc")]
    objects = []
    for source in (ROOT / "firmware" / "xtensa" / "start.S", HERE / "windowed.S"):
        objects.append(str(folder / f"{source.stem}.o"))
        subprocess.run([COMPILER, "-c", *macros, str(source), "-o", objects[-1]], check=True)
    elf = folder / "windowed.elf"
    script = ROOT / "firmware" / "xtensa" / "link.ld"
    places = {"pw_flash_base": 0x400D0000, "pw_ram_base": 0x3FFB0000, "pw_ram_end": 0x3FFE0000}
    symbols = [f"-Wl,--defsym={name}={value:#x}" for name, value in places.items()]
    subprocess.run(
        [COMPILER, "-nostdlib", "-T", str(script), *symbols, *objects, "-o", str(elf)], check=True
    )
    return elf.read_bytes()


@pytest.mark.parametrize("step", [4, 8, 12])
@pytest.mark.parametrize("depth", [0, 1, 5, 40])
def test_calls_deeper_than_the_register_file_come_back(
    program: bytes, step: int, depth: int
) -> None:
    machine = Machine(load_board(BOARD).simulated(), program)
    ready, function = machine.symbol("pw_ready"), machine.symbol(f"sum{step}")
    limit = machine.symbol("pw_static_end")
    assert ready is not None and function is not None and limit is not None
    assert machine.boot(ready, 10_000).exit == "returned"
    machine.snapshot()
    first = machine.call(function, [("int", depth)], 100_000, limit)
    assert (first.exit, first.message) == ("returned", "")
    assert first.result == depth * (depth + 1) // 2
    # Frames of 64 bytes, and more where the stack pointer moved.
    assert first.stack >= 64 * (depth + 1)
    # What is above the caller's window is gone after the call: a repetition costs the same.
    again = machine.call(function, [("int", depth)], 100_000, limit)
    machine.restore()
    fresh = machine.call(function, [("int", depth)], 100_000, limit)
    assert fresh.cycles == first.cycles
    assert again.result == first.result
    # The guard knows the sixteen bytes below a frame that belong to it.
    machine.restore()
    zone = (limit, limit + 4, True, True)
    guarded = machine.call(function, [("int", depth)], 100_000, limit, [zone])
    assert (guarded.exit, guarded.message, guarded.cycles) == ("returned", "", first.cycles)
