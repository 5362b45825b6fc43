"""The tools that load boards and serve their debug ports: whether they are installed, and how to
install them.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from ctypes.util import find_library
from dataclasses import dataclass
from pathlib import Path

from pennyweight.catalogue.boards import Board
from pennyweight.devices.errors import DeviceError

SERVERS = {
    "openocd": "apt-get install openocd",
    "pyocd": "pip install pyocd",
    "probe-rs": "cargo install probe-rs-tools --locked",
    "mspdebug": "apt-get install mspdebug",
}
"""Debug servers, and the command that installs each."""

LOADERS = {
    "avrdude": "apt-get install avrdude",
    "stm32flash": "apt-get install stm32flash",
}
"""Tools that write flash over a serial line."""


TI_LIBRARY = "libmsp430.so: TI's MSP Debug Stack, which no distribution packages"
"""What mspdebug loads for TI's own probes."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A tool that is not installed, and the boards that need it."""

    tool: str
    install: str
    boards: tuple[str, ...]


def tool_path(name: str) -> str | None:
    """An installed tool; `None` if there is none."""
    return shutil.which(name)


def has_ti_library() -> bool:
    """Whether the dynamic linker finds `libmsp430.so`."""
    folders = os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
    named = any((Path(folder) / "libmsp430.so").is_file() for folder in folders if folder)
    return named or find_library("msp430") is not None


def required(place: str, name: str) -> str:
    """The path of a tool that writes flash. Raises `DeviceError` if it is not installed."""
    found = tool_path(name)
    if found is None:
        raise DeviceError(f"{place}: {name} is not installed; install it with `{LOADERS[name]}`")
    return found


def loader_of(board: Board) -> str | None:
    """The tool that loads a board over a serial line; `None` for one without a serial monitor."""
    table = board.file.device
    if table is None or table.uart is None:
        return None
    return next((each for each in table.tools if each in LOADERS), None)


def missing_tools(boards: Iterable[Board]) -> list[Missing]:
    """The tools that boards need and that are not installed; of debug servers, one is enough."""
    found: dict[str, list[str]] = {}
    for board in boards:
        table = board.file.device
        loader = loader_of(board)
        servers = [each for each in table.tools if each in SERVERS] if table is not None else []
        wanted = [loader] if loader is not None and tool_path(loader) is None else []
        if servers and not any(tool_path(each) for each in servers):
            wanted.append(servers[0])
        for tool in wanted:
            found.setdefault(tool, []).append(board.id)
    install = SERVERS | LOADERS
    return [Missing(tool, install[tool], tuple(names)) for tool, names in sorted(found.items())]
