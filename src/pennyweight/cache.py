"""The user's cache folder: content-addressed entries, each written atomically.

The cache only saves time; it can be deleted at any moment.
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
"""Prefix of the names of unfinished entries."""
_IN_USE = "in-use"
_DAY = 86_400.0
_SECONDS_TO_LOCK = 10.0
"""Time between creating an entry and locking it."""

_ENTRY = re.compile(
    r"[a-z-]+/(?:"
    rf"[0-9a-f]{{2}}/(?:[0-9a-f]{{62}}(?:-[a-z]+)?|{re.escape(_NEW)}\w+)"
    rf"|[0-9a-f]{{32}}/(?:[0-9a-f]{{32}}|jobs|symbols|lost|campaigns|disputed|{re.escape(_NEW)}\w+)"
    r"|(?:jobs|symbols|lost)/[0-9a-f]{64}\.parquet"
    r")"
)
"""Names that belong to the cache: finished and unfinished entries, packs, copies of remote results,
and the results of `choose`. Other files in the folder are never deleted.
"""


def folder() -> Path:
    """`PENNYWEIGHT_CACHE` if set, otherwise the user's cache folder. If neither can be written, or
    the user has no account, as in a container that runs under any user id, a temporary folder.
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
    """A private folder of this user, the same for all processes, so that they share builds and
    leave only one folder behind.
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
    """The entry with this key, which is a file that `write` stored; `None` if there is none."""
    place = _place(room, key, root)
    try:
        content = place.read_bytes()
    except OSError:
        return None
    touch(place)
    return content


def write(room: str, key: str, data: bytes, root: Path | None = None) -> None:
    """Stores a file atomically. A cache that cannot be written is not an error."""
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
    """The entry with this key, which is a folder that `fill` stored; `None` if there is none."""
    place = _place(room, key)
    if not place.is_dir():
        return None
    touch(place)
    return place


def fill(room: str, key: str, make: Callable[[Path], None]) -> Path:
    """Stores a folder: `make` fills a temporary folder, which is then renamed.

    If two processes store the same entry, the second one gets the first one's folder. An exception
    in `make` is re-raised and leaves nothing behind. Raises `OSError` if the cache cannot be
    written.
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
    """A temporary folder next to `place`, to be filled and renamed; removed at the end if it was
    not.

    It is locked while its process lives, so that `unused` can detect abandoned folders. Raises
    `OSError` if the cache cannot be written.
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
    """Signals to other processes that entries may be read at any moment."""
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
    """Prevents other processes from removing these folders of the cache."""
    with contextlib.ExitStack() as held:
        for place in places:
            with contextlib.suppress(OSError):
                handle = os.open(place, os.O_RDONLY)
                held.callback(os.close, handle)
                _lock(handle)
        yield


def is_held(place: Path) -> bool:
    """Whether a process protects that folder with :func:`holding`."""
    return _is_locked(place) is True


def is_in_use() -> bool:
    """Whether a process is within :func:`in_use`."""
    return _is_locked(folder() / _IN_USE) is True


@dataclass(frozen=True, slots=True)
class Unused:
    """An entry that has not been used for a while, or that was abandoned, and its bytes."""

    path: Path
    bytes: int
    abandoned: bool = False


def unused(days: int) -> list[Unused]:
    """The entries that have not been used for this many days, and unfinished entries of processes
    that died. Compilers that were built here do not count as entries, nor do files of other
    programs.
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
    """Whether the process that was making an entry is gone. Without file locks, a day decides."""
    locked = _is_locked(place)
    return age >= _DAY if locked is None else not locked and age >= _SECONDS_TO_LOCK


def _lock(handle: int) -> None:
    """Marks an open file as belonging to a live process; the lock ends with the process."""
    with contextlib.suppress(OSError):
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)


def _is_locked(path: Path) -> bool | None:
    """`None` if the file does not exist or the file system does not support locks."""
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
    """What to do if the disk of `place`, which is in the cache or a temporary file, is full."""
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
    """Deletes entries; ignores those that cannot be deleted."""
    for each in entries:
        if each.path.is_dir():
            shutil.rmtree(each.path, ignore_errors=True)
        else:
            with contextlib.suppress(OSError):
                each.path.unlink()


def touch(place: Path) -> None:
    """Marks an entry as used now, at most once a day."""
    with contextlib.suppress(OSError):
        if time.time() - place.stat().st_mtime > _DAY:
            os.utime(place)
