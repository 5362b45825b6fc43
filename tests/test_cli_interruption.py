"""Ctrl-C, whatever it hits, is one line and exit status 130."""

from __future__ import annotations

import os
import subprocess
import sys

import duckdb
import pytest

from cli_runs import Command, runner
from pennyweight.cli.commands import boards


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


@pytest.mark.parametrize(
    "error",
    [RuntimeError("Query interrupted"), duckdb.InterruptException("INTERRUPT Error: Interrupted!")],
)
def test_a_query_that_was_interrupted_is_an_interruption(
    run: Command, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(boards.command, "callback", interrupted)
    done = run("boards")
    assert (done.status, done.out, done.err) == (130, "", "pennyweight: interrupted.\n")


def test_other_errors_of_that_kind_are_none(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("interrupted somehow")

    monkeypatch.setattr(boards.command, "callback", broken)
    assert run("boards").status == 1


@pytest.mark.parametrize("module", ["click", "pennyweight.cli", "pennyweight.model"])
def test_an_import_that_is_interrupted_shows_no_traceback(module: str) -> None:
    script = (
        "import sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == {module!r}: raise KeyboardInterrupt\n"
        "from pennyweight.__main__ import main\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "pennyweight: interrupted.\n"
