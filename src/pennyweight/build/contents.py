"""The properties of a source file that a build needs; unchanged files are read once."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from pennyweight.fingerprint import c_source

T = TypeVar("T")

_QUESTION = re.compile(rb"__has_(?:include|embed)")
_FRAMEWORK = re.compile(
    rb"\b(?P<macro>_?CRYPTO_(?:SHARED_)?NAMESPACE(?:TOP)?|CRYPTO_ALIGN"
    rb"|crypto_(?:aead|auth|hash)_(?:KEY|NSEC|NPUB|A)?BYTES|randombytes|pw_random32)\b"
    rb"|^[ \t]*#[ \t]*(?:el)?if[^\n]*\b(?P<name>SUPERCOP)\b",
    re.MULTILINE,
)
"""SUPERCOP's framework macros that sources may use, and the functions for random numbers."""

_RANDOM = re.compile(rb"\b(\w*rand\w*)[ \t]*\(", re.IGNORECASE)
"""Functions whose names suggest that they return random numbers."""

_SPLICE = re.compile(rb"\\[ \t\v\f]*\r?\n")
"""Joins two lines; like gcc, it allows white space after the backslash."""

_BUILT_ON = re.compile(
    rb'^[ \t]*#[ \t]*include[ \t]+"(?P<op>crypto_(?:core|hashblocks|xof))_(?P<name>[a-z0-9]+)\.h"',
    re.MULTILINE,
)

_MOST = 1 << 13
_BEGINNING = 1 << 20
"""Maximum bytes of a file to search for words."""

_SETTLED_NS = 2_000_000_000
"""Files that were modified more recently than this before they were read are read again next time,
because changes within one tick of the file system's clock keep the same time.
"""


@dataclass(frozen=True, slots=True)
class Content:
    """The properties of one file."""

    sha256: str
    asks: bool
    """Whether it contains the word with which a source tests for a file."""
    framework: frozenset[str]
    """The framework macros and functions that it mentions."""
    random: frozenset[str]
    """The functions that it mentions whose names suggest random numbers."""


def beginning_of(path: Path, most: int = _BEGINNING) -> bytes:
    """A file's first bytes, to search for words; empty if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(most)
    except OSError:
        return b""


def content_of(path: Path) -> Content:
    """Raises `OSError`."""
    return _content.of(path, lambda: _read(path.read_bytes()))


def meaning_of(path: Path) -> str:
    """The digest of a file without C's comments. Raises `OSError`."""
    return _meanings.of(path, lambda: c_source.digest(path.name, path.read_bytes()))


def built_on(path: Path) -> tuple[tuple[str, str], ...]:
    """The packages of SUPERCOP's tree whose headers a file includes: operation and name."""

    def find() -> tuple[tuple[str, str], ...]:
        with path.open("rb") as file:
            found = _BUILT_ON.finditer(file.read(_BEGINNING))
        return tuple((each["op"].decode("ascii"), each["name"].decode("ascii")) for each in found)

    try:
        return _others.of(path, find)
    except OSError:
        return ()


class Known(Generic[T]):
    """The properties of files, as long as the files are unchanged."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, ...], T] = {}

    def of(self, path: Path, find: Callable[[], T]) -> T:
        """Raises `OSError`."""
        stat = path.stat()
        name = (stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)
        known = self._known.get(name)
        if known is not None:
            return known
        begun = time.time_ns()
        found = find()
        if max(stat.st_mtime_ns, stat.st_ctime_ns) < begun - _SETTLED_NS:
            if len(self._known) >= _MOST:
                self._known.clear()
            self._known[name] = found
        return found


_content: Known[Content] = Known()
_meanings: Known[str] = Known()
_others: Known[tuple[tuple[str, str], ...]] = Known()


def _read(content: bytes) -> Content:
    spliced = _SPLICE.sub(b"", content)
    mentioned = (found["macro"] or found["name"] for found in _FRAMEWORK.finditer(content))
    return Content(
        hashlib.sha256(content).hexdigest(),
        _QUESTION.search(spliced) is not None,
        frozenset(word.decode("ascii") for word in mentioned),
        frozenset(word.decode("ascii", "replace") for word in _RANDOM.findall(content)),
    )
