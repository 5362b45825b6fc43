"""A user's data files over the bundled ones.

Every file below the folder in `PENNYWEIGHT_DATA` replaces the bundled file at the same relative
path, such as `boards/stm32f030.toml`, or is added to the bundled ones. Both are copied into one
folder in the cache, named by the paths, sizes and times of all files, so that a change of any file
makes a new one.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from pennyweight import cache
from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.model import UserError

VARIABLE = "PENNYWEIGHT_DATA"

FOLDERS = (
    *("algorithms", "boards", "cores", "firmware", "implementations", "libraries"),
    *("published", "studies"),
)
"""The folders of data files."""

_BESIDE = ("LICENSE",)
"""Files next to these folders that are data too."""

_ROOM = "data"
_FORMAT = 1


def folder() -> Path | None:
    """The user's folder; `None` if there is none. Raises `UserError` if it does not exist, or holds
    something that would replace nothing.
    """
    named = os.environ.get(VARIABLE)
    if not named:
        return None
    own = Path(named).expanduser().absolute()
    if not own.is_dir():
        raise UserError(f"{VARIABLE}={named}: there is no such folder; correct or unset it")
    for each in sorted(own.iterdir()):
        if each.name not in FOLDERS and not each.name.startswith("."):
            hint = did_you_mean(each.name, FOLDERS) or f" known are {', '.join(FOLDERS)}"
            raise UserError(f"{VARIABLE}={named}: '{each.name}' is not a folder of data;{hint}")
    return own


def files(own: Path) -> list[Path]:
    """The files of the user's folder, relative to it."""
    return [each.relative_to(own) for name in FOLDERS for each in _below(own / name)]


@functools.cache
def merged(bundled: Path, own: Path) -> Path:
    """A folder with the bundled files and the user's. Raises `UserError` if there is no room."""

    def make(place: Path) -> None:
        for name in FOLDERS:
            if (bundled / name).is_dir():
                shutil.copytree(bundled / name, place / name, ignore=_skipped)
        for name in _BESIDE:
            shutil.copy2(bundled / name, place / name)
        for each in files(own):
            (place / each).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(own / each, place / each)

    key = _key(bundled, own)
    try:
        return cache.entry(_ROOM, key) or cache.fill(_ROOM, key, make)
    except OSError as error:
        raise UserError(
            f"{VARIABLE}={own}: the data cannot be copied to {cache.folder()} "
            f"({error.strerror}); make room there, or correct the file's permissions"
        ) from None


def _key(bundled: Path, own: Path) -> str:
    total = hashlib.sha256(f"{_FORMAT}".encode())
    for root in (bundled, own):
        total.update(f"\n{root}".encode())
        for each in (path for name in FOLDERS for path in _below(root / name)):
            state = each.stat()
            total.update(f"\n{each} {state.st_size} {state.st_mtime_ns}".encode())
    return total.hexdigest()


def _below(folder: Path) -> Iterator[Path]:
    for path, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if each not in _skipped(path, folders))
        yield from (Path(path, each) for each in sorted(names))


def _skipped(_folder: str, names: list[str]) -> set[str]:
    return {each for each in names if each == "__pycache__" or each.startswith(".")}
