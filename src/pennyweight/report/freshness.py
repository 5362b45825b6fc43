"""Detects whether a report is up to date and complete, from a digest of its inputs."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path

from pennyweight.catalogue.root import data_root
from pennyweight.fingerprint.own_code import REPORTING, own_code
from pennyweight.fingerprint.python_code import Place
from pennyweight.report.output_folder import MARKER
from pennyweight.report.studies.analyses import SECTION, analyses, module_of
from pennyweight.store import ResultStore
from pennyweight.store.campaign_records import STARTED, oldest_first
from pennyweight.version import __version__

_LIBRARIES = ("duckdb", "jinja2", "pillow", "pyarrow", "vl-convert-python")
_CODE = (".py", ".pyc")
_PACKAGE = Path(__file__).resolve().parent
_DATA = (
    "algorithms/*.toml",
    "boards/*.toml",
    "cores/*.toml",
    "implementations/*/manifest.toml",
    "published/*",
)
"""The data files that a report reads: published figures, and the facts of what no campaign has
recorded."""


def state_of(store: ResultStore) -> str:
    """A digest of everything that a report depends on: results, campaigns, published figures, code,
    templates and drawing libraries.
    """
    total = hashlib.sha256(store.fingerprint().encode())
    campaigns, remarks = store.campaigns_and_remarks()
    for record in oldest_first(campaigns):
        lasting = {name: value for name, value in record.items() if name != STARTED}
        total.update(json.dumps(lasting, sort_keys=True).encode())
    for remark in remarks:
        total.update(remark.encode())
    for name in _LIBRARIES:
        total.update(f"{name} {version(name)}\n".encode())
    total.update(f"pennyweight {__version__} {own_code(*code_roots())}\n".encode())
    total.update(layout_digest(_PACKAGE))
    root = data_root()
    total.update(_digest(root, (path for pattern in _DATA for path in root.glob(pattern))))
    return total.hexdigest()


def code_roots() -> list[Place]:
    """The functions whose code decides a report; a study names those of its page."""
    return [REPORTING, *((module_of(name), SECTION) for name in analyses())]


def layout_digest(package: Path) -> bytes:
    """Digest of the files in the folder of this package that are not code: templates, styles and
    scripts.
    """
    return _digest(package, (path for path in package.rglob("*") if path.suffix not in _CODE))


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


def _digest(folder: Path, paths: Iterable[Path]) -> bytes:
    """Digest of files, by their names in a folder and their contents."""
    total = hashlib.sha256()
    for path in sorted(paths):
        if path.is_file():
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            total.update(f"{path.relative_to(folder).as_posix()} {content}\n".encode())
    return total.digest()
