"""Macros with which masked packages set the number of shares, if their inputs are not shares."""

from __future__ import annotations

import re
from pathlib import Path

from pennyweight.catalogue.api_header import without_comments
from pennyweight.model import UserError

SHARE_MACROS = {"AEAD_MASKING_SHARES": "internal-masking.h"}
"""The header of a package that defines the default, by the macro: R. Weatherley's."""


def macro_of(folder: Path) -> str | None:
    """The macro of the package in a folder; `None` if it has none."""
    return next((name for name, file in SHARE_MACROS.items() if (folder / file).is_file()), None)


def known_values(folder: Path, macro: str) -> tuple[int, ...]:
    """The values of a macro that conditions of the package's sources compare it with, as in
    ``#elif MACRO == 3``; empty if there are none.
    """
    found: set[int] = set()
    compared = re.compile(rf"\b{macro}[ \t]*==[ \t]*(\d+)\b")
    for path in sorted(folder.glob("*.[ch]")):
        try:
            text = without_comments(path)
        except UserError:
            continue
        for condition in re.findall(r"^[ \t]*#[ \t]*(?:el)?if\b(.*)$", text, re.MULTILINE):
            found.update(map(int, compared.findall(condition)))
    return tuple(sorted(found))


def default_shares(folder: Path) -> int | None:
    """The number of shares without the macro; `None` if it is unknown."""
    macro = macro_of(folder)
    if macro is None:
        return None
    try:
        text = without_comments(folder / SHARE_MACROS[macro])
    except UserError:
        return None
    found = re.search(rf"#[ \t]*define[ \t]+{macro}[ \t]+(\d+)\b", text)
    return int(found[1]) if found and 2 <= int(found[1]) <= 16 else None
