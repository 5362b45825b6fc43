"""Content of files, read once as long as they do not change."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Content:
    """A file that was read."""

    data: bytes
    sha256: str


_State = tuple[int, int, int, int]
_read: dict[str, tuple[_State, Content]] = {}


def content(path: str) -> Content:
    """A file's current content. Raises `OSError`."""
    stat = os.stat(path)  # noqa: PTH116 - asked for hundreds of thousands of times
    state = (stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino)
    known = _read.get(path)
    if known is not None and known[0] == state:
        return known[1]
    data = Path(path).read_bytes()
    found = Content(data, hashlib.sha256(data).hexdigest())
    _read[path] = (state, found)
    return found
