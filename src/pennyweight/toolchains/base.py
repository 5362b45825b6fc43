"""The interface of a compiler family: find it, identify it, link for a board.

A new family is a new file in this folder and one line in `families.py`.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from pennyweight.catalogue.boards import Board
from pennyweight.model import UserError
from pennyweight.toolchains.packages import Packages
from pennyweight.toolchains.recipes.recipe import Recipe


class MissingToolchainError(UserError):
    """The compiler is not installed; the message names the package to install."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The exact identity of a compiler."""

    name: str
    version: str
    """The first line of `--version`."""
    configuration: str
    """The line `Configured with:` of `-v`."""
    sha256: str
    """Digest of driver, compiler proper, assembler and linker, and of C's headers."""
    cplusplus_sha256: str
    """Digest of the C++ compiler and its headers, which only C++ sources depend on."""

    def of(self, has_cplusplus: bool) -> str:
        """The digest of everything that C++ sources, or other sources, depend on."""
        return f"{self.sha256} {self.cplusplus_sha256}" if has_cplusplus else self.sha256


@dataclass(frozen=True, slots=True)
class Toolchain:
    """An installed compiler."""

    family: Family
    driver: Path
    """The GNU compiler, which assembles and links."""
    identity: Identity
    clang: Path | None = None
    """Clang, where that compiles C instead."""


@dataclass(frozen=True, slots=True)
class Mnemonics:
    """Patterns of an instruction set's mnemonics in lower case, as the simulator prints them. Each
    matches a whole mnemonic; one that matches none is arithmetic and logic.
    """

    loads: str
    stores: str
    branches: str
    """Branches, calls and returns."""
    multiplications: str | None = None
    """Multiplications and divisions; `None` if the instruction set has none."""


class Family(ABC):
    """One family of compilers, and all facts about its instruction set that depend on neither a
    core nor a board. Stateless.

    A family defines every attribute that has no default here.
    """

    name: str
    """Its name in a board file's `compiler.toolchain`."""

    firmware: str
    """The folder of `firmware/` with the start-up code for its boards."""

    hint: str
    """How to install it without Pennyweight, as the end of a sentence."""

    short: str
    """Its name for `pennyweight toolchain install`: that of the instruction set."""

    machine: str
    """The name of the instruction set in messages, such as `RISC-V`; two families may share it."""

    dumpmachine: str
    """A pattern of what a GNU compiler for the family's boards prints with `-dumpmachine`."""

    macros: tuple[str, ...]
    """The macros that compilers for the instruction set predefine, and guards of assembly test."""

    assembly: str
    """A pattern of instructions, directives and headers that only this assembly has."""

    architectures: frozenset[str]
    """The words for the instruction set in the files `architectures` of SUPERCOP's packages."""

    jumps_to_itself: tuple[bytes, ...]
    """The code of each instruction that jumps to itself, in which `abort` and `exit` end."""

    mnemonics: Mnemonics
    """The classes of instructions whose times `accuracy` compares with those of a real board."""

    delay_slot: int = 0
    """Bytes from a jump to the instruction after it that is executed before the jump is taken."""

    clang_target: str | None = None
    """Clang's target for the boards; `None` if Clang does not build for them."""

    clang_flags: tuple[str, ...] = ()
    """Flags that Clang needs in addition to those of GCC."""

    felics_part: str = ""
    """FELICS's name for the parts, which its sources test as a macro; empty if it has none."""

    packages: Packages = MappingProxyType({})
    """The packages that bring it, by package manager."""

    cplusplus: str = ""
    """How to install its C++ if that is a separate package, as the end of a sentence."""

    recipe: Recipe | None = None
    """How Pennyweight builds it, if no distribution packages it."""

    driver: Path | None = None
    """The compiler that is used instead of the one that `locate` finds."""

    def roots(self) -> tuple[tuple[str, str], ...]:
        """The module and the name of its class, whose code enters the names of what it compiles.

        Empty for a class outside this package.
        """
        package, _, module = type(self).__module__.partition(".")
        return ((module, type(self).__name__),) if package == __name__.partition(".")[0] else ()

    @property
    def program(self) -> str:
        """The name of the compiler on PATH, without a version."""
        return self.name

    def at(self, driver: Path) -> Family:
        """The same family with the compiler at another place."""
        elsewhere = copy.copy(self)
        elsewhere.driver = driver
        return elsewhere

    def remedy(self) -> str:
        """How to install it, as the end of a sentence: one command, the same for all compilers."""
        duration = f" ({self.recipe.minutes} minutes, once)" if self.recipe else ""
        return f"`pennyweight toolchain install {self.short}`{duration}"

    @abstractmethod
    def locate(self) -> Path | None:
        """The driver, or `None` if it is not installed."""

    def library_headers(self, firmware: Path) -> tuple[Path, ...]:
        """Folders of C library headers for compilers without a C library; `firmware` as below."""
        return ()

    def library_sources(self, firmware: Path) -> tuple[Path, ...]:
        """Sources to link in addition to the start-up code, for compilers with incomplete
        libraries; unused functions are dropped.
        """
        return ()

    @abstractmethod
    def link_arguments(self, board: Board, firmware: Path) -> list[str]:
        """The linker arguments that place an image in the board's memories; `firmware` is the data
        folder's.

        The regions are unlimited: whether a program fits is decided from its sizes, so that the
        number of excess bytes is known.
        """

    @abstractmethod
    def libraries(self) -> tuple[str, ...]:
        """Names of the libraries and start files to link in addition to the objects.

        Their content enters the name of a build.
        """

    def for_assembly(self, flags: tuple[str, ...], folder: Path) -> tuple[str, ...]:
        """Arguments in addition to `flags` for an assembly source; debugging information names
        `folder` as `.`.
        """
        return ()

    def rust_target(
        self, macros: Mapping[str, str], flags: tuple[str, ...]
    ) -> tuple[str, str] | None:
        """Rust's names of target and processor (rustc book, "Platform Support") for `flags`, with
        which the C compiler predefines `macros`; `None` if Rust has no target for them.
        """
        return None

    def library_flags(self, flags: tuple[str, ...]) -> tuple[str, ...]:
        """The flags with which the compiler finds its libraries for a board with these flags."""
        return flags


def own_libc(firmware: Path) -> tuple[Path, ...]:
    """Pennyweight's C library sources, for compilers without one; `firmware` is the data
    folder's.
    """
    folder = firmware / "libc"
    return (folder / "libc.c", folder / "malloc.c", folder / "stdio.c")
