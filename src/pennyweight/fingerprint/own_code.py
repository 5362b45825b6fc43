"""The digest of this package's code that decides results."""

from __future__ import annotations

import functools
import hashlib
import json
from pathlib import Path

from pennyweight import cache
from pennyweight.fingerprint.python_code import Package, Place

MEASURING = ("measure.run", "run_job")
VERIFYING = ("verify", "verify")
CONNECTING = ("devices.connect", "shared")
BUILDING = ("build.programs", "build")
COMPILING = ("build.objects", "compile_all")
COMPILING_FIRMWARE = ("build.objects", "compile_firmware")
"""The functions whose code decides rows, verdicts on given images, calls on real boards, programs,
and objects.
"""

WITHOUT = (
    *("_simulator", "cache", "devices", "fingerprint", "paths", "pool", "progress", "snapshot"),
    *("version", "catalogue.device_table", "catalogue.root", "catalogue.suggest"),
    "measure.naming",
)
"""Modules that decide locations, names and output, but no number. The simulators enter by their
version; `devices` enters the names of jobs on real boards only.
"""

_FORMAT = 1
"""Increased when code is hashed in another way."""

_PACKAGE = Path(__file__).resolve().parents[1]


@functools.cache
def own_code(root: Place) -> str:
    """Digest of the definitions that a function of this package reaches; cached by the digests of
    the files.
    """
    parts = json.dumps([_FORMAT, root, WITHOUT, _files_digest()])
    key = hashlib.sha256(parts.encode()).hexdigest()
    known = cache.read("code", key)
    if known is not None and len(known) == len(key):
        return known.decode("ascii")
    found = _own_package(_without(root)).digest([root])
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


def code_digest(package: Path, root: Place = MEASURING) -> str:
    """Digest of the definitions that a function of the package in a folder reaches."""
    return Package(package, _without(root)).digest([root])


@functools.cache
def _own_package(without: tuple[str, ...]) -> Package:
    """Pennyweight's own package, whose modules are parsed once for all roots."""
    return Package(_PACKAGE, without)


def _without(root: Place) -> tuple[str, ...]:
    return tuple(module for module in WITHOUT if module != root[0].partition(".")[0])
