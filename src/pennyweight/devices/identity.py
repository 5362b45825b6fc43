"""Identifies the connected part before anything is written to it."""

from __future__ import annotations

import contextlib
import re

from pennyweight.catalogue.boards import Board, MemoryKind
from pennyweight.catalogue.cores import bundled_cores, load_core
from pennyweight.catalogue.device_table import IdentityWord
from pennyweight.devices.errors import DeviceError
from pennyweight.devices.gdb import GdbServer

NOT_READ = "identity not read"
"""In the description of a part that could be a different one."""

_REMEDY = "nothing was written; choose the matching board"

_CPUID = 0xE000ED00
"""Arm's technical reference manuals, "CPUID Base Register"."""

_ARCHITECTURES = {
    "avr": "avr",
    "cortex-m": "arm",
    "mips": "mips",
    "msp430": "msp430",
    "riscv": "riscv",
    "xtensa": "xtensa",
}
"""Prefixes of the architecture's name in a server's target description, by family."""


_MISA = 65 + 0x301
"""GDB's number of `misa` in `riscv-tdep.h`, for servers that do not describe it."""

_REGISTER_BYTES = {"avr": (39,), "msp430": (32, 64)}
"""Bytes of all registers: AVR's 32, SREG, SP and PC; MSP430's 16, of two or four bytes. They
are checked instead of the architecture's name, which these parts' servers do not send.
"""


def identify(server: GdbServer, board: Board, family: str) -> str:
    """A description of the part. Raises `DeviceError` if it does not match the board file."""
    _check_architecture(server, board, family)
    _check_memories(server, board)
    words = [board.part]
    if family == "cortex-m":
        words.append(_core(server, board))
    table = board.file.device
    if table is not None and table.identity is not None:
        words.append(_identity_word(server, board, table.identity))
    if table is not None and table.misa is not None:
        words.append(_misa(server, board, table.misa))
    if table is not None and table.idcode is not None:
        words += _idcode(server, board, table.idcode)
    if table is None or (table.identity is None and table.misa is None):
        # An AVR's signature cannot be read from memory.
        words.append(NOT_READ)
    return ", ".join([*words, server.version()])


def describe(server: GdbServer) -> str:
    """What the server reports about a part without knowing its board: architecture, Arm core,
    flash, server.
    """
    words = []
    name = _architecture(server)
    if name is not None:
        words.append(name)
        if name.startswith("arm"):
            with contextlib.suppress(DeviceError):
                value = int.from_bytes(server.read(_CPUID, 4), "little")
                words.append(_name(value >> 4 & 0xFFF))
    else:
        words += [
            family for family, sizes in _REGISTER_BYTES.items() if server.register_bytes in sizes
        ]
    words += [
        f"flash {each.start:#x} to {each.start + each.length:#x}"
        for each in server.regions
        if each.kind == "flash"
    ]
    return ", ".join([*words, server.version()])


def _architecture(server: GdbServer) -> str | None:
    found = re.search(rb"<architecture>([^<]*)</architecture>", server.description)
    return None if found is None else found[1].decode("ascii", "replace").lower()


def _check_architecture(server: GdbServer, board: Board, family: str) -> None:
    name = _architecture(server)
    if name is None:
        sizes, size = _REGISTER_BYTES.get(family), server.register_bytes
        if sizes is not None and size not in sizes:
            raise DeviceError(
                f"{server.place}: the debug server does not name the part's architecture, and its "
                f"{size} bytes of registers are not those of {board.id}; {_REMEDY}"
            )
        return
    if not name.startswith(_ARCHITECTURES.get(family, "")):
        raise DeviceError(
            f"{server.place}: the part's architecture is '{name}', which is not that of "
            f"{board.id}; {_REMEDY}"
        )


def _check_memories(server: GdbServer, board: Board) -> None:
    """Checks the memory for code against the server's memory map, if that has flash; not if the
    board file has code in RAM.
    """
    blocks = [each for each in server.regions if each.kind == "flash"]
    if not blocks:
        return
    wanted = next(each for each in board.file.memory if each.kind is MemoryKind.FLASH)
    start = min(each.start for each in blocks)
    end = max(each.start + each.length for each in blocks)
    if wanted.end == board.ram.base and (wanted.end <= start or end <= wanted.base):
        return
    if not start <= wanted.base or end < wanted.end:
        raise DeviceError(
            f"{server.place}: the part's flash is {start:#x} to {end:#x}, but {board.id} has "
            f"{wanted.base:#x} to {wanted.end:#x}; {_REMEDY}"
        )


def _core(server: GdbServer, board: Board) -> str:
    """A Cortex-M's core and revision, checked if the core's file has its part number."""
    value = int.from_bytes(server.read(_CPUID, 4), "little")
    number, wanted = value >> 4 & 0xFFF, board.core_file.file.cpuid
    if wanted not in (None, number):
        raise DeviceError(
            f"{server.place}: the part's core is {_name(number)}, but {board.id} has "
            f"{board.core} ({wanted:#x}); {_REMEDY}"
        )
    return f"{board.core} r{value >> 20 & 0xF}p{value & 0xF}"


def _name(number: int) -> str:
    """The bundled core with a part number, and the number."""
    for path in bundled_cores().values():
        core = load_core(path)
        if core.file.cpuid == number:
            return f"{core.file.name} ({number:#x})"
    return f"number {number:#x} in CPUID"


def _identity_word(server: GdbServer, board: Board, word: IdentityWord) -> str:
    value = int.from_bytes(server.read(word.address, 4), "little")
    if value & word.mask != word.value:
        raise DeviceError(
            f"{server.place}: the part's identity word at {word.address:#x} is {value:#010x}, but "
            f"{board.part} has {word.value:#x} under the mask {word.mask:#x}; {_REMEDY}"
        )
    return f"identity {value:#010x}"


def _misa(server: GdbServer, board: Board, wanted: int) -> str:
    number = server.register_number("misa")
    value = server.read_register(_MISA if number is None else number, 4)
    if value != wanted:
        raise DeviceError(
            f"{server.place}: the core's register misa is {value:#010x}, but {board.part} has "
            f"{wanted:#010x}; {_REMEDY}"
        )
    return f"misa {value:#010x}"


def _idcode(server: GdbServer, board: Board, wanted: int) -> list[str]:
    """The JTAG IDCODE, if the server reports the scan chain, as only OpenOCD does."""
    chain = server.monitor("scan_chain") or ""
    if "IdCode" not in chain:
        return []
    found = [int(each[1], 16) for each in re.finditer(r"\s[YN]\s+(0x[0-9a-f]{8})\s", chain)]
    if wanted not in found:
        raise DeviceError(
            f"{server.place}: the JTAG IDCODE is {' '.join(f'{each:#010x}' for each in found)}, "
            f"but {board.part} has {wanted:#010x}; {_REMEDY}"
        )
    return [f"IDCODE {wanted:#010x}"]
