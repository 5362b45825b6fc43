"""The packages that the action's input names, in the checked-out commit and in its base."""

from __future__ import annotations

import glob
import os
from dataclasses import dataclass, field
from pathlib import Path


class ActionError(Exception):
    """One sentence: what is wrong."""


@dataclass(frozen=True)
class Packages:
    """Names of bundled implementations, and folders relative to a commit's root."""

    named: tuple[str, ...]
    """Given by name; each must be a package in one of the commits."""
    matched: tuple[str, ...]
    """Matches of patterns; those that are no packages in either commit are excluded."""
    excluded: dict[str, str] = field(default_factory=dict)
    """Matches that are no packages, with the reason."""

    @property
    def all(self) -> tuple[str, ...]:
        """Both without those that are excluded, each once."""
        found = dict.fromkeys((*self.named, *self.matched))
        return tuple(each for each in found if each not in self.excluded)


def find_packages(words: str, head: Path, base: Path) -> Packages:
    """The packages that the words name. `*` and `?` match folders of either commit, but not those
    whose name begins with a dot.

    Raises `ActionError` for a pattern that matches nothing, and for a path outside the commit.
    """
    named: dict[str, None] = {}
    matched: dict[str, None] = {}
    for word in words.split():
        given = _within(word, head)
        if not glob.has_magic(given):
            named[given] = None
            continue
        found = {each for root in (head, base) for each in _matches(root, given)}
        if not found:
            raise ActionError(f"packages: nothing matches '{word}'; correct the pattern")
        matched.update(dict.fromkeys(sorted(found)))
    if not named and not matched:
        raise ActionError("packages: none is given; name a folder with an implementation")
    return Packages(tuple(named), tuple(each for each in matched if each not in named))


def _within(word: str, root: Path) -> str:
    """A path relative to the root: the base has the same one. Other names do not change."""
    if not word.startswith(("/", "./", "../")) and "/../" not in word and word not in (".", ".."):
        return word
    path = Path(os.path.normpath(root / word))
    if not path.is_relative_to(root):
        raise ActionError(
            f"packages: '{word}' is outside of the checkout, so the base has no such folder; give "
            "a path within the checkout"
        )
    return str(path.relative_to(root))


def _matches(root: Path, pattern: str) -> list[str]:
    found = (each.relative_to(root) for each in root.glob(pattern) if each.is_dir())
    return [str(each) for each in found if not any(part.startswith(".") for part in each.parts)]
