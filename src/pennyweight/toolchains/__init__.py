"""Compilers: which one a board needs, whether it is there, what exactly it is."""

from __future__ import annotations

import functools
from pathlib import Path

from pennyweight.catalogue.boards import Board
from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.job import Job
from pennyweight.model import UserError
from pennyweight.toolchains.arm_none_eabi_gcc import ArmNoneEabiGcc
from pennyweight.toolchains.avr_gcc import AvrGcc
from pennyweight.toolchains.base import Family, Identity, MissingToolchainError, Toolchain
from pennyweight.toolchains.identity import file_stamps, identify, libraries_sha256
from pennyweight.toolchains.mipsel_linux_gnu_gcc import MipselLinuxGnuGcc
from pennyweight.toolchains.msp430_elf_gcc import Msp430ElfGcc
from pennyweight.toolchains.riscv64_unknown_elf_gcc import Riscv64UnknownElfGcc
from pennyweight.toolchains.xtensa_lx6 import XtensaLx6
from pennyweight.toolchains.xtensa_lx106_elf_gcc import XtensaLx106ElfGcc

__all__ = [
    "FAMILIES",
    "Identity",
    "MissingToolchainError",
    "Toolchain",
    "family",
    "find",
    "for_board",
    "for_job",
    "is_replaced",
    "libraries_sha256",
    "missing",
]

FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        AvrGcc(),
        ArmNoneEabiGcc(),
        Riscv64UnknownElfGcc(),
        Msp430ElfGcc(),
        XtensaLx106ElfGcc(),
        XtensaLx6(),
        MipselLinuxGnuGcc(),
    )
}


def find(name: str) -> Toolchain:
    """The toolchain of a family. Raises `MissingToolchainError`."""
    family = FAMILIES[name]
    driver = family.locate()
    if driver is None:
        raise MissingToolchainError(f"{name} is not installed; install it with {family.remedy()}")
    return Toolchain(family, driver, _identity(name, driver, file_stamps(driver)))


def is_replaced(toolchain: Toolchain) -> bool:
    """Is another compiler there by now than when it was found?"""
    driver = toolchain.driver
    return _identity(toolchain.identity.name, driver, file_stamps(driver)) != toolchain.identity


@functools.cache
def _identity(name: str, driver: Path, _stamps: tuple[tuple[int, ...], ...]) -> Identity:
    found = identify(name, driver)
    if isinstance(found, str):
        raise MissingToolchainError(
            f"{driver} does not run ({found}): install it anew with {FAMILIES[name].hint}"
        )
    return found


def family(board: Board) -> Family:
    """The compiler family that a board's file names. Raises `UserError`."""
    name = board.file.compiler.toolchain
    if name not in FAMILIES:
        raise UserError(
            f"{board.path}: field 'compiler.toolchain': unknown toolchain '{name}':"
            f"{did_you_mean(name, FAMILIES) or ' known are ' + ', '.join(FAMILIES)}"
        )
    return FAMILIES[name]


def for_board(board: Board) -> Toolchain:
    """The toolchain that a board's file names. Raises `UserError`, `MissingToolchainError`."""
    return find(family(board).name)


def for_job(job: Job) -> Toolchain:
    """The toolchain that builds a job. Raises `UserError`, `MissingToolchainError`."""
    named = family(job.board).name
    if job.compiler not in ("", named):
        raise UserError(
            f"compiler '{job.compiler}': code for board '{job.board.id}' can be built by '{named}' "
            "only, which its file names; leave the compiler out"
        )
    return find(named)


def missing(board: Board) -> str | None:
    """Why nothing can be built for `board` here: one sentence that names the package to install.

    `None` if its compiler is there. Raises `UserError` for an unknown toolchain.
    """
    try:
        for_board(board)
    except MissingToolchainError as error:
        return f"board '{board.id}' needs a compiler: {error}"
    return None
