"""The pytest plugin: takes verdicts from the cache, keeps new ones, and counts both."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator
from typing import Any

import pytest

from verdicts import observer, shelf
from verdicts.code import ROOT
from verdicts.inputs import Inputs
from verdicts.marker import NAME, Cached, key

CACHED, RUN = "cached verdict", "new verdict"
"""Names of the properties by which a worker reports to the process that prints the summary."""

_AGAIN = "PENNYWEIGHT_TEST_AGAIN"
"""Set it to run every test, whatever is in the cache."""

_counts: Counter[tuple[str, str]] = Counter()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"{NAME}(cached): its verdict is kept under its inputs")
    shelf.settle()


def _parameters(item: pytest.Function) -> dict[str, Any]:
    return dict(item.callspec.params) if hasattr(item, "callspec") else {}


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    marker = pyfuncitem.get_closest_marker(NAME)
    if marker is None:
        return (yield)
    cached: Cached = marker.args[0]
    inputs = cached.of(_parameters(pyfuncitem))
    name = key(pyfuncitem, inputs)
    if shelf.has_passed(name) and not os.environ.get(_AGAIN):
        pyfuncitem.obj = _passes
        pyfuncitem.user_properties.append((CACHED, cached.kind))
        return (yield)
    pyfuncitem.user_properties.append((RUN, cached.kind))
    with observer.watching() as opened:
        result = yield
    _check_complete(inputs, opened)
    if key(pyfuncitem, cached.of(_parameters(pyfuncitem))) == name:
        shelf.keep_passed(name)
    return result


def _passes(**_arguments: object) -> None:
    """Takes the place of a test that has passed."""


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
    if report.when == "call":
        for name, kind in report.user_properties:
            if name in (CACHED, RUN):
                _counts[str(kind), name] += 1


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not _counts:
        return
    terminalreporter.section("verdicts of earlier runs")
    for kind in sorted({kind for kind, _ in _counts}):
        cached, run = _counts[kind, CACHED], _counts[kind, RUN]
        terminalreporter.write_line(f"{kind}: {cached} cached, {run} run")
