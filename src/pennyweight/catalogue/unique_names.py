"""Tells implementations of one name apart, which would be one in every table and in the store."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from pennyweight.catalogue.implementation import Implementation

MARK = "@"
"""What stands between an implementation's own name and where it lies."""


def with_unique_names(chosen: Iterable[Implementation]) -> list[Implementation]:
    """Folders of one name named after where they lie too.

    What is bundled keeps its name; of others `@` and the algorithm's folder follow, or else those
    folders of the path that differ.
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
    """The implementation under the `algorithm/name` that it was given beside namesakes, if that is
    one of it.
    """
    if name == implementation.id:
        return implementation
    if not name.startswith(f"{implementation.id}{MARK}"):
        return None
    return replace(implementation, name=name.removeprefix(f"{implementation.algorithm}/"))


def _distinguished(folders: list[Path]) -> list[str]:
    """A word for each of some folders, no two the same."""
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
