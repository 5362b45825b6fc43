"""The contents of flash and RAM for a linked program, and changes to its vectors.

Tool Interface Standard (TIS), "Executable and Linking Format (ELF) Specification" 1.2: in program
headers, `p_paddr` is the address in flash, `p_vaddr` the address that the program uses.
"""

from __future__ import annotations

import io
import struct
from dataclasses import dataclass

from elftools.elf.elffile import ELFFile

_AVR_NEITHER = 0x810000
"""From this address avr-libc's linker scripts place EEPROM, fuses and signatures."""

_DATA_SPACE = 0x800000


@dataclass(frozen=True, slots=True)
class Copied:
    """Initial values of static data: bytes of flash that start-up copies to RAM."""

    source: int
    target: int
    size: int


@dataclass(frozen=True, slots=True)
class Cleared:
    """Static data that start-up clears."""

    start: int
    size: int


@dataclass(frozen=True, slots=True)
class Contents:
    """A loadable program. All addresses are ELF addresses."""

    flash: list[tuple[int, bytes]]
    copied: list[Copied]
    cleared: list[Cleared]
    entry: int


def contents(elf: bytes) -> Contents:
    """The contents of a linked program."""
    file = ELFFile(io.BytesIO(elf))
    flash: list[tuple[int, bytes]] = []
    copied: list[Copied] = []
    cleared: list[Cleared] = []
    is_avr = file["e_machine"] == "EM_AVR"
    for segment in file.iter_segments("PT_LOAD"):
        where, seen, size = segment["p_paddr"], segment["p_vaddr"], segment["p_filesz"]
        if is_avr and seen >= _AVR_NEITHER:
            continue
        if size:
            # A segment may begin with the ELF header, which parts do not need.
            flash.append((where, segment.data()))
            if where != seen:
                copied.append(Copied(where, seen, size))
        if segment["p_memsz"] > size:
            cleared.append(Cleared(seen + size, segment["p_memsz"] - size))
    entry = int(file["e_entry"]) & ~int(file["e_machine"] == "EM_ARM")
    return Contents(merged(flash), copied, cleared, entry)


def merged(pieces: list[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    """The pieces ordered by address, with adjacent ones joined."""
    found: list[tuple[int, bytes]] = []
    for address, data in sorted(pieces):
        if found and found[-1][0] + len(found[-1][1]) == address:
            found[-1] = (found[-1][0], found[-1][1] + data)
        else:
            found.append((address, data))
    return found


def patched(
    flash: list[tuple[int, bytes]], changes: list[tuple[int, bytes]]
) -> list[tuple[int, bytes]]:
    """A copy with changed bytes. Raises `ValueError` if a change is outside the pieces."""
    found = [(address, bytearray(data)) for address, data in flash]
    for place, new in changes:
        for address, data in found:
            if address <= place and place + len(new) <= address + len(data):
                data[place - address : place - address + len(new)] = new
                break
        else:
            raise ValueError(f"the image has no bytes at {place:#x}")
    return [(address, bytes(data)) for address, data in found]


def avr_jump(target: int) -> bytes:
    """`jmp` to an address in flash (AVR Instruction Set Manual, DS40002198, JMP)."""
    word = target >> 1
    high = 0x940C | (word >> 17 & 0x1F) << 4 | word >> 16 & 1
    return struct.pack("<HH", high, word & 0xFFFF)
