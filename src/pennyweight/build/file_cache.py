"""Files that several builds need, created once and kept in the user's cache."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from pennyweight import cache

_SEAL = "seal.json"
_TRIES = 3


def key_of(*parts: object) -> str:
    """The hash that names everything that depends only on `parts`."""
    return hashlib.sha256(json.dumps(parts).encode("utf-8", "surrogateescape")).hexdigest()


def provide(
    room: str, key: str, target: Path, make: Callable[[Path], None], stem: str = ""
) -> None:
    """Puts the files that `make` creates in a folder into `target`, from the cache if possible.
    With `stem`, they get that name there and keep their suffixes.

    A damaged entry (after a power failure, for example) is created again. Exceptions of `make` are
    re-raised.
    """
    for _ in range(_TRIES):
        place = cache.entry(room, key) or cache.fill(room, key, lambda new: _sealed(new, make))
        names = _whole(place)
        if names is None:
            shutil.rmtree(place, ignore_errors=True)
            continue
        with contextlib.suppress(FileNotFoundError):  # another process may clear the cache
            for name in names:
                _bring(place / name, target / (f"{stem}{Path(name).suffix}" if stem else name))
            return
    raise OSError(f"{room}/{key[:2]}/{key[2:]} of the cache cannot be read back")


def _bring(source: Path, target: Path) -> None:
    """Files of a build are never modified, so both folders may share them."""
    target.unlink(missing_ok=True)
    try:
        os.link(source, target)
    except FileNotFoundError:
        raise
    except OSError:  # another disk, or a file system without hard links
        shutil.copyfile(source, target)


def _sealed(folder: Path, make: Callable[[Path], None]) -> None:
    make(folder)
    digests = {path.name: _digest(path) for path in sorted(folder.iterdir()) if path.is_file()}
    (folder / _SEAL).write_text(json.dumps(digests), encoding="utf-8")


def _whole(place: Path) -> list[str] | None:
    """The names of an entry's files; `None` if one has changed."""
    try:
        digests = json.loads((place / _SEAL).read_text(encoding="utf-8"))
        if all(_digest(place / name) == digest for name, digest in digests.items()):
            return list(digests)
    except (OSError, ValueError, AttributeError):
        pass
    return None


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
