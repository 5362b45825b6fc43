"""Builds the monitor for a board: the code that calls measured functions and counts their cycles.

It is linked separately into the last bytes of flash, with its mailbox and stack in the last bytes
of RAM. The image is therefore identical to the simulated one, except for its vectors.
"""

from __future__ import annotations

import functools
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from pennyweight import cache
from pennyweight.build.failure import first_error
from pennyweight.build.image import Image
from pennyweight.catalogue.boards import Board
from pennyweight.catalogue.root import data_root
from pennyweight.devices import mailbox
from pennyweight.devices.errors import NO_TABLE, DeviceError
from pennyweight.devices.image import contents
from pennyweight.toolchains import Toolchain, family, for_board
from pennyweight.toolchains.command import run

_FLAGS = (
    *("-Os", "-g1", "-std=gnu11", "-Wall", "-Wextra", "-ffreestanding", "-ffunction-sections"),
    *("-fno-jump-tables", "-fno-tree-loop-distribute-patterns", "-fno-lto"),
)
_STACK = {8: 128, 16: 192, 32: 384}
"""Bytes of the monitor's own stack, by the core's width."""

_BLOCK = {"mips": 4096, "xtensa": 1024}
"""Alignment of the monitor in bytes, by the folder in `firmware/`, where its vectors need more."""

_LINK = {"mips": ("-static", "-no-pie", "-Wl,--build-id=none")}
"""Link options of compilers that make programs for an operating system otherwise."""

_SMALLEST_BLOCK = 256
"""It divides the flash page of every part."""


@dataclass(frozen=True, slots=True)
class Monitor:
    """The monitor of a board; addresses are ELF addresses."""

    flash: list[tuple[int, bytes]]
    symbols: dict[str, int]
    mailbox: int
    """Also the top of the measured code's stack."""

    @property
    def run(self) -> int:
        """The entry point: runs the request in the mailbox and ends at `done`."""
        return self.symbols["pw_device_run"]

    @property
    def done(self) -> int:
        """The address at which a request ends."""
        return self.symbols["pw_device_done"]

    @property
    def base(self) -> int:
        """The address of its first byte in flash."""
        return self.flash[0][0]

    @property
    def size(self) -> int:
        """Its size in flash in bytes."""
        return len(self.flash[0][1])


def build_monitor(board: Board) -> Monitor:
    """The monitor for a board, built or taken from the cache.

    Raises `DeviceError` for a board without a table `[device]` or a family without a monitor, and
    `MissingToolchainError`.
    """
    return _build(board, for_board(board).identity.sha256)


@functools.lru_cache(maxsize=16)
def _build(board: Board, _compiler: str) -> Monitor:
    toolchain = for_board(board)
    device = board.file.device
    if device is None:
        raise DeviceError(f"board file '{board.path}': {NO_TABLE}")
    folder = data_root() / "firmware" / "device" / toolchain.family.firmware
    if not folder.is_dir():
        raise DeviceError(
            f"board file '{board.path}': compiler.toolchain: there is no monitor for "
            f"{toolchain.family.name} in firmware/device, so real boards of this type cannot be "
            "used"
        )
    sources = sorted(
        each
        for place in (folder.parent, folder)
        for each in place.iterdir()
        if each.suffix in (".c", ".S")
    )
    if device.clock:
        sources.append(folder / "clock" / f"{device.clock}.c")
    if device.uart is not None:
        sources.append(folder / "uart" / f"{device.uart.name}.c")
    key = _key(toolchain, board, folder)
    made = cache.fill("monitors", key, lambda into: _make(toolchain, board, sources, into))
    elf = (made / "monitor.elf").read_bytes()
    symbols = {each.name: each.address for each in Image(elf).symbols}
    return Monitor(contents(elf).flash, symbols, symbols["pw_mailbox"])


def monitor_digest(board: Board) -> str:
    """Hash of the monitor's sources for a board and of the table `[device]`."""
    folder = data_root() / "firmware" / "device" / family(board).firmware
    table = board.file.device
    said = table.model_dump_json() if table is not None else ""
    return hashlib.sha256(f"{_sources_digest(folder)} {said}".encode()).hexdigest()


def _sources_digest(folder: Path) -> str:
    total = hashlib.sha256()
    for place in (folder.parent, folder, folder / "clock", folder / "uart"):
        for each in sorted(place.iterdir()) if place.is_dir() else ():
            if each.is_file():
                total.update(each.name.encode() + b"\n" + each.read_bytes())
    return total.hexdigest()


def _key(toolchain: Toolchain, board: Board, folder: Path) -> str:
    assert board.file.device is not None
    parts = [
        toolchain.identity.sha256,
        _sources_digest(folder),
        hashlib.sha256(Path(__file__).read_bytes()).hexdigest(),
        board.file.compiler.flags,
        [(memory.base, memory.size) for memory in board.file.memory],
        board.file.clock.hz,
        board.file.device.model_dump(mode="json"),
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _make(toolchain: Toolchain, board: Board, sources: list[Path], into: Path) -> None:
    device = board.file.device
    assert device is not None
    flags = (*board.file.compiler.flags, *_FLAGS, *device.defines(board.hz))
    objects = []
    for source in sources:
        # A clock and a serial port may have files of the same name.
        target = f"{source.parent.name}-{source.stem}.o"
        command: list[str | Path] = [toolchain.driver, *flags, "-c", source, "-o", target]
        done = run(command, cwd=into, temporary=into)
        if not done.ok:
            raise DeviceError(
                f"board file '{board.path}': the monitor does not compile for {board.part}: "
                f"{first_error(done.output)}; correct {_culprit(source)}"
            )
        objects.append(target)
    box = board.ram.end - mailbox.SIZE - _STACK[board.bits]
    end = board.flash.end - device.boot_loader
    block = _BLOCK.get(toolchain.family.firmware, _SMALLEST_BLOCK)
    base = end // block * block - 0x1000
    script = data_root() / "firmware" / "device" / "monitor.ld"
    for _ in range(2):
        command = [
            toolchain.driver,
            *(*flags, *objects, "-nostartfiles", "-nostdlib"),
            *_LINK.get(toolchain.family.firmware, ()),
            *("-T", script, f"-Wl,--defsym=pw_monitor_base={base:#x}"),
            f"-Wl,--defsym=pw_mailbox={box:#x}",
            f"-Wl,--defsym=pw_flash_base={board.flash.base:#x}",
            f"-Wl,--defsym=pw_ram_base={board.ram.base:#x}",
            f"-Wl,--defsym=pw_monitor_stack={_stack_top(board):#x}",
            *("-Wl,--gc-sections,-n", "-lgcc", "-o", "monitor.elf"),
        ]
        done = run(command, cwd=into, temporary=into)
        if not done.ok:
            raise DeviceError(
                f"board file '{board.path}': the monitor does not link: {first_error(done.output)}"
            )
        [(_, data)] = contents((into / "monitor.elf").read_bytes()).flash
        base = (end - len(data)) // block * block
    for leftover in into.iterdir():
        if leftover.suffix != ".elf":
            leftover.unlink()


def _culprit(source: Path) -> str:
    """The field of a board file that selects a source."""
    return {"clock": "device.clock", "uart": "device.uart"}.get(
        source.parent.name, "compiler.flags or device.counter"
    )


def _stack_top(board: Board) -> int:
    """An AVR's stack pointer points to the next free byte, that of other parts to the last used."""
    return board.ram.end - (1 if board.bits == 8 else 0)
