"""What a package of SUPERCOP's tree is built on: `crypto_hash/sha256/ref` on the compression
function of `crypto_hashblocks/sha256`, which lies beside it in the tree.

SUPERCOP takes the fastest of those, and calls its function by the name of what it computes. Here it
is the plain one, so that a package means the same on every part.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pennyweight.build.contents import built_on

_PLAIN = ("ref", "compact", "tweet")
"""How the names of folders with plain C begin, the better first."""

_MOST_FILES = 512
_MOST = 8


@dataclass(frozen=True, slots=True)
class Dependency:
    """Another package's folder, and the function that it defines by two names."""

    folder: Path
    op: str
    """Its name in the package's own sources: `crypto_hashblocks`."""
    function: str
    """Its name elsewhere: `crypto_hashblocks_sha256`."""

    @property
    def renamed(self) -> tuple[str, ...]:
        """The macros that its sources are compiled with: those of the framework that give names,
        in place of the package's that is built on it.
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
    """The packages under `tree` that the one in `folder` is built on, and those that they are."""
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
    """What a folder's files include of others'."""
    for path in sorted(folder.glob("*.[ch]"))[:_MOST_FILES]:
        if path.is_file():  # a pipe would be read for ever
            yield from built_on(path)


def _plain(folder: Path) -> Path | None:
    """The plain implementation in C, if there is one, where no link leads there."""
    for beginning in _PLAIN:
        for path in sorted(folder.glob(f"{beginning}*/api.h")):
            if path.parent.resolve() == path.parent:
                return path.parent
    return None
