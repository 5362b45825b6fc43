"""Finds and reads library files, `libraries/NAME.toml`."""

from __future__ import annotations

import re
from pathlib import Path

from pennyweight.catalogue.root import data_root
from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.catalogue.tomlfile import parse, read_text
from pennyweight.libraries.description import Library
from pennyweight.libraries.rust import RustLibrary
from pennyweight.model import UserError

AnyLibrary = Library | RustLibrary

_RUST = re.compile(r"^language\s*=", re.MULTILINE)


def names() -> list[str]:
    """The names of all libraries."""
    return sorted(path.stem for path in _folder().glob("*.toml"))


def load(name: str) -> tuple[AnyLibrary, Path]:
    """A library by name and the folder of its adapters. Raises `UserError`."""
    known = names()
    if name not in known:
        raise UserError(
            f"unknown library '{name}':{did_you_mean(name, known)} known are {', '.join(known)}"
        )
    return load_file(_folder() / f"{name}.toml")


def load_file(path: Path) -> tuple[AnyLibrary, Path]:
    """A library by its file; its adapters are in the folder of the same name next to it.

    Raises `UserError`.
    """
    text = read_text(path)
    adapters = path.with_suffix("")
    if not adapters.is_dir():
        raise UserError(
            f"{path}: there is no folder '{adapters.name}' with its adapters next to it"
        )
    if _RUST.search(text):
        return parse(text, path, RustLibrary), adapters
    return parse(text, path, Library), adapters


def _folder() -> Path:
    return data_root() / "libraries"
