"""Files that many steps ask about, read and hashed once."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any, TypeVar

_seen: ContextVar[dict[tuple[str, object], Any] | None] = ContextVar("seen", default=None)

T = TypeVar("T")


@contextlib.contextmanager
def snapshot_scope() -> Iterator[None]:
    """Within it, what many jobs or steps share (sources, firmware, compilers) is read and hashed
    once.

    A plan of thousands of jobs, or a job, takes the files as they are at one moment.
    """
    token = _seen.set({})
    try:
        yield
    finally:
        _seen.reset(token)


def once(what: str, which: object, find: Callable[[], T]) -> T:
    """What `find` gives; within :func:`snapshot_scope` it is asked once for each `which`."""
    seen = _seen.get()
    if seen is None:
        return find()
    if (what, which) not in seen:
        seen[what, which] = find()
    found: T = seen[what, which]
    return found
