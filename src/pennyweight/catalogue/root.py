"""Where the data files lie: algorithms, boards, implementations, firmware."""

from __future__ import annotations

import functools
import os
from pathlib import Path

from pennyweight.model import UserError

_MARK = "boards"
_VARIABLE = "PENNYWEIGHT_ROOT"


def data_root() -> Path:
    """The folder that holds `algorithms/`, `boards/`, `implementations/` and `firmware/`.

    `PENNYWEIGHT_ROOT` if set, else the checkout that this file belongs to. Raises `UserError`.
    """
    named = os.environ.get(_VARIABLE)
    if named:
        root = Path(named).resolve()
        if not (root / _MARK).is_dir():
            raise UserError(
                f"{_VARIABLE}={named}: there is no folder '{_MARK}' in it; "
                "set it to a checkout of pennyweight"
            )
        return root
    return _checkout()


@functools.cache
def _checkout() -> Path:
    for folder in Path(__file__).resolve().parents:
        if (folder / _MARK).is_dir() and (folder / "firmware").is_dir():
            return folder
    raise UserError(
        f"the folders 'boards' and 'firmware' are not above {Path(__file__).parent}: "
        f"set {_VARIABLE} to a checkout of pennyweight"
    )
