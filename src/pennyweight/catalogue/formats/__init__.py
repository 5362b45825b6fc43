"""The formats of packages: finds the implementation in a folder of any supported framework.

Each format is a module with two functions, `is_package(folder)` and `read(folder, algorithms,
kind)`. SUPERCOP's format, which NIST's packages share, is used if no other matches.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from pennyweight.catalogue.algorithms import Algorithm
from pennyweight.catalogue.formats import felics, felics_ae, shared, supercop
from pennyweight.catalogue.implementation import Implementation
from pennyweight.model import Kind


class Format(Protocol):
    """A module that reads packages of one format."""

    def is_package(self, folder: Path) -> bool:
        """Whether the folder is a package of this format."""

    def read(
        self, folder: Path, algorithms: dict[str, Algorithm], kind: Kind | None
    ) -> Implementation:
        """The folder's implementation of a kind, if its location defines one. Raises
        `UserError`.
        """


FORMATS: tuple[Format, ...] = (felics, felics_ae, shared, supercop)
"""In the order in which they are tried."""


def format_of(folder: Path) -> Format | None:
    """The first format that matches a folder; `None` if none does."""
    return next((each for each in FORMATS if each.is_package(folder)), None)
