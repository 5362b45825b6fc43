"""The digest of this package's code that decides results."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from pennyweight import cache
from pennyweight.fingerprint.python_code import Package, Place

MEASURING = ("measure.run", "run_job")
VERIFYING = ("verify", "verify")
CONNECTING = ("devices.connect", "shared")
BUILDING = ("build.programs", "build")
COMPILING = ("build.objects", "compile_all")
COMPILING_FIRMWARE = ("build.objects", "compile_firmware")
REPORTING = ("report.site", "write_site")
"""The functions whose code decides rows, verdicts on given images, calls on real boards, programs,
objects, and reports.
"""

WITHOUT = (
    *("_simulator", "cache", "devices", "fingerprint", "paths", "pool", "progress", "snapshot"),
    *("version", "catalogue.device_table", "catalogue.overlay", "catalogue.root"),
    *("catalogue.suggest", "measure.naming"),
    *("toolchains.building", "toolchains.families", "toolchains.packages", "toolchains.recipes"),
)
"""Modules that decide locations, names and output, but no number. The simulators enter by their
version, a compiler by the hash of its programs and its family's class. `devices` enters the names
of jobs on real boards only.
"""

SILENT = frozenset({"cplusplus", "hint", "mnemonics", "packages", "recipe", "short"})
"""Attributes of classes that only state how to install a compiler, or only evaluate results."""

_FORMAT = 2
"""Increased when code is hashed in another way."""

_PACKAGE = Path(__file__).resolve().parents[1]


@functools.cache
def own_code(root: Place, *others: Place) -> str:
    """Digest of the definitions that functions of this package reach; cached by the digests of the
    files.
    """
    roots = (root, *others)
    parts = json.dumps([_FORMAT, roots, WITHOUT, sorted(SILENT), _files_digest()])
    key = hashlib.sha256(parts.encode()).hexdigest()
    known = cache.read("code", key)
    if known is not None and len(known) == len(key):
        return known.decode("ascii")
    found = _own_package(_without(roots)).digest(roots)
    cache.write("code", key, found.encode("ascii"))
    return found


@functools.cache
def _files_digest() -> str:
    """Digest of all files of this package."""
    total = hashlib.sha256()
    for file in sorted(_PACKAGE.rglob("*.py")):
        total.update(f"{file.relative_to(_PACKAGE).as_posix()}\n".encode())
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def code_digest(package: Path, root: Place, *others: Place) -> str:
    """Digest of the definitions that functions of the package in a folder reach."""
    roots = (root, *others)
    return Package(package, _without(roots), SILENT).digest(roots)


@functools.cache
def _own_package(without: tuple[str, ...]) -> Package:
    """Pennyweight's own package, whose modules are parsed once for all roots."""
    return Package(_PACKAGE, without, SILENT)


def _without(roots: Iterable[Place]) -> tuple[str, ...]:
    own = {module.partition(".")[0] for module, _ in roots}
    return tuple(module for module in WITHOUT if module not in own)
