"""Where the data files are: algorithms, boards, implementations, firmware."""

from __future__ import annotations

import functools
import importlib.resources
import os
import re
from pathlib import Path

from pennyweight.catalogue import overlay
from pennyweight.model import UserError

_MARKS = ("boards", "firmware")
_VARIABLE = "PENNYWEIGHT_ROOT"


def data_root() -> Path:
    """The folder that holds `algorithms/`, `boards/`, `cores/`, `implementations/`, `firmware/`.

    `PENNYWEIGHT_ROOT` if set, else the checkout that this file belongs to, else the data of the
    installed package; in each case with the user's files, if there are any (`overlay`). Raises
    `UserError`.
    """
    bundled, own = _bundled(), overlay.folder()
    return bundled if own is None else overlay.merged(bundled, own)


def with_original_paths(text: str) -> str:
    """A message, with the user's own files in place of their copies in the cache."""
    try:
        own = overlay.folder()
        if own is None:
            return text
        bundled, merged = _bundled(), data_root()
    except UserError:
        return text

    def original(found: re.Match[str]) -> str:
        root = own if (own / found["file"]).exists() else bundled
        return str(root / found["file"])

    return re.sub(rf"{re.escape(str(merged))}/(?P<file>[\w./+-]*\w)", original, text)


def _bundled() -> Path:
    named = os.environ.get(_VARIABLE)
    if not named:
        return _own()
    root = Path(named).resolve()
    if not _is_root(root):
        raise UserError(
            f"{_VARIABLE}={named}: there is no folder '{_MARKS[0]}' or '{_MARKS[1]}' in it; "
            "set it to a checkout of pennyweight, or unset it to use the installed data"
        )
    return root


@functools.cache
def _own() -> Path:
    for folder in Path(__file__).resolve().parents:
        if _is_root(folder):
            return folder
    data = importlib.resources.files("pennyweight") / "data"
    if isinstance(data, Path) and _is_root(data):
        return data
    raise UserError(
        f"the data files of pennyweight are missing next to {Path(__file__).parents[1]}: install "
        f"the package again, or set {_VARIABLE} to a checkout"
    )


def _is_root(folder: Path) -> bool:
    return all((folder / mark).is_dir() for mark in _MARKS)
