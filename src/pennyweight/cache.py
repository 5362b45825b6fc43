"""The user's cache folder: content-addressed entries, each written whole or not at all.

Nothing in it is needed: whoever deletes it only waits longer next time.
"""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import tempfile
from collections.abc import Callable
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
    try:
        return _place(room, key).read_bytes()
    except OSError:
        return None


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
    return place if place.is_dir() else None


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
