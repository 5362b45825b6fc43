"""Compilers that replace a board's own: `clang`, `clang-19`, `gcc-12`, or a path.

A name means the compiler of that kind and version for the board's instruction set; a path means
that file. Whether a file is a compiler, and for which machine, is determined by running it.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from pennyweight.catalogue.boards import Board
from pennyweight.model import UserError
from pennyweight.paths import expand_user
from pennyweight.toolchains import clang as llvm
from pennyweight.toolchains.base import Family, MissingToolchainError
from pennyweight.toolchains.command import ANSWER_LIMIT_S, run, search_path, which
from pennyweight.toolchains.families import FAMILIES
from pennyweight.toolchains.identity import GNU, printed_version

_NAME = re.compile(r"(?P<kind>clang|gcc)(?:-(?P<version>\d+(?:\.\d+){0,2}))?")


class UnsuitableCompilerError(MissingToolchainError):
    """A compiler that is missing, or cannot build for a board."""


def check_name(text: str) -> None:
    """Raises `UserError` for a text that is not a compiler's name on any machine, and for a path
    without a compiler.
    """
    if is_path(text):
        _check_file(text, _file(text))
    elif _NAME.fullmatch(text) is None and text not in FAMILIES:
        raise UserError(
            f"unknown compiler '{text}': use clang, clang-VERSION, gcc, gcc-VERSION, or the path "
            "of a compiler"
        )


def located(board: Board, family: Family, text: str) -> tuple[Path | None, Path | None]:
    """Clang's driver, or that of a GNU compiler, for a board; one of them is `None`.

    Both are `None` for the board's own compiler. Raises `UserError` for an invalid name, and
    `UnsuitableCompilerError` if there is no such compiler for the board.
    """
    check_name(text)
    if text == family.name:
        return None, None
    if text in FAMILIES:
        raise UnsuitableCompilerError(
            f"compiler '{text}' does not build for board '{board.id}', which needs {family.name}"
        )
    if is_path(text):
        path = _file(text)
        if llvm.version_line(path) is not None:
            return _checked_clang(board, family, text, path), None
        return None, _gnu_at(board, family, text, path)
    named = _NAME.fullmatch(text)
    assert named is not None
    version = named["version"] or ""
    if named["kind"] == "clang":
        return _checked_clang(board, family, text, _clang(text)), None
    return None, _gnu(board, family, text, version)


def names_in(texts: Sequence[str]) -> tuple[str, ...]:
    """A user's list of compilers, each once. Raises `UserError`."""
    for text in texts:
        check_name(text)
    return tuple(dict.fromkeys(texts))


def is_path(text: str) -> bool:
    """Whether a compiler is given as a path."""
    return os.sep in text


def _file(text: str) -> Path:
    return Path(expand_user(text)).absolute()


def _check_file(text: str, path: Path) -> None:
    if path.is_dir():
        raise UserError(f"compiler '{text}' is a folder; give the path of a compiler in it")
    if not path.is_file():
        raise UserError(f"compiler '{text}': there is no such file; give the path of a compiler")
    if not os.access(path, os.X_OK):
        raise UserError(f"compiler '{text}' is not executable; give the path of a compiler")
    if llvm.version_line(path) is None and machine_of(path) is None:
        raise UserError(
            f"compiler '{text}' is neither a GNU compiler nor Clang: it does not answer "
            "-dumpmachine and --version as they do; give the path of a compiler"
        )


def machine_of(driver: Path) -> str | None:
    """The target machine of a GNU compiler; `None` if the file is not a GNU compiler."""
    stat = driver.stat()
    return _machine_of(driver, stat.st_mtime_ns, stat.st_size)


@functools.cache
def _machine_of(driver: Path, _time: int, _size: int) -> str | None:
    if GNU not in printed_version(driver):
        return None
    machine = run([driver, "-dumpmachine"], cwd=Path("/"), time_limit=ANSWER_LIMIT_S)
    lines = machine.output.strip().splitlines()
    if not machine.ok:
        return None
    return lines[0] if len(lines) == 1 and re.fullmatch(r"\w[\w.-]*", lines[0]) else None


@functools.cache
def _version_of(driver: Path, _time: int) -> str:
    done = run([driver, "-dumpfullversion"], cwd=Path("/"), time_limit=ANSWER_LIMIT_S)
    if not done.ok:  # GCC before 7
        done = run([driver, "-dumpversion"], cwd=Path("/"), time_limit=ANSWER_LIMIT_S)
    return done.output.strip()


def version_of(driver: Path) -> str:
    """The version of a GNU compiler, such as ``12.2.1``."""
    return _version_of(driver, driver.stat().st_mtime_ns)


def _gnu_at(board: Board, family: Family, text: str, path: Path) -> Path | None:
    machine = machine_of(path)
    if re.fullmatch(family.dumpmachine, machine or "") is None:
        raise UnsuitableCompilerError(
            f"compiler '{text}' compiles for {machine}, not for board '{board.id}', which needs "
            f"one such as {family.name}; give the path of such a compiler"
        )
    own = family.locate()
    return None if own is not None and own.resolve() == path.resolve() else path


def _gnu(board: Board, family: Family, text: str, version: str) -> Path | None:
    """The GNU compiler of a version: the board's own, or another one of its kind on PATH."""
    own = family.locate()
    if not version:
        return None
    if own is not None and _is_version(version_of(own), version):
        return None
    for path in _on_path(re.compile(rf"{re.escape(family.program)}(-[\d.]+)?")):
        if machine_of(path) is not None and _is_version(version_of(path), version):
            return path
    there = f"version {version_of(own)} is" if own is not None else "none is"
    raise UnsuitableCompilerError(
        f"compiler '{text}': no {family.name} of version {version} is on PATH for board "
        f"'{board.id}' ({there} installed); give the path of one"
    )


def clang_driver(text: str) -> Path | None:
    """The driver of ``clang`` or ``clang-19``; `None` if it is not installed."""
    version = text.partition("-")[2]
    for name in (text, "clang"):
        found = which(name)
        if found is None:
            continue
        line = llvm.version_line(Path(found))
        if line is not None and _is_version(llvm.version_of(line), version):
            return Path(found)
    return None


def _clang(text: str) -> Path:
    found = clang_driver(text)
    if found is not None:
        return found
    raise UnsuitableCompilerError(
        f"compiler '{text}' is not installed; install it with `pennyweight toolchain install "
        f"{text}`"
    )


def _checked_clang(board: Board, family: Family, text: str, path: Path) -> Path:
    target = family.clang_target
    if target is None:
        raise UnsuitableCompilerError(
            f"compiler '{text}' does not build for board '{board.id}': Clang is supported for "
            f"{_with_clang()}; remove this compiler or the board"
        )
    if target.partition("-")[0] not in _targets(path, path.stat().st_mtime_ns):
        raise UnsuitableCompilerError(
            f"compiler '{text}' has no code generator for {target}, which board '{board.id}' "
            "needs; use the distribution's Clang"
        )
    return path


def _with_clang() -> str:
    """The machines that Clang builds for, as a list in words."""
    found = {each.machine for each in FAMILIES.values() if each.clang_target}
    names = sorted(found, key=str.casefold)
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


@functools.cache
def _targets(clang: Path, _time: int) -> frozenset[str]:
    """The instruction sets that a Clang supports."""
    done = run([clang, "--print-targets"], cwd=Path("/"), time_limit=ANSWER_LIMIT_S)
    return frozenset(re.findall(r"^\s+([\w-]+)\s+-", done.output, re.MULTILINE))


def _on_path(pattern: re.Pattern[str]) -> Iterable[Path]:
    for folder in dict.fromkeys(search_path().split(os.pathsep)):
        place = Path(folder)
        if place.is_dir():
            yield from sorted(each for each in place.iterdir() if pattern.fullmatch(each.name))


def _is_version(found: str, wanted: str) -> bool:
    return not wanted or f"{found}.".startswith(f"{wanted}.")
