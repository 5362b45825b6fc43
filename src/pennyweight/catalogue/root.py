"""Where the data files are: algorithms, boards, implementations, firmware."""

from __future__ import annotations

import functools
import importlib.resources
import os
from pathlib import Path

from pennyweight.model import UserError

_MARKS = ("boards", "firmware")
_VARIABLE = "PENNYWEIGHT_ROOT"


def data_root() -> Path:
    """The folder that holds `algorithms/`, `boards/`, `cores/`, `implementations/`, `firmware/`.

    `PENNYWEIGHT_ROOT` if set, else the checkout that this file belongs to, else the data of the
    installed package. Raises `UserError`.
    """
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
