"""Pennyweight's start-up code and headers: their location and digest."""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Callable
from pathlib import Path

from pennyweight.catalogue.felics_ae import FelicsAe
from pennyweight.fingerprint import c_source
from pennyweight.snapshot import once
from pennyweight.toolchains.base import Family


def headers_folder(firmware: Path) -> Path:
    """The headers that packages expect from their framework."""
    return firmware / "include"


def cplusplus_runtime(firmware: Path) -> Path:
    """The functions that C++ expects from its library, as a source."""
    return firmware / "cplusplus" / "runtime.cpp"


def cplusplus_headers(firmware: Path) -> Path:
    """The C++ names of C's headers, for compilers without a C++ library."""
    return firmware / "cplusplus" / "include"


def felics_adapter(firmware: Path) -> Path:
    """The one-shot API around FELICS-AEAD's functions, as a source."""
    return firmware / "felics" / "adapter.c"


def felics_ae_adapter(firmware: Path) -> Path:
    """The one-shot API around FELICS-AE's, as a source."""
    return firmware / "felics" / "one_shot.c"


def felics_flags(firmware: Path, family: Family) -> tuple[str, ...]:
    """The macros of the framework's makefiles, and the location of its headers."""
    part = family.felics_part
    defined = (f"-D{part}",) if part else ()
    return (*defined, "-DSCENARIO=0", f"-I{headers_folder(firmware) / 'felics'}")


def felics_ae_flags(firmware: Path, package: FelicsAe, part: str) -> tuple[str, ...]:
    """What the framework's makefiles define, where its headers are, and the functions' names.

    `part` is the framework's name of the board's platform; empty if it has none.
    """
    defined = (f"-D{part}",) if part else ()
    return (*defined, *package.names(), f"-I{headers_folder(firmware) / 'felics-ae'}")


def firmware_sha256(firmware: Path, family: Family) -> str:
    """Digest of the names and content of everything in `firmware/` for one family; within
    :func:`~pennyweight.snapshot.snapshot_scope`, as of the first call.
    """
    return once("firmware files", (firmware, family.name), lambda: firmware_now(firmware, family))


def firmware_now(firmware: Path, family: Family) -> str:
    """The same, for the current files."""
    return _digest(firmware, family, _sha256)


def firmware_meaning(firmware: Path, family: Family) -> str:
    """Digest of the same without C's comments; computed once as above."""
    which = (firmware, family.name)
    return once("firmware meaning", which, lambda: _digest(firmware, family, _meaning))


def _digest(firmware: Path, family: Family, digest: Callable[[str, int, int], str]) -> str:
    folders = [headers_folder(firmware), firmware / family.firmware]
    folders += [*family.library_headers(firmware), *family.library_sources(firmware)]
    folders += [firmware / "random"]
    folders += [firmware / "cplusplus", felics_adapter(firmware), felics_ae_adapter(firmware)]
    total = hashlib.sha256()
    below = len(str(firmware)) + 1
    for folder in folders:
        for path, seen in _files(folder):
            content = digest(path, seen.st_size, seen.st_mtime_ns)
            name = path[below:].replace(os.sep, "/")
            total.update(f"{name}\n{content}\n".encode())
    return total.hexdigest()


def _files(place: Path) -> list[tuple[str, os.stat_result]]:
    """A file, or all files in a folder and its subfolders, in order."""
    if not place.is_dir():
        return [(str(place), place.stat())] if place.is_file() else []
    found = []
    waiting = [str(place)]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    waiting.append(entry.path)
                elif entry.is_file():
                    found.append((entry.path, entry.stat()))
    return sorted(found, key=lambda file: file[0].replace(os.sep, "\0"))


@functools.lru_cache(maxsize=1024)
def _sha256(path: str, _size: int, _changed: int) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


@functools.lru_cache(maxsize=1024)
def _meaning(path: str, _size: int, _changed: int) -> str:
    return c_source.digest(path, Path(path).read_bytes())
