"""Puts the data folders of the repository into wheels, as `pennyweight/data/`, and the manual pages
that `make man` has written, if there are any.

An editable installation has none of it: there the folders of the checkout are used.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CODE = "src"


LICENSE = "LICENSE"
"""A file of data too: copies of implementations contain it."""


def data_folders(root: Path) -> list[str]:
    """The folders that `pyproject.toml` lists for source distributions, except the code; `root`
    is a checkout or an unpacked source distribution.
    """
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    listed = tomllib.loads(text)["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    names = [name.removeprefix("/") for name in listed]
    return [name for name in names if name != CODE and (root / name).is_dir()]


class DataHook(BuildHookInterface):  # type: ignore[type-arg]
    """Hatchling's hook; `version` is ``standard`` or ``editable``."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds the data to what the wheel includes."""
        if version == "editable":
            return
        for name in (*data_folders(Path(self.root)), LICENSE):
            build_data["force_include"][str(Path(self.root) / name)] = f"pennyweight/data/{name}"
        pages = Path(self.root, "build", "man")
        if pages.is_dir():
            build_data["shared_data"][str(pages)] = "share/man/man1"
