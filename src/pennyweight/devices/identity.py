"""Which part is it? Found out before anything is written to it."""

from __future__ import annotations

import re

from pennyweight.catalogue.boards import Board, MemoryKind
from pennyweight.devices.errors import DeviceError
from pennyweight.devices.gdb import GdbServer

_CPUID = 0xE000ED00
_CORES = {
    0xC20: "cortex-m0",
    0xC60: "cortex-m0plus",
    0xC23: "cortex-m3",
    0xC24: "cortex-m4",
    0xC27: "cortex-m7",
    0xD20: "cortex-m23",
    0xD21: "cortex-m33",
}
"""Part numbers in CPUID (Arm's technical reference manuals, "CPUID Base Register")."""

_ARCHITECTURES = {"avr": "avr", "cortex-m": "arm", "riscv": "riscv", "msp430": "msp430"}
"""How a server's target description begins the name of each family."""


def identify(server: GdbServer, board: Board, family: str) -> str:
    """The part in words. Raises `DeviceError` if it is not the board file's."""
    _check_architecture(server, board, family)
    _check_memories(server, board)
    words = [board.part]
    if family == "cortex-m":
        words.append(_core(server, board))
    if board.file.device is not None and board.file.device.identity is not None:
        words.append(_identity_word(server, board))
    return ", ".join([*words, server.version()])


def _check_architecture(server: GdbServer, board: Board, family: str) -> None:
    found = re.search(rb"<architecture>([^<]*)</architecture>", server.description)
    if found is None:
        return
    name = found[1].decode("ascii", "replace").lower()
    if not name.startswith(_ARCHITECTURES.get(family, "")):
        raise DeviceError(
            f"{server.place}: the part is of the architecture '{name}', and {board.id} is not; "
            "nothing was written; choose the board that it is"
        )


def _check_memories(server: GdbServer, board: Board) -> None:
    """Its flash is large enough, as far as the server knows it."""
    blocks = [each for each in server.regions if each.kind == "flash"]
    if not blocks:
        return
    wanted = next(each for each in board.file.memory if each.kind is MemoryKind.FLASH)
    start = min(each.start for each in blocks)
    end = max(each.start + each.length for each in blocks)
    if not start <= wanted.base or end < wanted.end:
        raise DeviceError(
            f"{server.place}: the part's flash is at {start:#x} to {end:#x}, and {board.id} has "
            f"{wanted.base:#x} to {wanted.end:#x}; nothing was written; choose the board that it is"
        )


def _core(server: GdbServer, board: Board) -> str:
    """The core and its revision, of a Cortex-M."""
    value = int.from_bytes(server.read(_CPUID, 4), "little")
    core = _CORES.get(value >> 4 & 0xFFF, f"a core of part number {value >> 4 & 0xFFF:#x}")
    if core != board.core:
        raise DeviceError(
            f"{server.place}: the part has a {core}, and {board.id} a {board.core}; nothing was "
            "written; choose the board that it is"
        )
    return f"{core} r{value >> 20 & 0xF}p{value & 0xF}"


def _identity_word(server: GdbServer, board: Board) -> str:
    assert board.file.device is not None and board.file.device.identity is not None
    word = board.file.device.identity
    value = int.from_bytes(server.read(word.address, 4), "little")
    if value & word.mask != word.value:
        raise DeviceError(
            f"{server.place}: the part's identity at {word.address:#x} is {value:#010x}, and that "
            f"of {board.part} is {word.value:#x} under the mask {word.mask:#x}; nothing was "
            "written; choose the board that it is"
        )
    return f"identity {value:#010x}"
