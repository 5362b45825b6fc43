"""Walks a tree of any depth. `os.walk` of Python 3.11 recurses once per level."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path


def walk(
    root: Path, on_error: Callable[[OSError], None] | None = None
) -> Iterator[tuple[str, list[str], list[str]]]:
    """As `os.walk`: yields each folder with the names of its folders and other files, from the top.
    Folders that the caller removes from the list are not entered. Links are not followed.
    """
    waiting = [str(root)]
    while waiting:
        place = waiting.pop()
        folders: list[str] = []
        files: list[str] = []
        links: set[str] = set()
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    (folders if _is_folder(entry) else files).append(entry.name)
                    if entry.is_symlink():
                        links.add(entry.name)
        except OSError as error:
            if on_error is not None:
                on_error(error)
            continue
        yield place, folders, files
        waiting += [str(Path(place, name)) for name in reversed(folders) if name not in links]


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False  # circular links
