"""Files of compiler flags: one build a line, comments after `#`."""

from __future__ import annotations

from pathlib import Path

from pennyweight.catalogue.flags import spelled
from pennyweight.catalogue.tomlfile import read_text
from pennyweight.model import UserError
from pennyweight.store.atomic import write_whole


def read_flags(path: Path) -> list[str]:
    """The flags of each build in a file. Raises `UserError`."""
    found = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        text = line.partition("#")[0].strip()
        if text:
            try:
                found.append(spelled(text))
            except UserError as error:
                raise UserError(f"{path}: line {number}: {error}") from None
    if not found:
        raise UserError(f"{path}: has no flags; write those of one build on each line")
    return found


def write_flags(path: Path, flags: str, comments: list[str]) -> None:
    """Writes the flags of one build, whole or not at all. Raises `UserError`."""
    lines = [*(f"# {each}" for each in comments), flags]
    write_whole(path, ("\n".join(lines) + "\n").encode())
