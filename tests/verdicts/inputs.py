"""What the verdict of a test depends on, apart from its own code."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from verdicts.code import ROOT
from verdicts.files import content


class Hashed(Protocol):
    """Something that knows its own hash, such as a translation unit."""

    def key(self) -> str:
        """The hash of its parts."""

    def fresh_key(self) -> str:
        """The same, with files read again."""

    def files(self) -> Iterable[Path]:
        """The files of which that is the hash."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """Everything that decides how a test ends."""

    values: object = None
    """Anything that JSON can write: names, sizes, flags, the identity of a tool."""

    units: tuple[Hashed, ...] = ()
    """What is compiled."""

    files: tuple[Path, ...] = ()
    """Files, or folders with everything below them."""

    stated: tuple[str, ...] = field(default=(), kw_only=True)
    """Patterns of files of the repository of which `values` have the part that matters."""

    def digest(self, *, fresh: bool = False) -> str:
        """The hash of everything; with `fresh`, files are read again."""
        total = hashlib.sha256(json.dumps(self.values, sort_keys=True, default=str).encode())
        for unit in self.units:
            named = unit.fresh_key() if fresh else unit.key()
            total.update(f"\nunit {named}".encode())
        for path in self.files:
            name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
            for file in below(path):
                inside = file.relative_to(path).as_posix()
                total.update(f"\n{name}/{inside} {content(str(file)).sha256}".encode())
        return total.hexdigest()

    def covers(self, path: Path) -> bool:
        """Whether a file is among them."""
        if any(path == each or each in path.parents for each in self.files):
            return True
        name = path.relative_to(ROOT)
        if any(name.match(pattern) for pattern in self.stated):
            return True
        return any(path in unit.files() for unit in self.units)


def below(path: Path) -> Iterator[Path]:
    """The file, or all files below the folder, in order."""
    if path.is_file():
        yield path
    else:
        found = (each for each in path.rglob("*") if "__pycache__" not in each.parts)
        yield from sorted(each for each in found if each.is_file())
