"""What a package of SUPERCOP's tree is built on: `crypto_hash/sha256/ref` on the compression
function of `crypto_hashblocks/sha256`, which lies beside it in the tree.

SUPERCOP takes the fastest of those, and calls its function by the name of what it computes. Here it
is the plain one, so that a package means the same on every part.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pennyweight.build.contents import beginning_of

_INCLUDED = re.compile(
    rb'^[ \t]*#[ \t]*include[ \t]+"(?P<op>crypto_(?:core|hashblocks|xof))_(?P<name>[a-z0-9]+)\.h"',
    re.MULTILINE,
)
_PLAIN = ("ref", "compact", "tweet")
"""How the names of folders with plain C begin, the better first."""

_MOST_FILES = 512
_MOST = 8


@dataclass(frozen=True, slots=True)
class Borrowed:
    """Another package's folder, and the function that it defines by two names."""

    folder: Path
    op: str
    """Its name in the package's own sources: `crypto_hashblocks`."""
    function: str
    """Its name elsewhere: `crypto_hashblocks_sha256`."""

    @property
    def renamed(self) -> str:
        """The macro that its sources are compiled with."""
        return f"-D{self.op}={self.function}"


def borrowed(folder: Path, tree: Path) -> list[Borrowed]:
    """The packages under `tree` that the one in `folder` is built on, and those that they are."""
    tree = tree.resolve()
    found: dict[str, Borrowed] = {}
    waiting = [folder]
    while waiting and len(found) < _MOST:
        place = waiting.pop()
        for op, name in _asked_for(place):
            function = f"{op}_{name}"
            if function in found or (place / f"{function}.h").exists():
                continue
            plain = _plain(tree / op / name)
            if plain is not None:
                found[function] = Borrowed(plain, op, function)
                waiting.append(plain)
    return list(found.values())


def _asked_for(folder: Path) -> Iterable[tuple[str, str]]:
    """What a folder's files include of others'."""
    for path in sorted(folder.glob("*.[ch]"))[:_MOST_FILES]:
        if path.is_file():  # a pipe would be read for ever
            for found in _INCLUDED.finditer(beginning_of(path)):
                yield found["op"].decode("ascii"), found["name"].decode("ascii")


def _plain(folder: Path) -> Path | None:
    """The plain implementation in C, if there is one, where no link leads there."""
    for beginning in _PLAIN:
        for path in sorted(folder.glob(f"{beginning}*/api.h")):
            if path.parent.resolve() == path.parent:
                return path.parent
    return None
