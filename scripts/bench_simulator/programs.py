"""The programs of the comparison: one function, called repeatedly on 512 bytes.

The number of calls is in the image after a marker, so that one link serves every length of run.
"""

from __future__ import annotations

import re
import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from pennyweight import catalogue, toolchains
from pennyweight.build.sources import collect
from pennyweight.catalogue.boards import Board, load_board
from pennyweight.model import Kind

HERE = Path(__file__).parent
FIRMWARE = HERE.parent.parent / "firmware"
PROGRAMS = [
    "aes-128-gcm/table",
    "aes-128-gcm/ct32",
    "chacha20-poly1305/fast32",
    "ascon-aead128/fast32",
    "sha-256/small",
]
MARK = struct.pack("<II", 0x6E65_7070, 0x7277_7967)
"""Marker before the number of calls in `loop.c`."""


@dataclass(frozen=True)
class Image:
    """A linked program with a variable number of calls."""

    path: Path
    stop: int
    """The address at which it ends, `bench_done`."""

    def calling(self, times: int) -> Image:
        """The same program with `times` calls."""
        data = self.path.read_bytes()
        head, *tail = data.split(MARK)
        if len(tail) != 1:
            sys.exit(f"bench-simulator: {self.path.name} has {len(tail)} numbers of calls, not one")
        path = self.path.with_suffix(f".{times}.elf")
        path.write_bytes(head + MARK + struct.pack("<I", times) + tail[0][4:])
        return Image(path, self.stop)


def moved(board: Board, flash: int, ram: int, folder: Path) -> Board:
    """The board with its memories at the addresses of a peer's machine."""
    text = board.path.read_text()
    places = iter((flash, ram))
    text, found = re.subn(r"(?m)^base = .*$", lambda _: f"base = {next(places):#x}", text)
    assert found == 2, f"{board.path}: two memories"
    path = folder / f"{board.file.id}.toml"
    path.write_text(text)
    return load_board(path)


def link(board: Board, program: str, folder: Path) -> Path:
    """Links `program` with the loop for `board` at -O2."""
    (implementation,) = catalogue.load().find(program)
    toolchain = toolchains.for_board(board)
    sources = collect(implementation)
    target = folder / f"{board.file.id}-{program.replace('/', '-')}.elf"
    command: list[str] = [str(toolchain.driver), *board.file.compiler.flags, "-O2"]
    command += ["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]
    if implementation.kind is Kind.HASH:
        command.append("-DPW_HASH")
    sources.write_generated(folder)
    command += [*sources.own_headers(folder), *(f"-I{path}" for path in sources.include)]
    command.append(f"-I{FIRMWARE / 'include'}")
    command += [f"-isystem{path}" for path in toolchain.family.library_headers(FIRMWARE)]
    command += [*sources.compiled, str(HERE / "loop.c"), "-o", str(target)]
    command += [str(path) for path in toolchain.family.library_sources(FIRMWARE)]
    arguments = toolchain.family.link_arguments(board, FIRMWARE)
    # The start-up code is different here, so its symbols are not requested.
    command += [each for each in arguments if not each.endswith(("_end=_end", "__do_clear_bss"))]
    done = subprocess.run(command, cwd=sources.folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"bench-simulator: {program} does not build for {board.file.id}:\n{done.stderr}")
    return target
