"""Where verdicts and compiled translation units lie: the user's cache, whatever cache the tests
themselves are given.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from pennyweight import cache

_VARIABLE = "PENNYWEIGHT_TEST_CACHE"
_VERDICTS = "verdicts"
_OBJECTS = "host-objects"
_DURATIONS = "durations"
_PASSED = "passed"


def settle() -> None:
    """Notes the user's cache for this process and its children, before tests have their own."""
    os.environ.setdefault(_VARIABLE, str(cache.folder()))


def folder() -> Path:
    """The user's cache."""
    settle()
    return Path(os.environ[_VARIABLE])


def has_passed(key: str) -> bool:
    """Whether a verdict is kept. A damaged entry is none."""
    return cache.read(_VERDICTS, key, folder()) == f"{_PASSED} {key}\n".encode()


def keep_passed(key: str) -> None:
    """Keeps a verdict."""
    cache.write(_VERDICTS, key, f"{_PASSED} {key}\n".encode(), folder())


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
