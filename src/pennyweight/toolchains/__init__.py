"""Compilers: which one a board needs, whether it is installed, and its exact identity."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from pathlib import Path

from pennyweight.catalogue.boards import Board
from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.job import Job
from pennyweight.model import UserError
from pennyweight.toolchains import clang as llvm
from pennyweight.toolchains import selection
from pennyweight.toolchains.base import Family, Identity, MissingToolchainError, Toolchain
from pennyweight.toolchains.families import FAMILIES
from pennyweight.toolchains.identity import file_stamps, identify, libraries_sha256
from pennyweight.toolchains.selection import UnsuitableCompilerError

__all__ = [
    "FAMILIES",
    "Identity",
    "MissingToolchainError",
    "Toolchain",
    "UnsuitableCompilerError",
    "check_compilers",
    "clang_driver",
    "clang_version",
    "compilers_for",
    "family",
    "find",
    "for_board",
    "for_job",
    "is_replaced",
    "libraries_sha256",
    "missing",
    "name_for_job",
    "selected",
]


def find(name: str) -> Toolchain:
    """The toolchain of a family. Raises `MissingToolchainError`."""
    family = FAMILIES[name]
    driver = family.locate()
    if driver is None:
        raise MissingToolchainError(f"{name} is not installed; install it with {family.remedy()}")
    return Toolchain(family, driver, _identity(name, driver, file_stamps(driver)))


def is_replaced(toolchain: Toolchain) -> bool:
    """Whether the compiler has been replaced since it was found."""
    return _identified(toolchain.family, toolchain.driver, toolchain.clang) != toolchain.identity


def _identified(family: Family, driver: Path, clang: Path | None) -> Identity:
    """The current identity of a compiler; if it is not the family's own, its name includes its
    version.
    """
    version = "" if family.driver is None else f"-{selection.version_of(driver)}"
    gnu = _identity(f"{family.name}{version}", driver, file_stamps(driver))
    return gnu if clang is None else llvm.identify(clang, gnu)


@functools.cache
def _identity(name: str, driver: Path, _stamps: tuple[tuple[int, ...], ...]) -> Identity:
    found = identify(name, driver)
    if isinstance(found, str):
        remedy = f"install it again with {FAMILIES[name].hint}" if name in FAMILIES else "repair it"
        raise MissingToolchainError(f"{driver} {found}: {remedy}")
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
    return selected(job.board, job.compiler)


def name_for_job(job: Job) -> str:
    """The name of the compiler that builds a job, as in its rows; the user's text if it is not
    installed.
    """
    if not job.compiler:
        return job.board.file.compiler.toolchain
    try:
        return for_job(job).identity.name
    except MissingToolchainError:
        return job.compiler


def selected(board: Board, compiler: str) -> Toolchain:
    """The toolchain for a board and a user's choice of a compiler; empty: the board's own.

    Raises `UserError` for an unknown compiler, `MissingToolchainError`, and
    `UnsuitableCompilerError` if it cannot build for the board.
    """
    own = family(board)
    clang, driver = selection.located(board, own, compiler) if compiler else (None, None)
    if clang is None and driver is None:
        return find(own.name)
    if driver is None:
        driver = find(own.name).driver
    else:
        own = own.at(driver)
    return Toolchain(own, driver, _identified(own, driver, clang), clang)


def compilers_for(board: Board, compilers: Iterable[str]) -> list[str]:
    """A user's list of compilers as jobs for a board name them, each once: empty for the board's
    own, whatever the user calls it, so that its results are the same. Raises `UserError` for an
    unknown compiler.
    """
    return list(dict.fromkeys(_name_in_jobs(board, each) for each in compilers))


def _name_in_jobs(board: Board, compiler: str) -> str:
    if not compiler:
        return ""
    try:
        clang, driver = selection.located(board, family(board), compiler)
    except UnsuitableCompilerError:
        return compiler
    chosen = clang or driver
    if chosen is None:
        return ""
    return str(chosen) if selection.is_path(compiler) else compiler


def clang_driver(name: str) -> Path | None:
    """The driver of ``clang`` or ``clang-19``; `None` if it is not installed."""
    return selection.clang_driver(name)


def clang_version(driver: Path) -> str:
    """The first line of Clang's `--version`."""
    return llvm.version_line(driver) or ""


def check_compilers(boards: Sequence[Board], compilers: Sequence[str]) -> tuple[str, ...]:
    """A user's list of compilers, each once; empty: the boards' own. Raises `UserError` for one
    that is unknown, or cannot build for any of the boards.
    """
    names = selection.names_in(compilers)
    for name in names:
        reasons = []
        for board in boards:
            try:
                selection.located(board, family(board), name)
                break
            except UnsuitableCompilerError as error:
                reasons.append(error)
        else:
            if reasons:
                raise reasons[0]
    return names or ("",)


def missing(board: Board) -> str | None:
    """Why nothing can be built for `board`: one sentence that names the package to install.

    `None` if its compiler is installed. Raises `UserError` for an unknown toolchain.
    """
    try:
        for_board(board)
    except MissingToolchainError as error:
        return f"board '{board.id}' needs a compiler: {error}"
    return None
