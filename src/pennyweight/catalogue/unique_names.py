"""Makes the names of implementations unique, because tables and results identify them by name."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from pennyweight.catalogue.implementation import Implementation

MARK = "@"
"""Separates an implementation's own name and its location."""


def with_unique_names(chosen: Iterable[Implementation]) -> list[Implementation]:
    """Adds the location to the names of folders with equal names.

    Bundled implementations keep their names. For others, `@` and the algorithm's folder are
    appended, or otherwise the folders of the path that differ.
    """
    found = list(chosen)
    namesakes: dict[str, list[Implementation]] = {}
    for each in found:
        namesakes.setdefault(each.id, []).append(each)
    renamed: dict[tuple[str, Path], str] = {}
    for name, same in namesakes.items():
        others = [each.folder for each in same if not each.bundled]
        if len(same) > 1:
            renamed.update(
                ((name, folder), word)
                for folder, word in zip(others, _distinguished(others), strict=True)
            )
    return [
        replace(each, name=f"{each.name}{MARK}{renamed[each.id, each.folder]}")
        if (each.id, each.folder) in renamed
        else each
        for each in found
    ]


def with_name(implementation: Implementation, name: str) -> Implementation | None:
    """The implementation with the unique `algorithm/name` of that location, if there is one."""
    if name == implementation.id:
        return implementation
    if not name.startswith(f"{implementation.id}{MARK}"):
        return None
    return replace(implementation, name=name.removeprefix(f"{implementation.algorithm}/"))


def _distinguished(folders: list[Path]) -> list[str]:
    """A unique word for each of some folders."""
    labels = [folder.parent.name for folder in folders]
    if len(set(labels)) == len(labels):
        return labels
    common = os.path.commonpath(folders)
    parts = [folder.relative_to(common).parts for folder in folders]
    longest = max(map(len, parts))
    for depth in range(1, longest):
        words = ["-".join(each[:depth]) for each in parts]
        if len(set(words)) == len(words):
            return words
    return ["-".join(each) for each in parts]
