"""Paths that begin in somebody's home folder."""

from __future__ import annotations

from pathlib import Path


def path_of(text: str | Path) -> Path:
    """`text` with `~` and `~somebody` replaced; as it is where nobody is known by that name."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)
