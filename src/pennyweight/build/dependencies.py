"""The packages that a package of SUPERCOP's tree is built on: `crypto_hash/sha256/ref` uses the
compression function of `crypto_hashblocks/sha256` in the same tree.

SUPERCOP selects the fastest one and names its function after the operation. Here the plain C one is
selected, so that a package is the same on every part.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pennyweight.build.contents import built_on

_PLAIN = ("ref", "compact", "tweet")
"""Prefixes of the names of folders with plain C, in order of preference."""

_MOST_FILES = 512
_MOST = 8


@dataclass(frozen=True, slots=True)
class Dependency:
    """The folder of another package, and the two names of its function."""

    folder: Path
    op: str
    """Its name in the package's own sources: `crypto_hashblocks`."""
    function: str
    """Its name elsewhere: `crypto_hashblocks_sha256`."""

    @property
    def renamed(self) -> tuple[str, ...]:
        """The macros for its sources: the framework's names, which replace those of the package
        that is built on it.
        """
        words = [f"-D{self.op}={self.function}"]
        for scope in ("NAMESPACE", "SHARED_NAMESPACE"):
            for mark in ("", "_"):
                macro = f"{mark}CRYPTO_{scope}"
                words += [f"-U{macro}", f"-D{macro}(name)={mark}{self.function}_##name"]
        for mark in ("", "_"):
            macro = f"{mark}CRYPTO_NAMESPACETOP"
            words += [f"-U{macro}", f"-D{macro}={mark}{self.function}"]
        return tuple(words)


def dependencies_of(folder: Path, tree: Path) -> list[Dependency]:
    """The packages in `tree` that the one in `folder` is built on, recursively."""
    tree = tree.resolve()
    found: dict[str, Dependency] = {}
    waiting = [folder]
    while waiting and len(found) < _MOST:
        place = waiting.pop()
        for op, name in _included_packages(place):
            function = f"{op}_{name}"
            if function in found or (place / f"{function}.h").exists():
                continue
            plain = _plain(tree / op / name)
            if plain is not None:
                found[function] = Dependency(plain, op, function)
                waiting.append(plain)
    return list(found.values())


def _included_packages(folder: Path) -> Iterable[tuple[str, str]]:
    """The other packages' headers that a folder's files include."""
    for path in sorted(folder.glob("*.[ch]"))[:_MOST_FILES]:
        if path.is_file():  # reading a pipe might not return
            yield from built_on(path)


def _plain(folder: Path) -> Path | None:
    """The plain C implementation, if there is one that is not reached through a link."""
    for beginning in _PLAIN:
        for path in sorted(folder.glob(f"{beginning}*/api.h")):
            if path.parent.resolve() == path.parent:
                return path.parent
    return None
