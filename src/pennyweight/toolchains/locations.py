"""Folders of compilers that Pennyweight builds, and of their sources."""

from __future__ import annotations

import os
from pathlib import Path

from pennyweight import cache

VARIABLE = "PENNYWEIGHT_TOOLCHAINS"


def folder() -> Path:
    """`PENNYWEIGHT_TOOLCHAINS` if set, otherwise a folder in the user's cache."""
    named = os.environ.get(VARIABLE)
    return Path(named).absolute() if named else cache.folder() / "toolchains"


def archives() -> Path:
    """Folder of source archives that no package of this distribution provides."""
    return folder() / "sources"
