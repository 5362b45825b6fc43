"""The files of the project that a test module may read, and the tools that it may call.

They follow from the text of the module and of what it imports: an entry of the repository's root,
such as `boards` or `README.md`, counts if a string constant there contains its name, and the files
that are part of the packages and of the tests always count. A module whose tests start commands may
read everything. This is coarse, but needs no list that has to be kept complete.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import subprocess
import time
from importlib import import_module
from pathlib import Path

import pytest

from verdicts import code, storage
from verdicts.code import ROOT
from verdicts.files import content

FORMAT = 1
"""Raise when what such a verdict means changes."""

_GIT = shutil.which("git") or "git"
"""Found at once, because a test may have emptied `PATH` when it is called."""

ALWAYS = frozenset({"src", "tests"})
"""Entries whose data files are read by their own code, relative to it."""

TOOLS = (
    *("cargo", "rustc", "gcc", "c++", "clang", "git", "make"),
    *("mspdebug", "avrdude", "openocd", "chromium"),
    *("qemu-system-arm", "qemu-system-riscv32", "qemu-system-xtensa", "qemu-system-mipsel"),
)
"""Programs that tests call, apart from the boards' compilers."""

CONFTEST = ROOT / "tests" / "conftest.py"
"""Its fixtures decide what tests do, though no test imports it."""

_COMMANDS = frozenset({"subprocess", "multiprocessing", "pty"})
_PYTHON = frozenset({"src", "scripts"})
"""Tests that name these may read the Python sources there as text."""
_FRESH_S = 10.0
"""How long digests are used before the files are read again."""


def key(item: pytest.Item) -> str:
    """The hash of everything that the outcome of a test may depend on."""
    written = (code.digest(item.path), code.digest(CONFTEST))
    parts = (FORMAT, item.nodeid, *written, tools(), _data(item.path))
    return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()


def covers(module: Path, file: Path) -> bool:
    """Whether a verdict of a module's tests depends on a file of the repository."""
    return file.relative_to(ROOT).parts[0] in _reads(module, frozenset(_digests()))[1]


def keep_passed(key: str) -> None:
    """Keeps a verdict once it is certain that no file changed while the test ran."""
    _unconfirmed.append(key)


def settle() -> None:
    """Keeps the verdicts of tests during which no file has changed, and forgets the others."""
    before = _state.pop("digests", None)
    if _unconfirmed:
        if before is not None and _digests() == before[1]:
            for key in _unconfirmed:
                storage.keep_passed(key, storage.users_folder())
        _unconfirmed.clear()


_unconfirmed: list[str] = []


def _data(path: Path) -> str:
    digests = _digests()
    python, names = _reads(path, frozenset(digests))
    return " ".join(
        f"{name} {part}"
        for name in sorted(names)
        for part in (digests[name][0], digests[name][1] if python else "")
    )


@functools.cache
def _reads(path: Path, entries: frozenset[str]) -> tuple[bool, frozenset[str]]:
    """Whether a module's tests may read or start any Python source; the entries they may read."""
    modules = {each for each in code.closure(code.name_of(path))[0] if not _is_own(each)}
    tests = [each for each in modules if not each.startswith("pennyweight")]
    if any(code.imports(each) & _COMMANDS for each in tests):
        return True, entries
    named = entries & frozenset().union(*map(code.constants, modules))
    read_python = any(_PYTHON & code.constants(each) for each in tests)
    return read_python, named | (ALWAYS & entries)


def _is_own(module: str) -> bool:
    """Is it a part of this machinery, which decides no outcome of a test?"""
    return module.partition(".")[0] == "verdicts"


_state: dict[str, tuple[float, dict[str, tuple[str, str]]]] = {}


def _digests() -> dict[str, tuple[str, str]]:
    """By entry of the root: a digest of its data files, and one of its Python sources."""
    known = _state.get("digests")
    if known is not None:
        if time.monotonic() - known[0] < _FRESH_S:
            return known[1]
        settle()
        return _digests()
    command = [_GIT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    totals: dict[str, tuple[hashlib._Hash, hashlib._Hash]] = {}
    for name in sorted({os.fsdecode(each) for each in listed.split(b"\0") if each}):
        entry = name.partition("/")[0]
        both = totals.setdefault(entry, (hashlib.sha256(), hashlib.sha256()))
        path = f"{ROOT}/{name}"
        if os.path.isfile(path):  # noqa: PTH113 - asked for thousands of times
            total = both[name.endswith((".py", ".pyi"))]
            total.update(f"{name} {content(path).sha256}\n".encode())
    found = {
        name: (data.hexdigest(), python.hexdigest()) for name, (data, python) in totals.items()
    }
    _state["digests"] = (time.monotonic(), found)
    return found


@functools.cache
def tools() -> str:
    """The boards' compilers by content, and the versions of other tools."""
    # By name: else each test would depend on the code that finds compilers.
    families = import_module("pennyweight.toolchains").FAMILIES
    identify = import_module("pennyweight.toolchains.identity").identify
    found = []
    for name, family in sorted(families.items()):
        place = family.locate()
        identity = identify(name, Path(place)) if place else "missing"
        printed = identity if isinstance(identity, str) else f"{identity.version} {identity.sha256}"
        found.append(f"{name} {printed}")
    for name in TOOLS:
        if shutil.which(name) is None:
            found.append(f"{name} missing")
            continue
        done = subprocess.run([name, "--version"], capture_output=True, check=False)
        found.append(f"{name} {hashlib.sha256(done.stdout).hexdigest()}")
    return hashlib.sha256("\n".join(found).encode()).hexdigest()
