"""Every test run has a cache of its own, shared by the workers of the run.

Compilers that take long to build are taken from the user's cache, if available.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from host.build import Bundled
from host.build import program as program_under_sanitizers
from pennyweight.toolchains import locations

pytest_plugins = ["verdicts.plugin"]

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Started in the background by a shell: what tests start would be deaf to Ctrl-C, too.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    before = os.environ.get("PENNYWEIGHT_CACHE")
    os.environ.setdefault("PENNYWEIGHT_TOOLCHAINS", str(locations.folder()))
    os.environ["PENNYWEIGHT_CACHE"] = str(shared / "pennyweight-cache")
    yield
    if before is None:
        del os.environ["PENNYWEIGHT_CACHE"]
    else:
        os.environ["PENNYWEIGHT_CACHE"] = before


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Bundled], Path]:
    """Links an implementation's runner once, however many processes run the tests."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    folder = folder / "host-programs"
    folder.mkdir(exist_ok=True)

    def of(implementation: Bundled) -> Path:
        made = program_under_sanitizers(implementation)
        path = folder / made.key()
        with FileLock(path.with_suffix(".lock")):
            return path if path.exists() else made.link(path)

    return of
