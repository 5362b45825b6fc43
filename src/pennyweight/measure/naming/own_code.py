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
"""The functions whose code decides rows, verdicts on given images, and calls on real boards."""

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

_PACKAGE = Path(__file__).resolve().parents[2]


@functools.cache
def own_code(root: Place) -> str:
    """Digest of the definitions that a function of this package reaches; cached by the digests of
    the files.
    """
    total = hashlib.sha256(json.dumps([_FORMAT, root, WITHOUT]).encode())
    for file in sorted(_PACKAGE.rglob("*.py")):
        total.update(f"{file.relative_to(_PACKAGE).as_posix()}\n".encode())
        total.update(hashlib.sha256(file.read_bytes()).digest())
    key = total.hexdigest()
    known = cache.read("code", key)
    if known is not None and len(known) == len(key):
        return known.decode("ascii")
    found = code_digest(_PACKAGE, root)
    cache.write("code", key, found.encode("ascii"))
    return found


def code_digest(package: Path, root: Place = MEASURING) -> str:
    """Digest of the definitions that a function of the package in a folder reaches."""
    without = tuple(module for module in WITHOUT if module != root[0].partition(".")[0])
    return Package(package, without).digest([root])
