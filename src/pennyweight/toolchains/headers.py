"""The headers that a compiler brings: where they lie, and what is in them."""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from pennyweight import cache
from pennyweight.toolchains.command import run

OF_THE_MACHINE = (Path("/usr/include"), Path("/usr/local/include"))
"""Headers of the machine that compiles, which some compilers search last: none for a package."""

_BEGIN, _END = "#include <...> search starts here:", "End of search list."
_SECONDS = 20.0


@functools.cache
def searched(driver: Path, flags: tuple[str, ...] = ()) -> tuple[Path, ...]:
    """The folders that a compiler searches for headers, in its order (GCC manual, section
    "Directory Options").
    """
    found: dict[Path, None] = {}
    for language in ("c", "c++"):
        words: list[str | Path] = [driver, *flags, f"-x{language}", "-E", "-v", "/dev/null"]
        lines = run(words, cwd=Path("/"), time_limit=_SECONDS).output.splitlines()
        if _BEGIN in lines and _END in lines:
            for line in lines[lines.index(_BEGIN) + 1 : lines.index(_END)]:
                found[Path(line.strip()).resolve()] = None
    return tuple(found)


_CPLUSPLUS = "c++"
"""What the folders of C++'s headers are called, or lie in: often they are a package apart."""


def own(driver: Path) -> tuple[Path, ...]:
    """The folders of headers that came with the compiler, and what it keeps beside them of the
    parts that it knows; not C++'s.
    """
    found = [
        folder
        for folder in searched(driver)
        if folder not in OF_THE_MACHINE and _CPLUSPLUS not in folder.parts
    ]
    beside = [f.parent / more for f in found for more in ("device-specs", "lib/ldscripts")]
    return (*found, *dict.fromkeys(folder for folder in beside if folder.is_dir()))


def of_cplusplus(driver: Path) -> tuple[Path, ...]:
    """The folders of C++'s headers that no other of them is in; none where there is no C++."""
    found = [folder for folder in searched(driver) if _CPLUSPLUS in folder.parts]
    return tuple(f for f in found if not any(f != o and f.is_relative_to(o) for o in found))


def sha256(folders: Iterable[Path]) -> str:
    """Over the names and the content of all files in some folders, but for folders of C++'s that
    lie in others.
    """
    total = hashlib.sha256()
    for folder in folders:
        total.update(_of_folder(folder).encode())
    return total.hexdigest()


def _of_folder(folder: Path) -> str:
    """Remembered in the cache, as long as no file's size or time is another."""
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
        except OSError as error:  # what we cannot read, the compiler cannot either
            digest = str(error.errno)
        total.update(f"{name}\n{digest}\n".encode("utf-8", "surrogateescape"))
    cache.write("digests", key, total.hexdigest().encode())
    return total.hexdigest()


def _seen(path: Path) -> tuple[int, int, int] | None:
    """A file's size and times: who sets back the one leaves the other. `None` if it is no file."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return (stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns) if path.is_file() else None
