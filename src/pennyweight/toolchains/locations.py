"""Where compilers that are built here lie, and what is kept for building them."""

from __future__ import annotations

import os
from pathlib import Path

from pennyweight import cache

VARIABLE = "PENNYWEIGHT_TOOLCHAINS"


def folder() -> Path:
    """`PENNYWEIGHT_TOOLCHAINS` if set, else in the user's cache."""
    named = os.environ.get(VARIABLE)
    return Path(named).absolute() if named else cache.folder() / "toolchains"


def archives() -> Path:
    """Where source archives lie that no package of this distribution brings."""
    return folder() / "sources"
