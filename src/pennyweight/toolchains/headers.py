"""The headers of a compiler: their location, and their digest."""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from pennyweight import cache
from pennyweight.toolchains.command import ANSWER_LIMIT_S, run

OF_THE_MACHINE = (Path("/usr/include"), Path("/usr/local/include"))
"""Headers of the host system, which some compilers search last, and packages must not use."""

_BEGIN, _END = "#include <...> search starts here:", "End of search list."


@functools.cache
def searched(driver: Path, flags: tuple[str, ...] = ()) -> tuple[Path, ...]:
    """The folders in which a compiler searches headers, in order (GCC manual, section "Directory
    Options").
    """
    found: dict[Path, None] = {}
    for language in ("c", "c++"):
        words: list[str | Path] = [driver, *flags, f"-x{language}", "-E", "-v", "/dev/null"]
        lines = run(words, cwd=Path("/"), time_limit=ANSWER_LIMIT_S).output.splitlines()
        if _BEGIN in lines and _END in lines:
            for line in lines[lines.index(_BEGIN) + 1 : lines.index(_END)]:
                found[Path(line.strip()).resolve()] = None
    return tuple(found)


_CPLUSPLUS = "c++"
"""Names of the folders of C++ headers, which often are a separate package."""


def own(driver: Path) -> tuple[Path, ...]:
    """The folders of headers that belong to the compiler, and its data about parts in the same
    place; without those of C++.
    """
    found = [
        folder
        for folder in searched(driver)
        if folder not in OF_THE_MACHINE and _CPLUSPLUS not in folder.parts
    ]
    beside = [f.parent / more for f in found for more in ("device-specs", "lib/ldscripts")]
    return (*found, *dict.fromkeys(folder for folder in beside if folder.is_dir()))


def of_cplusplus(driver: Path) -> tuple[Path, ...]:
    """The outermost folders of C++ headers; none without C++."""
    found = [folder for folder in searched(driver) if _CPLUSPLUS in folder.parts]
    return tuple(f for f in found if not any(f != o and f.is_relative_to(o) for o in found))


def sha256(folders: Iterable[Path]) -> str:
    """Digest of the names and content of all files in some folders, without folders of C++ headers
    inside others.
    """
    total = hashlib.sha256()
    for folder in folders:
        total.update(_of_folder(folder).encode())
    return total.hexdigest()


def _of_folder(folder: Path) -> str:
    """Cached while no file's size or time changes."""
    files = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != _CPLUSPLUS]
        files += [Path(place, name) for name in names]
    files.sort()
    seen = [(path, seen) for path in files if (seen := _seen(path)) is not None]
    listing = "\n".join(f"{path} {look}" for path, look in seen)
    key = hashlib.sha256(listing.encode("utf-8", "surrogateescape")).hexdigest()
    known = cache.read("digests", key)
    if known is not None and len(known) == 64:
        return known.decode("ascii", "replace")
    total = hashlib.sha256()
    for path, _ in seen:
        name = path.relative_to(folder).as_posix()
        try:
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError as error:  # unreadable for the compiler too
            digest = str(error.errno)
        total.update(f"{name}\n{digest}\n".encode("utf-8", "surrogateescape"))
    cache.write("digests", key, total.hexdigest().encode())
    return total.hexdigest()


def _seen(path: Path) -> tuple[int, int, int] | None:
    """A file's size and times, to detect changes; `None` if it is not a file."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return (stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns) if path.is_file() else None
