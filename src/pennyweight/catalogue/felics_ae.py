"""FELICS-AE's packages: SUPERCOP's one-shot API with lengths of type `size_t`.

https://gitlab.inria.fr/minier/felics-ae, documentation/adding-ciphers.md. A cipher's folder is
called `Name_vVersion` and has its sources in `source/`, with an `api.h` whose sizes may be macros
of another header, a `test_vectors.c`, and an `implementation.info` that tells which files are whose
direction and for which platforms they are. Files may be links into the folders of other ciphers.
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
"""What the build calls the package's functions, whose names the API around them has."""

_NAME = re.compile(r"(?P<name>.+?)_v(?P<version>\w[\w-]*)")
_SIZE = re.compile(r"-?\d+$")
_FIELD = re.compile(r"^EncryptCode:", re.MULTILINE)
_PLATFORMS = re.compile(r"^Platforms:(.*)$", re.MULTILINE)

_FUNCTION = re.compile(r"\bcrypto_aead_encrypt\s*\(([^()]{40,1000})\)")
_PARAMETERS = 8

_OF_CORES = {
    "avre+": "AVR",
    "avrxt": "AVR",
    "msp430": "MSP",
    "cortex-m3": "ARM",
    "cortex-m4": "NRF52840",
    "cortex-m0": "STM32L053",
    "cortex-m0plus": "STM32L053",
}
"""The framework's platforms by their cores; parts with other cores are none of its."""


@dataclass(frozen=True, slots=True)
class FelicsAe:
    """What such a package says of itself."""

    tag: int
    platforms: tuple[str, ...]
    """Those that it is for; none named: all."""

    def macros(self) -> tuple[str, ...]:
        """What our adapter is compiled with."""
        return (f"-DTAG_SIZE={self.tag}",)

    def names(self) -> tuple[str, ...]:
        """What the package's sources are compiled with."""
        return (f"-Dcrypto_aead_encrypt={ENCRYPT}", f"-Dcrypto_aead_decrypt={DECRYPT}")


def platform(core: str) -> str:
    """The framework's name of a part with a core; empty if it has none."""
    return _OF_CORES.get(core, "")


def is_package(folder: Path) -> bool:
    """Is it a folder of this kind? Packages that went on to SUPERCOP's functions, which take a
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
    """The folder that a package's links may lead into: where the ciphers' folders lie."""
    return folder.parent.parent if folder.name == SOURCE else folder


def read(folder: Path) -> tuple[ApiSizes, FelicsAe]:
    """What a package's files say. Raises `UserError`."""
    macros: dict[str, str] = {}
    define(folder / API, macros, tree_of(folder).resolve())
    sizes = sizes_of(folder / API, macros)
    named = _PLATFORMS.search(read_text(folder / INFORMATION, errors="replace"))
    platforms = tuple(named[1].split()) if named else ()
    return sizes, FelicsAe(sizes.tag or 0, platforms)


def label(folder: Path) -> tuple[str, str]:
    """The cipher's name and the implementation's, from the names of the folders."""
    named = folder.parent if folder.name == SOURCE else folder
    match = _NAME.fullmatch(named.name)
    return (match["name"], match["version"]) if match else (named.name, named.name)


def algorithm_named(name: str, algorithms: dict[str, Algorithm]) -> Algorithm | None:
    """The algorithm of ours that a cipher's name means; some names end in the size of the key."""
    return by_alias(name, algorithms, Kind.AEAD) or by_alias(
        _SIZE.sub("", name), algorithms, Kind.AEAD
    )
