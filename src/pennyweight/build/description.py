"""Reads a package's description of itself (`lwc_crypto_aead.c`), as NIST's benchmarks have it.

It defines a structure of names, sizes and pointers to the functions. Where the package's functions
are called otherwise than `crypto_aead_encrypt` and so on, these pointers tell which they are; the
linker then gives them the API's names besides, so that a call costs what it costs there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import Symbol, SymbolTableSection

from pennyweight.build.objects import Object

_STRUCTURES = {
    "lwc_crypto_aead.c": ("lwc_aead_cipher", ("crypto_aead_encrypt", "crypto_aead_decrypt")),
    "lwc_crypto_hash.c": ("lwc_hash_ctx", ("crypto_hash",)),
}
"""Of each description: the structure, and what its pointers to functions stand for, in order."""


def defined(objects: Iterable[Path]) -> set[str]:
    """The global symbols that objects define; none for objects that hold no machine code yet."""
    found: set[str] = set()
    for path in objects:
        with path.open("rb") as file:
            for symbol in _symbols(file):
                binding, section = symbol["st_info"]["bind"], symbol["st_shndx"]
                if binding != "STB_LOCAL" and section != "SHN_UNDEF":
                    found.add(symbol.name)
    return found


def described(
    missing: Iterable[str],
    compile_description: Callable[[str], Object],
    descriptions: Iterable[str],
    folder: Path,
) -> dict[str, str]:
    """For API functions that no source defines: which functions the descriptions name for them.

    Raises `BuildError` if a description that is needed does not compile.
    """
    needed = set(missing)
    aliases: dict[str, str] = {}
    for name in descriptions:
        structure, functions = _STRUCTURES[name]
        if not needed & set(functions):
            continue
        found = compile_description(name)
        pointers = _pointers(folder / found.file, structure)
        named = dict(zip(functions, pointers, strict=False)) if pointers else {}
        aliases |= {
            symbol: real for symbol, real in named.items() if symbol in needed and real != symbol
        }
    return aliases


def _symbols(file: IO[bytes]) -> list[Symbol]:
    try:
        elf = ELFFile(file)
    except ELFError:
        return []
    table = elf.get_section_by_name(".symtab")
    return list(table.iter_symbols()) if isinstance(table, SymbolTableSection) else []


def _pointers(path: Path, structure: str) -> list[str]:
    """The functions that a structure of an object points to, in the order of its fields."""
    with path.open("rb") as file:
        elf = ELFFile(file)
        table = elf.get_section_by_name(".symtab")
        if not isinstance(table, SymbolTableSection):
            return []
        places = [
            (symbol["st_shndx"], symbol["st_value"], symbol["st_size"])
            for symbol in table.iter_symbols()
            if symbol.name == structure and isinstance(symbol["st_shndx"], int)
        ]
        found: list[tuple[int, str]] = []
        for section in elf.iter_sections():
            if not isinstance(section, RelocationSection):
                continue
            for index, start, size in places:
                if section["sh_info"] != index:
                    continue
                for relocation in section.iter_relocations():
                    target = table.get_symbol(relocation["r_info_sym"])
                    inside = start <= relocation["r_offset"] < start + size
                    if inside and target["st_shndx"] == "SHN_UNDEF":
                        found.append((relocation["r_offset"], target.name))
    return [name for _, name in sorted(found)]
