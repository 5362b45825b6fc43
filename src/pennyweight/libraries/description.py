"""A library's file, `libraries/NAME.toml`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, model_validator

from pennyweight.catalogue.algorithms import Digest
from pennyweight.catalogue.manifest import Macro
from pennyweight.catalogue.root import data_root
from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.catalogue.tomlfile import Table, parse, read_text
from pennyweight.model import UserError

if TYPE_CHECKING:
    from pennyweight.libraries.rust import RustLibrary

Place = Annotated[str, Field(pattern=r"^(\.|[\w+-][\w.+-]*(/[\w+-][\w.+-]*)*)$")]
"""A path below the folder that is meant."""


FOLDER = r"^crypto_(aead|hash|auth)/[a-z0-9][\w.+-]*/[\w.+-]+$"


class LibraryImplementation(Table):
    """One implementation: where it lies in the tree, what it is made of."""

    folder: Annotated[str, Field(pattern=FOLDER)]
    """As in a tree of packages: `crypto_aead/<algorithm>/<name>`; the algorithm is one of ours."""
    adapter: Place | tuple[Place, ...]
    """C files of the folder beside the library's file: one, or several."""
    sources: Annotated[tuple[str, ...], Field(min_length=1)]
    """Files of the package; `@name` stands for a group of them."""
    options: tuple[Macro, ...] = ()
    """Macros: in the generated configuration if there is a `header`, else all files see them."""
    incremental: bool = False
    key_setup: bool = False
    constant_time: bool | None = None


class Library(Table):
    """A package of a registry, and the implementations in it."""

    title: str
    license: str
    registry: Literal["crates", "npm"]
    package: Annotated[str, Field(pattern=r"^[@\w][\w./@-]*$")]
    version: Annotated[str, Field(pattern=r"^[\w.+-]+$")]
    sha256: Digest
    """Of the archive as the registry has it."""
    root: Place = "."
    """The folder of the archive that all other paths begin in."""
    include: tuple[Place, ...] = ()
    """Folders to search for headers. A source finds those that lie beside it."""
    included: tuple[Place, ...] = ()
    """Files that sources include and that no header's name tells: `misc.c`."""
    defines: tuple[Macro, ...] = ()
    """Macros that all files of the library see."""
    header: str = ""
    """The name of the configuration that the library includes; empty: none is generated."""
    groups: dict[str, tuple[Place, ...]] = Field(default_factory=dict)
    implementation: Annotated[tuple[LibraryImplementation, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _groups_exist(self) -> Library:
        for each in self.implementation:
            for source in each.sources:
                if source.startswith("@") and source[1:] not in self.groups:
                    raise ValueError(f"'{source}' is no group: add it to [groups]")
        return self

    def adapters(self, implementation: LibraryImplementation) -> tuple[str, ...]:
        """The adapters of an implementation."""
        adapter = implementation.adapter
        return (adapter,) if isinstance(adapter, str) else adapter

    def sources(self, implementation: LibraryImplementation) -> list[str]:
        """The files of an implementation, groups written out."""
        found: list[str] = []
        for source in implementation.sources:
            found += self.groups[source[1:]] if source.startswith("@") else (source,)
        return list(dict.fromkeys(found))


_RUST = re.compile(r"^language\s*=", re.MULTILINE)


def names() -> list[str]:
    """The libraries there are."""
    return sorted(path.stem for path in _folder().glob("*.toml"))


def load(name: str) -> tuple[Library | RustLibrary, Path]:
    """A library by name and the folder of its adapters. Raises `UserError`."""
    known = names()
    if name not in known:
        raise UserError(
            f"unknown library '{name}':{did_you_mean(name, known)} known are {', '.join(known)}"
        )
    return load_file(_folder() / f"{name}.toml")


def load_file(path: Path) -> tuple[Library | RustLibrary, Path]:
    """A library by its file, beside which its adapters lie in a folder of the same name.

    Raises `UserError`.
    """
    from pennyweight.libraries.rust import RustLibrary

    text = read_text(path)
    adapters = path.with_suffix("")
    if not adapters.is_dir():
        raise UserError(f"{path}: there is no folder '{adapters.name}' with its adapters beside it")
    if _RUST.search(text):
        return parse(text, path, RustLibrary), adapters
    return parse(text, path, Library), adapters


def _folder() -> Path:
    return data_root() / "libraries"
