"""Reads a linked image: section sizes and symbols.

Every build reads thousands of symbols of files that the linker has just written. Some `struct`
formats of ELF32 are many times faster for that than an ELF library.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

_ALLOCATED = 0x2
_WRITABLE = 0x1
_AVR_NEITHER = 0x810000
"""avr-libc's linker scripts place EEPROM, fuses and signatures from this address on."""

# Tool Interface Standard (TIS), "Executable and Linking Format (ELF) Specification" 1.2, book I.
_HEADER = "16xHHIIIIIHHHHHH"
_SECTION = "IIIIIIIIII"
_SYMBOL = "IIIBBH"
_BIG_ENDIAN = 2
_SYMBOL_TABLE, _NO_BITS = 2, 8
_LOCAL = 0
_FUNCTION, _OF_SECTION, _OF_FILE = 2, 3, 4
_UNDEFINED, _RESERVED = 0, 0xFF00
_ARM, _AVR = 40, 83


@dataclass(frozen=True, slots=True)
class Section:
    """A section in the part's memory."""

    name: str
    address: int
    size: int
    writable: bool
    has_content: bool


class Symbol(NamedTuple):
    """A function, object or label."""

    name: str
    section: str
    address: int
    """The address without the bit that marks Thumb code."""
    size: int
    is_global: bool


@dataclass(frozen=True, slots=True)
class _Header:
    """A section header."""

    name: str
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int


@dataclass(frozen=True)
class Image:
    """A linked program: a 32-bit ELF file."""

    elf: bytes

    @cached_property
    def _order(self) -> str:
        return ">" if self.elf[5] == _BIG_ENDIAN else "<"

    @cached_property
    def _fields(self) -> tuple[int, ...]:
        return struct.unpack_from(self._order + _HEADER, self.elf)

    @cached_property
    def _headers(self) -> list[_Header]:
        offset, count, names_at = self._fields[5], self._fields[11], self._fields[12]
        form = struct.Struct(self._order + _SECTION)
        rows = [form.unpack_from(self.elf, offset + i * form.size) for i in range(count)]
        names = rows[names_at][4] if names_at < count else 0
        return [
            _Header(self._text(names, name), kind, flags, address, at, size, link)
            for name, kind, flags, address, at, size, link, _, _, _ in rows
        ]

    def _text(self, table: int, offset: int) -> str:
        start = table + offset
        return self.elf[start : self.elf.index(0, start)].decode("utf-8", "replace")

    @property
    def _machine(self) -> int:
        return self._fields[1]

    @cached_property
    def sections(self) -> list[Section]:
        """The sections that occupy memory on the part."""
        avr = self._machine == _AVR
        return [
            Section(
                name=each.name,
                address=each.address,
                size=each.size,
                writable=bool(each.flags & _WRITABLE),
                has_content=each.kind != _NO_BITS,
            )
            for each in self._headers
            if each.flags & _ALLOCATED and each.size and not (avr and each.address >= _AVR_NEITHER)
        ]

    @property
    def symbol_count(self) -> int:
        """Number of entries in its symbol tables, computed without reading them."""
        entry = struct.calcsize(_SYMBOL)
        return sum(each.size // entry for each in self._headers if each.kind == _SYMBOL_TABLE)

    @cached_property
    def symbols(self) -> list[Symbol]:
        """All named symbols that are defined."""
        headers = self._headers
        table = next((each for each in headers if each.kind == _SYMBOL_TABLE), None)
        if table is None:
            return []
        thumb = self._machine == _ARM
        names = headers[table.link].offset
        form = struct.Struct(self._order + _SYMBOL)
        end = table.offset + table.size // form.size * form.size
        found = []
        for name_at, value, size, info, _, index in form.iter_unpack(self.elf[table.offset : end]):
            kind = info & 0xF
            if not name_at or index == _UNDEFINED or kind in (_OF_SECTION, _OF_FILE):
                continue
            name = self._text(names, name_at)
            if name:
                found.append(
                    Symbol(
                        name=name,
                        section=headers[index].name if index < _RESERVED else "",
                        address=value & ~int(thumb and kind == _FUNCTION),
                        size=size,
                        is_global=info >> 4 != _LOCAL,
                    )
                )
        return found

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(symbol.name for symbol in self.symbols)

    @property
    def sha256(self) -> str:
        """Digest of the part's memory and the names of functions: two images with the same digest
        differ at most in debugging information.
        """
        total = hashlib.sha256(f"{self._machine} {self._fields[3]}\n".encode())
        for each in self._headers:
            if each.flags & _ALLOCATED and each.size:
                content = each.kind != _NO_BITS
                total.update(f"{each.address} {each.size} {each.flags} {content}\n".encode())
                if content:
                    total.update(self.elf[each.offset : each.offset + each.size])
        for symbol in sorted(self.symbols):
            total.update(f"{symbol}\n".encode())
        return total.hexdigest()

    @property
    def flash(self) -> int:
        """Bytes of code, constants and initial values of data."""
        return sum(section.size for section in self.sections if section.has_content)

    @property
    def ram(self) -> int:
        """Bytes of data and zero-initialised data, without the stack."""
        return sum(section.size for section in self.sections if section.writable)

    def defines(self, name: str) -> bool:
        """Whether there is a symbol of this name."""
        return name in self._names
