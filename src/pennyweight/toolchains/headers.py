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


def own(driver: Path) -> tuple[Path, ...]:
    """The folders of headers that came with the compiler, and what it keeps beside them of the
    parts that it knows.
    """
    found = [folder for folder in searched(driver) if folder not in OF_THE_MACHINE]
    beside = [f.parent / more for f in found for more in ("device-specs", "lib/ldscripts")]
    return (*found, *dict.fromkeys(folder for folder in beside if folder.is_dir()))


def sha256(folders: Iterable[Path]) -> str:
    """Over the names and the content of all files in some folders."""
    total = hashlib.sha256()
    for folder in folders:
        total.update(_of_folder(folder).encode())
    return total.hexdigest()


def _of_folder(folder: Path) -> str:
    """Remembered in the cache, as long as no file's size or time is another."""
    files = sorted(Path(place, name) for place, _, names in os.walk(folder) for name in names)
    seen = [(path, seen) for path in files if (seen := _seen(path)) is not None]
    listing = "\n".join(f"{path} {look}" for path, look in seen)
    key = hashlib.sha256(listing.encode("utf-8", "surrogateescape")).hexdigest()
    known = cache.read("digests", key)
    if known is not None and len(known) == 64:
        return known.decode("ascii", "replace")
    total = hashlib.sha256()
    for path, _ in seen:
        name = path.relative_to(folder).as_posix()
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
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
