"""FELICS-AE's packages: SUPERCOP's one-shot API with lengths of type `size_t`.

https://gitlab.inria.fr/minier/felics-ae, documentation/adding-ciphers.md. A cipher's folder is
named `Name_vVersion` and has its sources in `source/`, with an `api.h` whose sizes may be macros of
another header, a `test_vectors.c`, and an `implementation.info`, which assigns files to encryption
and decryption and lists the platforms. Files may be links into the folders of other ciphers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from pennyweight.catalogue.algorithms import Algorithm, by_alias
from pennyweight.catalogue.api_header import API, ApiSizes, sizes_of
from pennyweight.catalogue.felics import INFORMATION, SOURCE, define, sources_of
from pennyweight.catalogue.tomlfile import read_text
from pennyweight.model import Kind

ENCRYPT = "felics_encrypt"
DECRYPT = "felics_decrypt"
"""New names for the package's functions, because the adapter uses the original ones."""

_NAME = re.compile(r"(?P<name>.+?)_v(?P<version>\w[\w-]*)")
_SIZE = re.compile(r"-?\d+$")
_FIELD = re.compile(r"^EncryptCode:", re.MULTILINE)
_PLATFORMS = re.compile(r"^Platforms:(.*)$", re.MULTILINE)

_FUNCTION = re.compile(r"\bcrypto_aead_encrypt\s*\(([^()]{40,1000})\)")
_PARAMETERS = 8


@dataclass(frozen=True, slots=True)
class FelicsAe:
    """What the files of such a package state."""

    tag: int
    platforms: tuple[str, ...]
    """Its platforms; empty: all."""

    def macros(self) -> tuple[str, ...]:
        """The macros that the adapter is compiled with."""
        return (f"-DTAG_SIZE={self.tag}",)

    def names(self) -> tuple[str, ...]:
        """The macros that the package's sources are compiled with."""
        return (f"-Dcrypto_aead_encrypt={ENCRYPT}", f"-Dcrypto_aead_decrypt={DECRYPT}")


def is_package(folder: Path) -> bool:
    """Whether a folder is of this format. Packages that use SUPERCOP's functions, which have one
    more parameter, are not.
    parameter more, are not.
    """
    information = folder / INFORMATION
    if not (folder / API).is_file() or not information.is_file():
        return False
    if _FIELD.search(read_text(information, errors="replace")) is None:
        return False
    found = _FUNCTION.search(sources_of(folder))
    return found is not None and found[1].count(",") == _PARAMETERS - 1


def tree_of(folder: Path) -> Path:
    """The folder that a package's links may point into: the parent of the ciphers' folders."""
    return folder.parent.parent if folder.name == SOURCE else folder


def read(folder: Path) -> tuple[ApiSizes, FelicsAe]:
    """What a package's files state. Raises `UserError`."""
    macros: dict[str, str] = {}
    define(folder / API, macros, tree_of(folder).resolve())
    sizes = sizes_of(folder / API, macros)
    named = _PLATFORMS.search(read_text(folder / INFORMATION, errors="replace"))
    platforms = tuple(named[1].split()) if named else ()
    return sizes, FelicsAe(sizes.tag or 0, platforms)


def label(folder: Path) -> tuple[str, str]:
    """The names of cipher and implementation, from the names of the folders."""
    named = folder.parent if folder.name == SOURCE else folder
    match = _NAME.fullmatch(named.name)
    return (match["name"], match["version"]) if match else (named.name, named.name)


def algorithm_named(name: str, algorithms: dict[str, Algorithm]) -> Algorithm | None:
    """The catalogue's algorithm for a cipher's name; some names end with the size of the key."""
    return by_alias(name, algorithms, Kind.AEAD) or by_alias(
        _SIZE.sub("", name), algorithms, Kind.AEAD
    )
