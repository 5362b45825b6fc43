"""How long each test took when it last ran, kept in the user's cache: for the order of tests."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping

from verdicts import storage

UNKNOWN_S = 10.0
"""Assumed for a test that has never run; most take less."""

_KEY = hashlib.sha256(b"durations of tests 1").hexdigest()


@functools.cache
def _known() -> dict[str, float]:
    found = storage.read_durations(_KEY)
    try:
        values = json.loads(found or b"{}")
        return {str(name): float(seconds) for name, seconds in values.items()}
    except (ValueError, AttributeError, TypeError):
        return {}


def of(nodeid: str) -> float:
    """Seconds that a test took when it last ran; an assumption if it never has."""
    return _known().get(nodeid, UNKNOWN_S)


def keep(seconds: Mapping[str, float]) -> None:
    """Adds those of tests that have run to those that are known."""
    if seconds:
        _known.cache_clear()
        total = {**_known(), **{name: round(value, 2) for name, value in seconds.items()}}
        storage.write_durations(_KEY, json.dumps(total).encode())
