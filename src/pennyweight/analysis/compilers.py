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


def versioned(compiler: str, identity: str) -> str:
    """A GNU compiler without its target and with its version, for a table whose rows name a board:
    ``gcc-12.2.1``. Other names do not change.

    `identity` is the first line of its `--version`, whose parentheses name the packager.
    """
    if "/" in compiler or (name := re.search(r"(?<![^-])gcc(-[\d.]+)?$", compiler)) is None:
        return compiler
    release = re.search(r"\b\d+(\.\d+)+", re.sub(r"\(.*?\)", "", identity))
    return name[0] if name[1] or release is None else f"gcc-{release[0]}"


def label(compiler: str, flags: str) -> str:
    """The same as `LABELLED_FLAGS`: ``clang-14.0.6 -O2``, or ``-O2`` for the board's own."""
    return f"{compiler} {flags}" if is_chosen(compiler) else flags
