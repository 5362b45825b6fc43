"""The formats of packages: what a folder's implementation is, whatever framework it is written for.

Each format is a module with two functions, `is_package(folder)` and `read(folder, algorithms,
kind)`. SUPERCOP's, which is also that of NIST's packages, takes what no other claims.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from pennyweight.catalogue.algorithms import Algorithm
from pennyweight.catalogue.formats import felics, felics_ae, supercop
from pennyweight.catalogue.implementation import Implementation
from pennyweight.model import Kind


class Format(Protocol):
    """A module that reads packages of one format."""

    def is_package(self, folder: Path) -> bool:
        """Is the folder a package of this format?"""

    def read(
        self, folder: Path, algorithms: dict[str, Algorithm], kind: Kind | None
    ) -> Implementation:
        """The folder's implementation of a kind, if its place gives one. Raises `UserError`."""


FORMATS: tuple[Format, ...] = (felics, felics_ae, supercop)
"""In the order in which they are asked."""


def format_of(folder: Path) -> Format | None:
    """The first format that claims a folder; `None` if none does."""
    return next((each for each in FORMATS if each.is_package(folder)), None)
