"""FELICS-AEAD's packages: a folder with `constants.h` and seven functions instead of an `api.h`.

https://www.cryptolux.org/index.php/FELICS. A cipher's folder is named
`Name_block_key_nonce_state_tag_v01`, with sizes in bits, and has its sources in `source/`. The
functions are Initialize, ProcessAssociatedData, ProcessPlaintext, ProcessCiphertext, Finalize,
TagGeneration and TagVerification; `implementation.info` states which of them accept empty inputs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from pennyweight.catalogue.algorithms import Algorithm
from pennyweight.catalogue.api_header import value_of, without_comments
from pennyweight.catalogue.tomlfile import read_text
from pennyweight.model import Kind, UserError

CONSTANTS = "constants.h"
INFORMATION = "implementation.info"
SOURCE = "source"
"""The folder of sources in a cipher's folder."""

NOT_SOURCES = ("main.c", "test_vectors.c")
"""FELICS's own harness, and files that only it uses."""

_NAME = re.compile(r"(?P<name>.+?)_\d+_\d+_\d+_\d+_\d+_(?P<version>v\w+)")
_SIZES = {
    "BLOCK_SIZE": "block",
    "KEY_SIZE": "key",
    "NONCE_SIZE": "nonce",
    "STATE_SIZE": "state",
    "TAG_SIZE": "tag",
}
_SPELLINGS = {
    "ProcessAssociatedData": ("ProcessAssociatedData", "ProcessAssocData"),
    "TagGeneration": ("TagGeneration", "GenerateTag"),
    "TagVerification": ("TagVerification", "VerifyTag"),
}
"""Functions with two possible names."""

_LARGEST = 1 << 20
_LARGEST_OF_ALL = 16 << 20


@dataclass(frozen=True, slots=True)
class Felics:
    """What the files of such a package state; sizes in bytes."""

    block: int
    key: int
    nonce: int
    state: int
    tag: int
    process_ad: str = "ProcessAssociatedData"
    make_tag: str = "TagGeneration"
    verify_tag: str = "TagVerification"
    empty_ad: bool = True
    """Whether the associated data's function is called for empty associated data."""
    empty_message: bool = True
    """Whether the message's functions are called for an empty message."""
    not_for: tuple[str, ...] = ()
    """The parts, in FELICS's names, that the package does not support: AVR, MSP, ARM."""

    def functions(self) -> tuple[str, ...]:
        """Maps the seven functions to their names in this package."""
        parts = ("ProcessPlaintext", "ProcessCiphertext", "Finalize")
        return ("Initialize", self.process_ad, *parts, self.make_tag, self.verify_tag)

    def macros(self) -> tuple[str, ...]:
        """The macros that the adapter is compiled with."""
        return (
            f"-DKEY_SIZE={self.key}",
            f"-DSTATE_SIZE={self.state}",
            f"-DTAG_SIZE={self.tag}",
            f"-DPROCESS_EMPTY_AD={int(self.empty_ad)}",
            f"-DPROCESS_EMPTY_MESSAGE={int(self.empty_message)}",
            f"-DProcessAssociatedData={self.process_ad}",
            f"-DTagGeneration={self.make_tag}",
            f"-DTagVerification={self.verify_tag}",
        )


def is_package(folder: Path) -> bool:
    """Whether a folder is of this format. A folder that also has the one-shot API is not."""
    path = folder / CONSTANTS
    if not path.is_file() or path.stat().st_size > _LARGEST:
        return False
    text = read_text(path, errors="replace")
    if not all(name in text for name in ("STATE_SIZE", "TAG_SIZE")):
        return False
    return "crypto_aead_encrypt" not in sources_of(folder)


_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w+)(.*)$", re.MULTILINE)
_DEFINED = re.compile(r"!?\s*+defined\s*+\(?\s*+(\w+)\s*+\)?")


def define(path: Path, macros: dict[str, str], inside: Path) -> None:
    """Adds the macros of a header and of the headers that it includes from its folder, each once,
    if they are really in the folder `inside`.

    Of conditions, only `defined` is evaluated, which selects among variants; others count as false.
    Raises `UserError`.
    """
    _define(path, macros, inside, depth=0, seen=set())


def _define(path: Path, macros: dict[str, str], inside: Path, depth: int, seen: set[Path]) -> None:
    taken: list[bool | None] = []
    for directive, written in _DIRECTIVE.findall(without_comments(path)):
        rest = written.strip(" \t")
        if directive in ("if", "ifdef", "ifndef"):
            taken.append(_holds(directive, rest, macros))
        elif directive in ("elif", "else") and taken:
            held = directive == "else" or _holds("if", rest, macros)
            taken[-1] = held if taken[-1] is False else None
        elif directive == "endif" and taken:
            taken.pop()
        elif not all(taken):
            continue
        elif directive == "define":
            name, _, value = rest.replace("\t", " ").partition(" ")
            macros.setdefault(name, value.strip())
        elif directive == "include" and rest.startswith('"') and depth < 4:
            included = path.parent / rest.strip('"')
            real = included.resolve()
            if real in seen or not real.is_relative_to(inside):
                continue
            seen.add(real)
            if included.is_file():
                _define(included, macros, inside, depth + 1, seen)


def _holds(directive: str, rest: str, macros: dict[str, str]) -> bool:
    if directive != "if":
        return (rest in macros) is (directive == "ifdef")
    match = _DEFINED.fullmatch(rest)
    return match is not None and (match[1] in macros) is not rest.startswith("!")


def read(folder: Path) -> Felics:
    """What a package's files state. Raises `UserError`."""
    path = folder / CONSTANTS
    macros: dict[str, str] = {}
    define(path, macros, folder.resolve())
    sizes = {}
    for macro, name in _SIZES.items():
        value = value_of(macro, macros)
        if value is None or not 0 < value <= 1 << 14:
            raise UserError(
                f"{path}: {macro} is not a number of bytes from 1 to 16384; define it, as "
                "FELICS-AEAD does"
            )
        sizes[name] = value
    sources = sources_of(folder)
    names = {name: _spelling(name, sources) for name in _SPELLINGS}
    information = _information(folder)
    return Felics(
        **sizes,
        process_ad=names["ProcessAssociatedData"],
        make_tag=names["TagGeneration"],
        verify_tag=names["TagVerification"],
        empty_ad=not _is_no("ProcessEmptyAssociatedData", information),
        empty_message=not _is_no("ProcessEmptyMessage", information),
        not_for=tuple(
            part for part in ("AVR", "MSP", "ARM") if _is_no(f"Implementation{part}", information)
        ),
    )


def label(folder: Path) -> tuple[str, str]:
    """The names of cipher and implementation, from the names of the folders."""
    named = folder.parent if folder.name == SOURCE else folder
    match = _NAME.fullmatch(named.name)
    return (match["name"], match["version"]) if match else (named.name, named.name)


def algorithm_of(name: str, sizes: Felics, algorithms: dict[str, Algorithm]) -> Algorithm | None:
    """The catalogue's algorithm for a cipher's name and sizes, if there is one."""
    wanted = _letters(name)
    found = [
        each
        for each in algorithms.values()
        if each.kind is Kind.AEAD
        and (each.variant.key, each.variant.nonce, each.variant.tag)
        == (sizes.key, sizes.nonce, sizes.tag)
        and any(
            _letters(other).startswith(wanted)
            for other in (each.name, each.family, *each.variant.aliases)
        )
    ]
    same_block = [each for each in found if each.variant.block == sizes.block]
    best = sorted(same_block or found, key=lambda each: (len(_letters(each.name)), each.name))
    return best[0] if best else None


def _letters(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.casefold())


def sources_of(folder: Path) -> str:
    """The concatenated text of a folder's sources, up to a limit."""
    texts: list[str] = []
    left = _LARGEST_OF_ALL
    for path in sorted(folder.glob("*.[cS]")):
        size = path.stat().st_size if path.is_file() else 0
        if 0 < size <= min(_LARGEST, left):
            texts.append(read_text(path, errors="replace"))
            left -= size
    return "\n".join(texts)


def _spelling(name: str, sources: str) -> str:
    for spelling in _SPELLINGS[name]:
        if re.search(rf"\b{spelling}\b", sources):
            return spelling
    return name


def _information(folder: Path) -> str:
    path = folder / INFORMATION
    return read_text(path) if path.is_file() else ""


def _is_no(field: str, information: str) -> bool:
    return re.search(rf"\b{field}:\s*no\b", information, re.IGNORECASE) is not None
