"""The user's cache folder: content-addressed entries, each written whole or not at all.

Nothing in it is needed: whoever deletes it only waits longer next time.
"""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import platformdirs

_VARIABLE = "PENNYWEIGHT_CACHE"


def folder() -> Path:
    """`PENNYWEIGHT_CACHE` if set, else the user's cache folder; a temporary one if neither can be
    written.
    """
    named = os.environ.get(_VARIABLE)
    return _usable(Path(named).absolute() if named else platformdirs.user_cache_path("pennyweight"))


@functools.cache
def _usable(wanted: Path) -> Path:
    try:
        wanted.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=wanted):
            return wanted
    except OSError:
        return Path(tempfile.mkdtemp(prefix="pennyweight-"))


def _place(room: str, key: str) -> Path:
    return folder() / room / key[:2] / key[2:]


def read(room: str, key: str) -> bytes | None:
    """The file that `write` put there, or `None`."""
    place = _place(room, key)
    try:
        content = place.read_bytes()
    except OSError:
        return None
    _touch(place)
    return content


def write(room: str, key: str, data: bytes) -> None:
    """Puts a file there, at once and whole; a cache that cannot be written is no error."""
    place = _place(room, key)
    with contextlib.suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=place.parent, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(name).replace(place)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def entry(room: str, key: str) -> Path | None:
    """The folder that `fill` put there, or `None`."""
    place = _place(room, key)
    if not place.is_dir():
        return None
    _touch(place)
    return place


def fill(room: str, key: str, make: Callable[[Path], None]) -> Path:
    """Puts a folder there: `make` fills a new folder, which then takes its name at once.

    Whoever comes second finds the first one's folder. What `make` raises goes on, and leaves
    nothing behind. Raises `OSError` if the cache cannot be written.
    """
    place = _place(room, key)
    place.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(dir=place.parent, prefix=".new-"))
    try:
        make(new)
        try:
            new.rename(place)
        except OSError:
            if not place.is_dir():
                raise
        return place
    finally:
        shutil.rmtree(new, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class Unused:
    """An entry that was not asked for in a while, and its bytes."""

    path: Path
    bytes: int


def unused(days: int) -> list[Unused]:
    """The entries that nobody has asked for in so many days, half-made ones too."""
    limit = time.time() - days * 86_400
    found = []
    for place in sorted(folder().glob("*/*/*")):
        with contextlib.suppress(OSError):
            if place.stat().st_mtime <= limit:
                files = place.rglob("*") if place.is_dir() else [place]
                found.append(Unused(place, sum(f.stat().st_size for f in files if f.is_file())))
    return found


def clear(entries: Iterable[Unused]) -> None:
    """Deletes entries; one that cannot be deleted stays."""
    for each in entries:
        if each.path.is_dir():
            shutil.rmtree(each.path, ignore_errors=True)
        else:
            with contextlib.suppress(OSError):
                each.path.unlink()


def _touch(place: Path) -> None:
    """Marks an entry as used now, once a day at most."""
    with contextlib.suppress(OSError):
        if time.time() - place.stat().st_mtime > 86_400:
            os.utime(place)
