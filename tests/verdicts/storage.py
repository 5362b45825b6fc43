"""Where verdicts and compiled translation units lie: the user's cache, whatever cache the tests
themselves are given.
"""

from __future__ import annotations

import functools
import hashlib
import os
from pathlib import Path

from pennyweight import cache

_VARIABLE = "PENNYWEIGHT_TEST_CACHE"
_VERDICTS = "verdicts"
_OBJECTS = "host-objects"
_DURATIONS = "durations"
_PASSED = "passed"


def folder() -> Path:
    """The user's cache, noted for this process and its children before tests have their own; or
    that of a test which has one for verdicts, too.
    """
    return Path(os.environ.setdefault(_VARIABLE, str(cache.folder())))


@functools.cache
def users_folder() -> Path:
    """The user's cache, as found by the first call, which comes before any test."""
    return folder()


def has_passed(key: str, within: Path | None = None) -> bool:
    """Whether a verdict is kept, in `folder()` by default. A damaged entry is none."""
    return cache.read(_VERDICTS, key, within or folder()) == f"{_PASSED} {key}\n".encode()


def keep_passed(key: str, within: Path | None = None) -> None:
    """Keeps a verdict, in `folder()` by default."""
    cache.write(_VERDICTS, key, f"{_PASSED} {key}\n".encode(), within or folder())


def read_object(key: str) -> bytes | None:
    """A compiled unit; `None` if there is none, or a damaged one."""
    entry = cache.read(_OBJECTS, key, folder())
    if entry is None or hashlib.sha256(entry[32:]).digest() != entry[:32]:
        return None
    return entry[32:]


def write_object(key: str, data: bytes) -> None:
    """Keeps a compiled unit."""
    cache.write(_OBJECTS, key, hashlib.sha256(data).digest() + data, folder())


def read_durations(key: str) -> bytes | None:
    """Durations of tests, as stored."""
    return cache.read(_DURATIONS, key, folder())


def write_durations(key: str, data: bytes) -> None:
    """Keeps the durations of tests."""
    cache.write(_DURATIONS, key, data, folder())
