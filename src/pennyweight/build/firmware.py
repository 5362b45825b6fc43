"""Our own start-up code and headers: where they lie, and their digest."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path

from pennyweight.toolchains.base import Family


def headers_folder(firmware: Path) -> Path:
    """The headers that packages expect from the framework they were written for."""
    return firmware / "include"


def cplusplus_runtime(firmware: Path) -> Path:
    """What C++ expects of its library, as a source."""
    return firmware / "cplusplus" / "runtime.cpp"


def firmware_sha256(firmware: Path, family: Family) -> str:
    """Over names and content of all that `firmware/` gives to a build of one family."""
    folders = [headers_folder(firmware), firmware / family.firmware]
    folders += [*family.library_headers(firmware), *family.library_sources(firmware)]
    folders.append(cplusplus_runtime(firmware))
    total = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*")) if folder.is_dir() else [folder]:
            if path.is_file():
                seen = path.stat()
                content = _content(path, seen.st_size, seen.st_mtime_ns)
                total.update(f"{path.relative_to(firmware).as_posix()}\n{content}\n".encode())
    return total.hexdigest()


@functools.lru_cache(maxsize=1024)
def _content(path: Path, _size: int, _changed: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
