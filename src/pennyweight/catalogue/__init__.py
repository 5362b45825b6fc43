"""The catalogue: algorithms, boards and implementations, as defined by their files.

`load()` returns it; each kind of file is read on first use. Invalid files raise `UserError`.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from pennyweight.catalogue.algorithms import Algorithm, find_algorithm, load_algorithms
from pennyweight.catalogue.boards import Board, find_board, load_boards
from pennyweight.catalogue.families import bundled
from pennyweight.catalogue.flags import parse_flags
from pennyweight.catalogue.implementation import Implementation
from pennyweight.catalogue.implementations import find
from pennyweight.catalogue.root import data_root

__all__ = [
    "Algorithm",
    "Board",
    "Catalogue",
    "Implementation",
    "data_root",
    "load",
    "parse_flags",
]


class Catalogue:
    """The content of the data folders, by name; read on first use."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @cached_property
    def algorithms(self) -> dict[str, Algorithm]:
        """All algorithms by name. Raises `UserError`."""
        return load_algorithms(self.root / "algorithms")

    @cached_property
    def boards(self) -> dict[str, Board]:
        """All bundled boards by id. Raises `UserError`."""
        return load_boards(self.root / "boards")

    @cached_property
    def implementations(self) -> list[Implementation]:
        """The bundled implementations by algorithm and name. Raises `UserError`."""
        return bundled(self.root / "implementations", self.algorithms)

    def algorithm(self, name: str) -> Algorithm:
        """An algorithm by name or alias. Raises `UserError`."""
        return find_algorithm(name, self.algorithms)

    def board(self, name: str) -> Board:
        """A board by id or by the path of its file. Raises `UserError`."""
        return find_board(name, self.boards)

    def find(self, text: str) -> list[Implementation]:
        """Finds what `text` names: an algorithm, `algorithm/implementation`, a folder or a tree.

        Libraries are found by :func:`pennyweight.libraries.find`. Raises `UserError`.
        """
        return find(text, self.implementations, self.algorithms)


def load(root: Path | None = None) -> Catalogue:
    """The catalogue of a checkout (default: the one that contains this package)."""
    return Catalogue(root or data_root())
