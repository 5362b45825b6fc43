"""What every compiler family offers: finding it, naming it exactly, linking for a board with it.

A new family is a new file beside this one and one line in `toolchains/__init__.py`.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from pennyweight.catalogue.boards import Board
from pennyweight.model import UserError
from pennyweight.toolchains.packages import Packages
from pennyweight.toolchains.recipe import Recipe


class MissingToolchainError(UserError):
    """The compiler is not there; the message names the package to install."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What exactly a compiler is."""

    name: str
    version: str
    """The first line of `--version`."""
    configuration: str
    """The line `Configured with:` of `-v`."""
    sha256: str
    """Over the digests of driver, compiler proper, assembler and linker, and of C's headers."""
    cplusplus_sha256: str
    """Over those of what compiles C++, and of its headers: only C++ depends on them."""

    def of(self, has_cplusplus: bool) -> str:
        """The digest of all that sources depend on which are C++, or are not."""
        return f"{self.sha256} {self.cplusplus_sha256}" if has_cplusplus else self.sha256


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A compiler that is there."""

    family: Family
    driver: Path
    """The GNU compiler, which assembles and links."""
    identity: Identity
    clang: Path | None = None
    """Clang, where that compiles C instead."""


class Family(ABC):
    """One family of compilers. Stateless."""

    name: str
    """As in a board file's `compiler.toolchain`."""

    firmware: str
    """The folder of `firmware/` with the start-up code for its boards."""

    hint: str
    """How to install it, for the end of a sentence."""

    short: str
    """Its name for `pennyweight toolchain install`: that of the instruction set."""

    packages: Packages = MappingProxyType({})
    """The packages that bring it, by package manager."""

    cplusplus: str = ""
    """How to come by its C++ where that is a package apart, for the end of a sentence."""

    recipe: Recipe | None = None
    """How it is built here, for one that nobody packages."""

    driver: Path | None = None
    """The compiler that is used instead of the one that `locate` finds."""

    def at(self, driver: Path) -> Family:
        """The same family with the compiler at another place."""
        elsewhere = copy.copy(self)
        elsewhere.driver = driver
        return elsewhere

    def remedy(self) -> str:
        """How to come by it on this machine, for the end of a sentence."""
        return self.hint

    @abstractmethod
    def locate(self) -> Path | None:
        """The driver, or `None` if it is not installed."""

    def library_headers(self, firmware: Path) -> tuple[Path, ...]:
        """Folders of C library headers for compilers that bring none; `firmware` as below."""
        return ()

    def library_sources(self, firmware: Path) -> tuple[Path, ...]:
        """Sources that every link takes besides the start-up code, for compilers whose libraries
        lack something; what a program does not use is dropped.
        """
        return ()

    @abstractmethod
    def link_arguments(self, board: Board, firmware: Path) -> list[str]:
        """What places an image in the board's memories; `firmware` is the data folder's.

        The regions are left unlimited: whether a program fits is decided on its sizes, so that
        the number of bytes over is known.
        """

    @abstractmethod
    def libraries(self) -> tuple[str, ...]:
        """Names of the libraries and start files that a link takes besides the objects.

        Their content is part of what names a build.
        """

    def for_assembly(self, flags: tuple[str, ...], folder: Path) -> tuple[str, ...]:
        """What the driver has to be told besides `flags` for a source in assembly; debugging
        information names `folder` as `.`.
        """
        return ()

    def library_flags(self, flags: tuple[str, ...]) -> tuple[str, ...]:
        """The flags by which the compiler finds them for a board with these."""
        return flags


def own_libc(firmware: Path) -> tuple[Path, ...]:
    """Our C library's sources, for compilers that bring none; `firmware` is the data folder's."""
    folder = firmware / "libc"
    return (folder / "libc.c", folder / "malloc.c", folder / "stdio.c")
