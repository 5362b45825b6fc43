"""Names of packages, which come from their folders."""

from __future__ import annotations

from pathlib import Path

from pennyweight.model import UserError


def check_printable(folder: Path, *names: str) -> None:
    """Raises `UserError` if a name that comes from a folder's name cannot be printed."""
    if not "".join(names).isprintable():
        raise UserError(
            f"{str(folder)!r}: the folder's name has a character that cannot be printed; rename it"
        )
