"""Every test run has a cache of its own, shared by the workers of the run.

Compilers that take long to build are those of the user's cache, if they are there.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from pennyweight.toolchains import locations

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
