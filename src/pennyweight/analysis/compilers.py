"""Builds with a compiler that the user chose, apart from those with the board's own."""

from __future__ import annotations

import re

_CHOSEN = r"^(clang|gcc)(-|$)|-\d[\d.]*$|/"
"""The name of a compiler that is not a board's own: it ends in its version, or is the user's word
for one that is not installed.
"""

LABELLED_FLAGS = (
    f"CASE WHEN regexp_matches(compiler, '{_CHOSEN}') THEN compiler || ' ' || flags ELSE flags END"
)
"""SQL: the flags of a row, after the name of a compiler that the user chose."""


def is_chosen(compiler: str) -> bool:
    """Is this a compiler that the user chose, and not the board's own?"""
    return re.search(_CHOSEN, compiler) is not None


def label(compiler: str, flags: str) -> str:
    """The same as `LABELLED_FLAGS`: ``clang-14.0.6 -O2``, or ``-O2`` for the board's own."""
    return f"{compiler} {flags}" if is_chosen(compiler) else flags
