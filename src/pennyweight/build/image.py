"""Reads a linked image: section sizes and symbols."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cached_property

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

_ALLOCATED = 0x2
_WRITABLE = 0x1
_AVR_NEITHER = 0x810000
"""From here on avr-libc's linker scripts put EEPROM, fuses and signatures."""

_NO_BITS = "SHT_NOBITS"


@dataclass(frozen=True, slots=True)
class Section:
    """A section that lies in the part's memory."""

    name: str
    address: int
    size: int
    writable: bool
    has_content: bool


@dataclass(frozen=True, slots=True)
class Symbol:
    """A function, object or label."""

    name: str
    section: str
    address: int
    """Without the bit that marks Thumb code."""
    size: int
    is_global: bool


@dataclass(frozen=True)
class Image:
    """A linked program."""

    elf: bytes

    @cached_property
    def _file(self) -> ELFFile:
        return ELFFile(io.BytesIO(self.elf))

    @cached_property
    def sections(self) -> list[Section]:
        """The sections that take memory on the part."""
        avr = self._file["e_machine"] == "EM_AVR"
        return [
            Section(
                name=section.name,
                address=section["sh_addr"],
                size=section["sh_size"],
                writable=bool(section["sh_flags"] & _WRITABLE),
                has_content=section["sh_type"] != _NO_BITS,
            )
            for section in self._file.iter_sections()
            if section["sh_flags"] & _ALLOCATED
            and section["sh_size"]
            and not (avr and section["sh_addr"] >= _AVR_NEITHER)
        ]

    @cached_property
    def symbols(self) -> list[Symbol]:
        """All named symbols that are defined."""
        table = self._file.get_section_by_name(".symtab")
        if not isinstance(table, SymbolTableSection):
            return []
        thumb = self._file["e_machine"] == "EM_ARM"
        names = [section.name for section in self._file.iter_sections()]
        found = []
        for symbol in table.iter_symbols():
            index, kind = symbol["st_shndx"], symbol["st_info"]["type"]
            if not symbol.name or index == "SHN_UNDEF" or kind in ("STT_SECTION", "STT_FILE"):
                continue
            found.append(
                Symbol(
                    name=symbol.name,
                    section=names[index] if isinstance(index, int) else "",
                    address=symbol["st_value"] & ~int(thumb and kind == "STT_FUNC"),
                    size=symbol["st_size"],
                    is_global=symbol["st_info"]["bind"] != "STB_LOCAL",
                )
            )
        return found

    @property
    def flash(self) -> int:
        """Bytes of code, constants and initial values of data."""
        return sum(section.size for section in self.sections if section.has_content)

    @property
    def ram(self) -> int:
        """Bytes of data and zero-initialised data, without the stack."""
        return sum(section.size for section in self.sections if section.writable)

    def defines(self, name: str) -> bool:
        """Is there a symbol of this name?"""
        return any(symbol.name == name for symbol in self.symbols)
