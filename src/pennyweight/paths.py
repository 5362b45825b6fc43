"""Paths that begin in a user's home folder."""

from __future__ import annotations

from pathlib import Path


def expand_user(text: str | Path) -> Path:
    """`text` with `~` and `~name` replaced; unchanged where there is no user of that name."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)
