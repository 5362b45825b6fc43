"""The pytest plugin: takes verdicts from the cache, keeps new ones, and counts both.

With `PENNYWEIGHT_TEST_AFFECTED` set, also tests without declared inputs pass if nothing that they
may read has changed since they passed, and what would take longer than the time that is left is
skipped: the quick answer of `make check`. Otherwise they run.
"""

from __future__ import annotations

import os
import time
from collections import Counter, defaultdict
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from verdicts import code, durations, observer, project, storage
from verdicts.code import ROOT
from verdicts.inputs import Inputs
from verdicts.marker import NAME, Cached, key

CACHED, RUN = "cached verdict", "new verdict"
"""Names of the properties by which a worker reports to the process that prints the summary."""

UNNAMED = "read without naming it"
"""Name of the property of a test whose verdict cannot be kept, with a file that it has read."""

UNAFFECTED = "not affected by a change"
AGAIN = "PENNYWEIGHT_TEST_AGAIN"
"""Set it to run every test, whatever is in the cache."""
AFFECTED = "PENNYWEIGHT_TEST_AFFECTED"
"""When the quick answer has to be there, in seconds since 1970."""
POSTPONED = "affected, but it takes longer than is left: `make test` runs it"
PART = "PENNYWEIGHT_TEST_PART"
"""`host`: only modules that use no compiler of a board; `boards`: only the others."""

NOT_READ = ("CPATH", "C_INCLUDE_PATH", "CFLAGS", "CPPFLAGS", "LDFLAGS", "LIBRARY_PATH")
"""Variables that compilers and Make read; those of Pennyweight are below."""

_OWN = "PENNYWEIGHT_"
_READ = (f"{_OWN}TEST_", f"{_OWN}CACHE", f"{_OWN}TOOLCHAINS", f"{_OWN}PYTHON")

_TESTS = ROOT / "tests"
_CACHED = pytest.StashKey[bool]()
_counts: Counter[tuple[str, str]] = Counter()
_unnamed: dict[str, str] = {}
_seconds: dict[str, float] = defaultdict(float)
_postponed: set[str] = set()
_answered: set[str] = set()
"""Tests that did not run: how long they take is known from earlier runs."""


def clear_environment() -> None:
    """Removes the variables that would decide outcomes without being inputs of a verdict."""
    for name in [*os.environ]:
        if name in NOT_READ or (name.startswith(_OWN) and not name.startswith(_READ)):
            del os.environ[name]


def pytest_configure(config: pytest.Config) -> None:
    clear_environment()
    config.addinivalue_line("markers", f"{NAME}(cached): its verdict is kept under its inputs")
    config.pluginmanager.register(_Answered())
    storage.users_folder()


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Omits the modules of the other part."""
    part = os.environ.get(PART)
    if not part or not collection_path.match("test_*.py"):
        return None
    uses_compilers = "pennyweight.toolchains" in code.closure(code.name_of(collection_path))[0]
    return uses_compilers == (part == "host") or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With a deadline: first what names its inputs, then the quickest; a share for each worker."""
    if AFFECTED not in os.environ:
        return
    items.sort(key=lambda item: (not _is_precise(item), durations.of(item.nodeid), item.nodeid))
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    items[:] = [item for first in range(workers) for item in items[first::workers]]


def _is_precise(item: pytest.Item) -> bool:
    marker = item.get_closest_marker(NAME)
    return marker is not None and marker.args[0].inputs is not None


def _parameters(item: pytest.Function) -> dict[str, Any]:
    return dict(item.callspec.params) if hasattr(item, "callspec") else {}


def _cached(item: pytest.Item) -> Cached | None:
    """A test's declared inputs; `None` for tests outside the repository."""
    marker = item.get_closest_marker(NAME)
    if marker is not None:
        cached: Cached = marker.args[0]
        return cached
    return Cached(UNAFFECTED, None) if item.path.is_relative_to(_TESTS) else None


def _may_be_answered(item: pytest.Item) -> bool:
    """Whether a verdict of an earlier run replaces the test."""
    if os.environ.get(AGAIN):
        return False
    return AFFECTED in os.environ or item.get_closest_marker(NAME) is not None


def _name(item: pytest.Function, cached: Cached, *, fresh: bool = False) -> tuple[str, Inputs]:
    inputs = cached.of(_parameters(item))
    return key(item, cached, inputs, fresh=fresh), inputs


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Decides whether a test runs, before anything is prepared for it."""
    if not isinstance(item, pytest.Function):
        return
    cached = _cached(item)
    if cached is not None and _may_be_answered(item):
        name, _ = _name(item, cached)
        if storage.has_passed(name, storage.users_folder()):
            item.fixturenames = []
            item.stash[_CACHED] = True
            return
    if AFFECTED in os.environ:
        left = float(os.environ[AFFECTED]) - time.time()
        if durations.of(item.nodeid) > left:
            pytest.skip(POSTPONED)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    cached = _cached(pyfuncitem)
    if cached is None:
        return (yield)
    if pyfuncitem.stash.get(_CACHED, False):
        pyfuncitem.user_properties.append((CACHED, cached.kind))
        return (yield)
    pyfuncitem.user_properties.append((RUN, cached.kind))
    name, inputs = _name(pyfuncitem, cached)
    with observer.watching() as opened:
        result = yield
    if cached.inputs is None:
        missed = [x for x in observer.data_files(opened) if not project.covers(pyfuncitem.path, x)]
        if missed:
            pyfuncitem.user_properties.append((UNNAMED, f"{missed[0].relative_to(ROOT)}"))
        else:
            project.keep_passed(name)
        return result
    _check_complete(inputs, opened)
    if _name(pyfuncitem, cached, fresh=True)[0] == name:
        storage.keep_passed(name, storage.users_folder())
    return result


class _Answered:
    """Replaces tests that have passed."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool | None:
        return True if pyfuncitem.stash.get(_CACHED, False) else None


def _check_complete(inputs: Inputs, opened: set[str]) -> None:
    """Fails a test whose verdict would not depend on a file that it has read."""
    missed = [
        str(path.relative_to(ROOT))
        for path in observer.data_files(opened)
        if not inputs.covers(path)
    ]
    assert not missed, (
        f"the verdict's inputs lack {len(missed)} files that the test read: {', '.join(missed[:5])}"
    )


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    properties = dict(report.user_properties)
    if report.when == "call":
        for name, kind in report.user_properties:
            if name in (CACHED, RUN):
                _counts[str(kind), name] += 1
        if UNNAMED in properties:
            _unnamed[report.nodeid.partition("::")[0]] = str(properties[UNNAMED])
    _seconds[report.nodeid] += report.duration
    if _is_postponed(report):
        _postponed.add(report.nodeid)
    if CACHED in properties:
        _answered.add(report.nodeid)


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    """Prints no letter for a test that did not run: thousands would hide the others."""
    if _is_postponed(report):
        return "skipped", "", "POSTPONED"
    if report.passed and report.when == "call" and CACHED in dict(report.user_properties):
        return "passed", "", "CACHED"
    return None


def _is_postponed(report: pytest.TestReport) -> bool:
    why = report.longrepr
    return report.skipped and isinstance(why, tuple) and POSTPONED in why[2]


def pytest_sessionfinish(session: pytest.Session) -> None:
    project.settle()
    if "PYTEST_XDIST_WORKER" not in os.environ:
        durations.keep({name: _seconds[name] for name in _seconds.keys() - _answered})


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    kinds = sorted({kind for kind, _ in _counts})
    if AFFECTED not in os.environ:
        kinds = [each for each in kinds if each != UNAFFECTED]
    if kinds:
        terminalreporter.section("verdicts of earlier runs")
    for kind in kinds:
        cached, run = _counts[kind, CACHED], _counts[kind, RUN]
        terminalreporter.write_line(f"{kind}: {cached} cached, {run} run")
    for module, path in sorted(_unnamed.items()):
        terminalreporter.write_line(f"{module}: not kept, since it does not name {path}")
    if _postponed:
        terminalreporter.write_line(
            f"{len(_postponed):,} affected tests were out of time; `make test` runs them"
        )
