"""A library of C sources, as described by its file `libraries/NAME.toml`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from pennyweight.catalogue.algorithms import Digest
from pennyweight.catalogue.manifest import Macro
from pennyweight.catalogue.tomlfile import Table

Place = Annotated[str, Field(pattern=r"^(\.|[\w+-][\w.+-]*(/[\w+-][\w.+-]*)*)$")]
"""A path inside the folder."""


FOLDER = r"^crypto_(aead|hash|auth)/[a-z0-9][\w.+-]*/[\w.+-]+$"


class LibraryImplementation(Table):
    """One implementation: its location in the tree, and its files."""

    folder: Annotated[str, Field(pattern=FOLDER)]
    """As in a tree of packages: `crypto_aead/<algorithm>/<name>`, with an algorithm of the
    catalogue.
    """
    adapter: Place | tuple[Place, ...]
    """C files in the folder next to the library's file: one, or several."""
    sources: Annotated[tuple[str, ...], Field(min_length=1)]
    """Files of the package; `@name` refers to a group of them."""
    options: tuple[Macro, ...] = ()
    """Macros: in the generated configuration if there is a `header`, otherwise for all files."""
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
    """Of the registry's archive."""
    root: Place = "."
    """The folder of the archive that all other paths are relative to."""
    include: tuple[Place, ...] = ()
    """Folders to search for headers. Headers next to a source are always found."""
    included: tuple[Place, ...] = ()
    """Files that sources include although they are not headers: `misc.c`."""
    defines: tuple[Macro, ...] = ()
    """Macros for all files of the library."""
    header: str = ""
    """The name of the configuration that the library includes; empty: none is generated."""
    groups: dict[str, tuple[Place, ...]] = Field(default_factory=dict)
    implementation: Annotated[tuple[LibraryImplementation, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _groups_exist(self) -> Library:
        for each in self.implementation:
            for source in each.sources:
                if source.startswith("@") and source[1:] not in self.groups:
                    raise ValueError(f"'{source}' is not a group: add it to [groups]")
        return self

    def adapters(self, implementation: LibraryImplementation) -> tuple[str, ...]:
        """The adapters of an implementation."""
        adapter = implementation.adapter
        return (adapter,) if isinstance(adapter, str) else adapter

    def sources(self, implementation: LibraryImplementation) -> list[str]:
        """The files of an implementation, with groups expanded."""
        found: list[str] = []
        for source in implementation.sources:
            found += self.groups[source[1:]] if source.startswith("@") else (source,)
        return list(dict.fromkeys(found))
