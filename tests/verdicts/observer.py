"""Sees which files of the repository a test reads in its own process."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from verdicts.code import ROOT

_PREFIX = f"{ROOT}{os.sep}"
_NO_DATA = tuple(f"{_PREFIX}{name}" for name in (".venv", ".git", "target", ".pytest_cache"))
_CODE = (".py", ".pyc")

_seen: set[str] | None = None
_is_hooked = False


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if _seen is not None and event == "open":
        path, _, flags = arguments
        if flags & (os.O_WRONLY | os.O_TRUNC):
            return
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        if isinstance(path, str):
            _seen.add(path)


@contextlib.contextmanager
def watching() -> Iterator[set[str]]:
    """Collects the paths that are opened meanwhile, except those that are only written."""
    global _seen, _is_hooked
    if not _is_hooked:
        sys.addaudithook(_hook)
        _is_hooked = True
    found: set[str] = set()
    _seen = found
    try:
        yield found
    finally:
        _seen = None


def data_files(paths: set[str]) -> list[Path]:
    """Those of the paths that are files of the repository and neither code nor built."""
    absolute = {os.path.realpath(each) for each in paths}
    return sorted(
        Path(each)
        for each in absolute
        if each.startswith(_PREFIX)
        and not each.startswith(_NO_DATA)
        and not each.endswith(_CODE)
        and Path(each).is_file()
    )
