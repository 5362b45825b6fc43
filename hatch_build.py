"""Puts the data folders of the repository into wheels, as `pennyweight/data/`, and the manual pages
that `make man` has written, if there are any.

An editable installation has none of it: there the folders of the checkout are used.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

DATA = (
    "algorithms",
    "boards",
    "cores",
    "firmware",
    "implementations",
    "libraries",
    "published",
    "studies",
)


class DataHook(BuildHookInterface):  # type: ignore[type-arg]
    """Hatchling's hook; `version` is ``standard`` or ``editable``."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds the folders to what the wheel includes."""
        if version == "editable":
            return
        for name in DATA:
            build_data["force_include"][str(Path(self.root) / name)] = f"pennyweight/data/{name}"
        pages = Path(self.root, "build", "man")
        if pages.is_dir():
            build_data["shared_data"][str(pages)] = "share/man/man1"
