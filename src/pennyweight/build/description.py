"""Reads a package's `lwc_crypto_aead.c`, which describes it to NIST's benchmark.

It defines a structure of names, sizes and pointers to functions. If the package's functions have
non-standard names, the pointers identify them, and the linker defines the API's names as aliases,
so that a call costs the same as in the benchmark. Some files define the API's functions themselves,
as wrappers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.construct import ConstructError
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import SymbolTableSection

from pennyweight import _simulator
from pennyweight.build.failure import BuildError, too_large
from pennyweight.build.objects import Object
from pennyweight.model import Status

_STRUCTURES = {
    "lwc_crypto_aead.c": ("lwc_aead_cipher", ("crypto_aead_encrypt", "crypto_aead_decrypt")),
    "lwc_crypto_hash.c": ("lwc_hash_ctx", ("crypto_hash",)),
}
"""Of each description: the structure, and the API functions for its function pointers, in order."""

_LARGEST = 1 << 20
"""Maximum bytes of a description's object, because reading each entry takes time."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
"""A function name in C. Assembly may define any symbol name, including one that looks like a linker
option.
"""


def defined(objects: Iterable[Path]) -> set[str]:
    """The global symbols that objects define; none for objects without machine code."""
    return {name for path in objects for name in _simulator.defined_symbols(path.read_bytes())}


@dataclass(frozen=True, slots=True)
class Completed:
    """The objects of a package, and its functions that implement the API's."""

    objects: list[Object]
    aliases: dict[str, str] = field(default_factory=dict)


def complete(
    objects: list[Object],
    wanted: Iterable[str],
    descriptions: Sequence[str],
    compile_source: Callable[[str, bool], Object],
    folder: Path,
) -> Completed:
    """Finds the API functions `wanted` that no object defines, using the descriptions.

    A description may define the functions itself, as wrappers; it is then a source of the package.
    Otherwise it names the functions that implement them. `compile_source` compiles one, for linking
    or (False) for inspection. Raises `BuildError` if one does not compile.
    """
    needed = set(wanted)
    found = Completed(list(objects))
    for name in descriptions:
        structure, functions = _STRUCTURES[name]
        if not needed & set(functions):
            continue
        looked_into = folder / compile_source(name, False).file
        if defined([looked_into]) & needed:
            found.objects.append(compile_source(name, True))
            continue
        pointers = _pointers(looked_into, structure)
        named = dict(zip(functions, pointers, strict=False)) if pointers else {}
        found.aliases.update(
            {symbol: real for symbol, real in named.items() if symbol in needed and real != symbol}
        )
    return found


def _pointers(path: Path, structure: str) -> list[str]:
    """The functions that a structure of an object points to, in the order of its fields.

    Raises `BuildError` for an invalid object, because assembly may define any sections.
    """
    if path.stat().st_size > _LARGEST:
        raise too_large(f"the description takes more than {_LARGEST >> 20} MB")
    try:
        return _pointers_in(path, structure)
    except (ELFError, ConstructError, ArithmeticError, LookupError, ValueError) as error:
        raise BuildError(
            Status.BUILD_FAILED,
            f"the description's object cannot be read ({type(error).__name__}: {error}): "
            "remove the assembly",
        ) from None


def _pointers_in(path: Path, structure: str) -> list[str]:
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
                        found.append((relocation["r_offset"], _checked(target.name)))
    return [name for _, name in sorted(found)]


def _checked(name: str) -> str:
    """A name for the linker's options. Raises `BuildError` for an invalid one."""
    if not _NAME.fullmatch(name):
        raise BuildError(
            Status.BUILD_FAILED,
            f"the description points to {name[:80]!r}, which is not a C identifier",
        )
    return name
