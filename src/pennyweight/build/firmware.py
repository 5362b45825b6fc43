"""Our own start-up code and headers: where they lie, and their digest."""

from __future__ import annotations

import hashlib
from pathlib import Path


def headers_folder(firmware: Path) -> Path:
    """The headers that packages expect from the framework they were written for."""
    return firmware / "include"


def firmware_sha256(firmware: Path, family: str) -> str:
    """Over names and content of all that `firmware/` gives to a build of one family."""
    total = hashlib.sha256()
    for folder in (headers_folder(firmware), firmware / family):
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                content = hashlib.sha256(path.read_bytes()).hexdigest()
                total.update(f"{path.relative_to(firmware).as_posix()}\n{content}\n".encode())
    return total.hexdigest()
