"""Paths in a user's home folder."""

from __future__ import annotations

from pathlib import Path


def expand_user(text: str | Path) -> Path:
    """`text` with `~` and `~name` expanded; unchanged if there is no such user."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)
