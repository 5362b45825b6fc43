"""Detects whether a report is up to date and complete, from a digest of its inputs."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from pennyweight.report.output_folder import MARKER
from pennyweight.store import ResultStore
from pennyweight.store.planned import STARTED, oldest_first

_ROOMS = ("report", "charts", "analysis", "store", "model.py")
_LIBRARIES = ("vl-convert-python", "pillow", "duckdb", "jinja2")


def state_of(store: ResultStore) -> str:
    """A digest of everything that a report depends on: results, campaigns, code, drawing
    libraries.
    """
    total = hashlib.sha256(store.fingerprint().encode())
    for record in oldest_first(store.campaigns()):
        lasting = {name: value for name, value in record.items() if name != STARTED}
        total.update(json.dumps(lasting, sort_keys=True).encode())
    for name in _LIBRARIES:
        total.update(f"{name} {version(name)}\n".encode())
    total.update(_code())
    return total.hexdigest()


def is_current(output: Path, state: str) -> bool:
    """Whether the report in `output` was made from this state and has not been changed since."""
    try:
        written = (output / MARKER).read_text(encoding="utf-8")
    except OSError:
        return False
    return written == _marker(output, state)


def mark(output: Path, state: str) -> None:
    """Records what a report was made from, after all its other files are written."""
    (output / MARKER).write_text(_marker(output, state), encoding="utf-8")


def _marker(output: Path, state: str) -> str:
    sizes = list(_sizes(output))
    return (
        f"This folder is replaced by the next report.\nmade of {state}\n"
        f"{len(sizes)} files, {sum(sizes)} bytes\n"
    )


def _sizes(folder: Path) -> Iterator[int]:
    """The sizes of all files except the marker."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _sizes(Path(entry.path))
            elif entry.name != MARKER:
                yield entry.stat(follow_symlinks=False).st_size


def _code() -> bytes:
    package = Path(__file__).resolve().parent.parent
    total = hashlib.sha256()
    for room in _ROOMS:
        path = package / room
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and file.suffix != ".pyc":
                total.update(f"{file.relative_to(package).as_posix()}\n".encode())
                total.update(file.read_bytes())
    return total.digest()
