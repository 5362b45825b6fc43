"""Contents and hashes of files that many steps need, read once."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any, TypeVar

_seen: ContextVar[dict[tuple[str, object], Any] | None] = ContextVar("seen", default=None)

T = TypeVar("T")


@contextlib.contextmanager
def snapshot_scope() -> Iterator[None]:
    """A context in which files that many jobs or steps share (sources, firmware, compilers) are
    read and hashed once.

    All jobs of a plan therefore see the files at the same moment.
    """
    token = _seen.set({})
    try:
        yield
    finally:
        _seen.reset(token)


def once(what: str, which: object, find: Callable[[], T]) -> T:
    """The result of `find`, which is called once per `which` within :func:`snapshot_scope`."""
    seen = _seen.get()
    if seen is None:
        return find()
    if (what, which) not in seen:
        seen[what, which] = find()
    found: T = seen[what, which]
    return found
