"""Where a vendored implementation goes, and writing it there without losing anything."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from pennyweight.catalogue.algorithms import supercop_name
from pennyweight.catalogue.implementation import Implementation
from pennyweight.catalogue.package_tree import CXOF
from pennyweight.model import UserError

_TREES = ("crypto_aead", "crypto_auth", "crypto_hash", CXOF)


def place_in(implementation: Implementation) -> Path:
    """The path of a bundled implementation in SUPERCOP's tree."""
    known = implementation.known
    assert known is not None, "every bundled implementation has its algorithm's file"
    kind = CXOF if implementation.customised else f"crypto_{implementation.kind.value}"
    return Path(kind, supercop_name(known), implementation.name)


def check_target(into: Path, place: Path, force: bool) -> None:
    """Raises `UserError` unless a copy can be written to the folder `into` and replaces nothing.

    Other implementations may be there. `force` allows any other files too, and files of the copy to
    replace files of the same names.
    """
    if into.exists() and not into.is_dir():
        raise UserError(f"{into}: this is a file; give the name of a folder")
    try:
        others = [each.name for each in into.iterdir()] if into.is_dir() else []
        target = into / place
        is_taken = target.exists() and not (target.is_dir() and not any(target.iterdir()))
        strangers = sorted(name for name in others if name not in _TREES)
    except OSError as error:
        raise UserError(f"{into}: cannot be read ({error.strerror}); give another folder") from None
    if strangers and not force:
        raise UserError(
            f"{into}: this folder is not empty (it has '{strangers[0]}'); give an empty or new "
            "folder, or --force to add the copy to it"
        )
    if is_taken and not force:
        raise UserError(
            f"{target}: this folder is not empty; give another --into, or --force to replace the "
            "files of an earlier copy"
        )
    above = into
    while not above.exists():
        above = above.parent
    if not above.is_dir():
        raise UserError(f"{above}: this is a file; give the name of a folder")
    if not os.access(above, os.W_OK | os.X_OK):
        raise UserError(f"{above}: no permission to write here; give another folder")


def write(files: Mapping[str, str], target: Path) -> None:
    """Writes files by their paths in `target`. Raises `UserError`, and leaves `target` unchanged,
    if not all of them can be written.

    Files of other names stay, except sources and headers of an earlier copy: with the new ones,
    they would be compiled twice.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".vendor-") as place:
            made = Path(place, "new")
            if target.is_dir():
                shutil.copytree(target, made, symlinks=True)
                _remove_earlier(made)
            for name, text in files.items():
                path = made / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.unlink(missing_ok=True)
                path.write_text(text, encoding="utf-8")
            _record(made, files)
            _put(made, target, Path(place, "earlier"))
    except OSError as error:
        raise UserError(
            f"{target}: cannot be written ({error.strerror}); nothing was changed; give "
            "another folder, or free some space"
        ) from None


def _put(made: Path, target: Path, aside: Path) -> None:
    """Moves a folder into place; an existing one is kept unless that succeeds."""
    if not target.is_dir():
        made.rename(target)
        return
    target.rename(aside)
    try:
        made.rename(target)
    except OSError:
        aside.rename(target)
        raise


_LIST = ".vendored"
"""Names of the files of a copy, one a line: what a later copy may remove."""


def _record(folder: Path, files: Mapping[str, str]) -> None:
    (folder / _LIST).write_text("".join(f"{name}\n" for name in files), encoding="utf-8")


def _remove_earlier(folder: Path) -> None:
    """Removes what an earlier copy wrote, and nothing outside the folder."""
    listed = folder / _LIST
    if not listed.is_file():
        return
    inside = folder.resolve()
    for name in listed.read_text(encoding="utf-8").splitlines():
        path = folder / name
        if name and path.parent.resolve().is_relative_to(inside) and path.is_file():
            path.unlink()
