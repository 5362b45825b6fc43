"""The user's cache folder: content-addressed entries, each written whole or not at all.

Nothing in it is needed: whoever deletes it only waits longer next time.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import platformdirs

_VARIABLE = "PENNYWEIGHT_CACHE"
_COMPILERS = "toolchains"
_NEW = ".new-"
"""How the names of half-made entries begin."""
_IN_USE = "in-use"
_DAY = 86_400.0
_SECONDS_TO_LOCK = 10.0
"""Between making an entry and locking it."""

_ENTRY = re.compile(
    r"[a-z-]+/(?:"
    rf"[0-9a-f]{{2}}/(?:[0-9a-f]{{62}}(?:-[a-z]+)?|{re.escape(_NEW)}\w+)"
    rf"|[0-9a-f]{{32}}/(?:[0-9a-f]{{32}}|jobs|symbols|lost|campaigns|disputed|{re.escape(_NEW)}\w+)"
    r"|(?:jobs|symbols|lost)/[0-9a-f]{64}\.parquet"
    r")"
)
"""What is put into the cache: entries and half-made ones, packs, copies of results at an address,
and the results of `choose`. Whoever names a folder that holds other files besides keeps those.
"""


def folder() -> Path:
    """`PENNYWEIGHT_CACHE` if set, else the user's cache folder; a temporary one if neither can be
    written, or nobody knows the user, as in a container that is run by any number.
    """
    named = os.environ.get(_VARIABLE)
    if named:
        return _usable(Path(named).absolute())
    try:
        return _usable(platformdirs.user_cache_path("pennyweight"))
    except RuntimeError:
        return _fallback_folder()


@functools.cache
def _usable(wanted: Path) -> Path:
    try:
        wanted.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=wanted):
            return wanted
    except OSError:
        return _temporary()


@functools.cache
def _fallback_folder() -> Path:
    return _temporary()


def _temporary() -> Path:
    """A folder of this user's alone, the same for all processes, so that they share builds and
    leave one folder behind.
    """
    own = Path(tempfile.gettempdir()) / f"pennyweight-{os.getuid()}"
    with contextlib.suppress(OSError):
        own.mkdir(mode=0o700, exist_ok=True)
        seen = own.lstat()
        private = stat.S_ISDIR(seen.st_mode) and not seen.st_mode & 0o077
        if private and seen.st_uid == os.getuid():
            return own
    return Path(tempfile.mkdtemp(prefix="pennyweight-"))


def _place(room: str, key: str, root: Path | None = None) -> Path:
    return (root or folder()) / room / key[:2] / key[2:]


def read(room: str, key: str, root: Path | None = None) -> bytes | None:
    """The file that `write` put there, or `None`."""
    place = _place(room, key, root)
    try:
        content = place.read_bytes()
    except OSError:
        return None
    touch(place)
    return content


def write(room: str, key: str, data: bytes, root: Path | None = None) -> None:
    """Puts a file there, at once and whole; a cache that cannot be written is no error."""
    place = _place(room, key, root)
    with contextlib.suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=place.parent, prefix=_NEW)
        try:
            with os.fdopen(handle, "wb") as file:
                _lock(handle)
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
    touch(place)
    return place


def fill(room: str, key: str, make: Callable[[Path], None]) -> Path:
    """Puts a folder there: `make` fills a new folder, which then takes its name at once.

    Whoever comes second finds the first one's folder. What `make` raises goes on, and leaves
    nothing behind. Raises `OSError` if the cache cannot be written.
    """
    place = _place(room, key)
    with being_made(place) as new:
        make(new)
        try:
            new.rename(place)
        except OSError:
            if not place.is_dir():
                raise
    return place


@contextlib.contextmanager
def being_made(place: Path) -> Iterator[Path]:
    """A new folder beside `place`, to be filled and renamed; what is left of it at the end goes.

    It is locked as long as its maker lives, so that `unused` can tell what nobody will finish.
    Raises `OSError` if the cache cannot be written.
    """
    place.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(dir=place.parent, prefix=_NEW))
    handle = os.open(new, os.O_RDONLY)
    try:
        _lock(handle)
        yield new
    finally:
        os.close(handle)
        shutil.rmtree(new, ignore_errors=True)


@contextlib.contextmanager
def in_use() -> Iterator[None]:
    """Tells others, as long as it lasts, that entries may be read at any moment."""
    handle = -1
    try:
        with contextlib.suppress(OSError):
            handle = os.open(folder() / _IN_USE, os.O_RDONLY | os.O_CREAT, 0o666)
            _lock(handle)
        yield
    finally:
        if handle >= 0:
            os.close(handle)


@contextlib.contextmanager
def holding(places: Iterable[Path]) -> Iterator[None]:
    """Keeps folders of the cache from being cleared by others, as long as it lasts."""
    with contextlib.ExitStack() as held:
        for place in places:
            with contextlib.suppress(OSError):
                handle = os.open(place, os.O_RDONLY)
                held.callback(os.close, handle)
                _lock(handle)
        yield


def is_held(place: Path) -> bool:
    """Does anybody keep that folder, by :func:`holding`?"""
    return _is_locked(place) is True


def is_in_use() -> bool:
    """Is anybody within :func:`in_use`?"""
    return _is_locked(folder() / _IN_USE) is True


@dataclass(frozen=True, slots=True)
class Unused:
    """An entry that was not asked for in a while, or that nobody will finish, and its bytes."""

    path: Path
    bytes: int
    abandoned: bool = False


def unused(days: int) -> list[Unused]:
    """The entries that nobody has asked for in so many days, and what processes that died were
    making. Compilers that were built here are no entries, nor is what others have put there.
    """
    now = time.time()
    found = []
    root = folder()
    for place in sorted(root.glob("*/*/*")):
        room = place.parent.parent.name
        if room == _COMPILERS or not _ENTRY.fullmatch(place.relative_to(root).as_posix()):
            continue
        with contextlib.suppress(OSError):
            age = now - place.stat().st_mtime
            abandoned = place.name.startswith(_NEW)
            old = age >= days * _DAY and not is_held(place)
            if _is_abandoned(place, age) if abandoned else old:
                files = place.rglob("*") if place.is_dir() else [place]
                size = sum(f.stat().st_size for f in files if f.is_file())
                found.append(Unused(place, size, abandoned))
    return found


def _is_abandoned(place: Path, age: float) -> bool:
    """Whether the maker of a half-made entry is gone. Locks are not everywhere: a day says it."""
    locked = _is_locked(place)
    return age >= _DAY if locked is None else not locked and age >= _SECONDS_TO_LOCK


def _lock(handle: int) -> None:
    """Marks an open file as a living process's; the system forgets it when that ends."""
    with contextlib.suppress(OSError):
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)


def _is_locked(path: Path) -> bool | None:
    """`None` where the file system cannot tell, or nothing is there."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return None
    finally:
        os.close(handle)
    return False


def full_disk(place: Path) -> str:
    """What to do where `place`, of the cache or a temporary file, finds no room on its disk."""
    cached, temporary = folder(), Path(tempfile.gettempdir())
    if place.is_relative_to(temporary) and not place.is_relative_to(cached):
        return (
            f"the disk of temporary files ({temporary}) is full: free some space or set TMPDIR to "
            "a folder on another disk"
        )
    return (
        f"the disk of the cache ({cached}) is full: free some space, `pennyweight gc` clears old "
        "entries, or set PENNYWEIGHT_CACHE to a folder on another disk"
    )


def clear(entries: Iterable[Unused]) -> None:
    """Deletes entries; one that cannot be deleted stays."""
    for each in entries:
        if each.path.is_dir():
            shutil.rmtree(each.path, ignore_errors=True)
        else:
            with contextlib.suppress(OSError):
                each.path.unlink()


def touch(place: Path) -> None:
    """Marks an entry as used now, once a day at most."""
    with contextlib.suppress(OSError):
        if time.time() - place.stat().st_mtime > _DAY:
            os.utime(place)
