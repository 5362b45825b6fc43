"""Builds the probe, a program of Pennyweight that checks a board file."""

from __future__ import annotations

import tempfile
from pathlib import Path

from pennyweight.build.link import Linker
from pennyweight.build.objects import compile_firmware
from pennyweight.catalogue.boards import Board
from pennyweight.catalogue.root import data_root
from pennyweight.toolchains import Toolchain

PROBE = "pw_probe"


def build_probe(toolchain: Toolchain, board: Board) -> bytes:
    """The image of `firmware/probe`, compiled with the board's flags. Raises `BuildError`."""
    firmware = data_root() / "firmware"
    source = firmware / "probe" / "probe.c"
    flags = (*board.file.compiler.flags, "-O2")
    with tempfile.TemporaryDirectory(prefix="pennyweight-") as name:
        folder = Path(name)
        compile_firmware(toolchain, source, flags, folder / "probe.o")
        linker = Linker(toolchain, board, flags, firmware, folder)
        return linker.link("probe", ["probe.o"], frozenset((PROBE,))).image.elf
