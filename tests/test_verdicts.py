"""A verdict is stored under its inputs: a change of any of them makes the test run again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from verdicts import code, durations, observer, plugin, project
from verdicts.code import ROOT

TEST = '''"""A test."""
from pathlib import Path

import pytest

from verdicts import Inputs, cached
from helper import is_right

DATA = Path(__file__).parent / "data"


@pytest.mark.parametrize("number", [1, 2])
@cached("sums", lambda number: Inputs([number], files=(DATA,)))
def test_sum(number):
    assert is_right(number, int(DATA.read_text()))
'''
HELPER = '''def is_right(number, data):
    """Is it?"""
    return number + data > 0  # a comment
'''
SET = 'monkeypatch.setenv("PENNYWEIGHT_TEST_CACHE", "{}")'


class Folder:
    """A folder of tests with the plugin, and how often they ran."""

    def __init__(self, place: Path, cache: Path) -> None:
        self.place, self.cache = place, cache
        self.paths: tuple[Path, ...] = (place, ROOT / "src", ROOT / "tests")
        (place / "conftest.py").write_text('pytest_plugins = ["verdicts.plugin"]\n')
        self.write("test_sum.py", TEST)
        self.write("helper.py", HELPER)
        self.write("data", "1")

    def write(self, name: str, text: str) -> None:
        (self.place / name).write_text(text)

    def run(self, **more: str) -> str:
        """The line of the summary that counts."""
        # The inner run has no workers, even if this one does.
        inherited = {k: v for k, v in os.environ.items() if k != "PYTEST_XDIST_WORKER"}
        environment = {
            **inherited,
            **more,
            "PENNYWEIGHT_TEST_CACHE": str(self.cache),
            "PYTHONPATH": os.pathsep.join(map(str, self.paths)),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c/dev/null"]
        done = subprocess.run(
            [*command, f"--rootdir={self.place}", self.place],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            cwd=self.place,
        )
        self.output = done.stdout + done.stderr
        self.status = done.returncode
        return next((x for x in done.stdout.splitlines() if x.startswith("sums: ")), "")


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    (tmp_path / "tests").mkdir()
    return Folder(tmp_path / "tests", tmp_path / "cache")


def test_what_has_passed_is_kept_until_an_input_changes(folder: Folder) -> None:
    assert folder.run() == "sums: 0 cached, 2 run", folder.output
    assert folder.run() == "sums: 2 cached, 0 run"
    assert "2 passed" in folder.output
    folder.write("data", "2")
    assert folder.run() == "sums: 0 cached, 2 run"
    folder.write("data", "1")
    assert folder.run() == "sums: 2 cached, 0 run"
    folder.write("test_sum.py", TEST.replace("[1, 2]", "[1, 3]"))
    assert folder.run() == "sums: 0 cached, 2 run"


def test_code_counts_and_prose_does_not(folder: Folder) -> None:
    folder.run()
    folder.write("test_sum.py", TEST.replace("A test.", "Another text.").replace("\n\n\n", "\n\n"))
    folder.write("helper.py", HELPER.replace("Is it?", "Yes.").replace("a comment", "another"))
    assert folder.run() == "sums: 2 cached, 0 run"
    folder.write("test_sum.py", TEST.replace("assert is", "assert 1 and is"))
    assert folder.run() == "sums: 0 cached, 2 run"


def test_a_kept_verdict_does_not_hide_how_long_its_test_takes(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write("helper.py", HELPER.replace("return", "__import__('time').sleep(0.1)\n    return"))
    monkeypatch.setenv("PENNYWEIGHT_TEST_CACHE", str(folder.cache))

    def known() -> dict[str, float]:
        durations._known.cache_clear()
        return {name: durations.of(name) for name in durations._known()}

    try:
        folder.run()
        first = known()
        assert len(first) == 2 and min(first.values()) >= 0.1
        assert folder.run() == "sums: 2 cached, 0 run"
        assert known() == first
    finally:
        durations._known.cache_clear()


def test_a_test_with_a_cache_of_its_own_leaves_no_verdict_there(
    folder: Folder, tmp_path: Path
) -> None:
    own = tmp_path / "own"
    text = TEST.replace("(number):", f"(number, monkeypatch):\n    {SET.format(own)}")
    folder.write("test_sum.py", text)
    assert folder.run() == "sums: 0 cached, 2 run", folder.output
    assert folder.run() == "sums: 2 cached, 0 run"
    assert not own.exists()


def test_a_failure_is_not_kept(folder: Folder) -> None:
    folder.write("data", "-1")
    for cached in (0, 1):
        assert folder.run() == f"sums: {cached} cached, {2 - cached} run"
        assert folder.status == 1
        assert "1 failed, 1 passed" in folder.output


def test_a_damaged_entry_is_not_a_verdict(folder: Folder) -> None:
    folder.run()
    kept = (folder.cache / "verdicts").rglob("*")
    first, second = (each for each in kept if each.is_file())
    first.write_bytes(first.read_bytes()[:-3])
    second.write_bytes(b"")
    assert folder.run() == "sums: 0 cached, 2 run"
    assert folder.run() == "sums: 2 cached, 0 run"


def test_a_file_that_is_only_written_is_not_an_input(tmp_path: Path) -> None:
    read, written = tmp_path / "read", tmp_path / "written"
    read.write_text("1")
    with observer.watching() as opened:
        written.write_text(read.read_text())
    assert str(read) in opened and str(written) not in opened


def test_all_can_be_made_to_run(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.run()
    monkeypatch.setenv("PENNYWEIGHT_TEST_AGAIN", "1")
    assert folder.run() == "sums: 0 cached, 2 run"


def test_a_test_that_reads_what_it_does_not_name_fails(folder: Folder) -> None:
    opened = f"DATA.read_text() and open({str(ROOT / 'LICENSE')!r}).read() and DATA"
    folder.write("test_sum.py", TEST.replace("DATA.read_text()", f"({opened}).read_text()"))
    folder.run()
    assert folder.status == 1
    assert "inputs lack 1 files that the test read: LICENSE" in folder.output


MODULE = '''"""A test."""
import helper
from verdicts import cached_by_project

ROOT = helper.ROOT


@cached_by_project("runs")
def test_named():
    assert helper.clock() > 0


def test_other():
    assert helper.clock() > 0
'''
CLOCK = """import pathlib

ROOT = pathlib.Path(__file__).parents[1]


def clock():
    return int((ROOT / "boards" / "one.toml").read_text())
"""


class Clone(Folder):
    """A repository with these tests, some data, and a tool of its own on the path."""

    def __init__(self, root: Path, cache: Path) -> None:
        (root / "tests").mkdir(parents=True)
        shutil.copytree(ROOT / "tests" / "verdicts", root / "tests" / "verdicts")
        super().__init__(root / "tests", cache)
        for name in ("test_sum.py", "data"):
            (self.place / name).unlink()
        for name in ("boards", "docs", "tools"):
            (root / name).mkdir()
        self.write("test_one.py", MODULE)
        self.write("helper.py", CLOCK)
        self.write("../boards/one.toml", "1")
        self.write("../docs/one.md", "1")
        self.tool("1")
        subprocess.run(["git", "init", "-q", root], check=True)
        self.paths = (self.place, ROOT / "src")

    def tool(self, version: str) -> None:
        """Replaces a tool by one of another version."""
        path = self.place / ".." / "tools" / "mspdebug"
        path.write_text(f"#!/bin/sh\necho {version}\n")
        path.chmod(0o755)

    def answer(self, **more: str) -> tuple[str, str]:
        """What the summary says of declared tests, and of all others."""
        tools = str(self.place / ".." / "tools")
        self.run(PATH=f"{tools}{os.pathsep}{os.environ['PATH']}", **more)
        lines = self.output.splitlines()
        kinds = ("runs: ", "not affected by a change: ")
        first, other = (
            next((each.removeprefix(kind) for each in lines if each.startswith(kind)), "")
            for kind in kinds
        )
        return first, other


ANSWERED, RAN = "1 cached, 0 run", "0 cached, 1 run"


def test_a_verdict_of_the_project_lasts_until_what_a_module_may_read_changes(
    tmp_path: Path,
) -> None:
    clone = Clone(tmp_path / "clone", tmp_path / "cache")
    assert clone.answer() == (RAN, ""), clone.output
    assert clone.answer() == (ANSWERED, "")
    assert "2 passed" in clone.output
    clone.write("../docs/one.md", "2")
    clone.write("helper.py", CLOCK.replace("import pathlib", "import pathlib  # a comment"))
    assert clone.answer() == (ANSWERED, "")
    changes: tuple[Callable[[], None], ...] = (
        lambda: clone.write("../boards/one.toml", "2"),
        lambda: clone.write("helper.py", CLOCK.replace("read_text()", "read_text().strip()")),
        lambda: clone.write("more.txt", "data of the tests"),
        lambda: clone.tool("2"),
    )
    for change in changes:
        change()
        assert clone.answer() == (RAN, "")


def test_what_reads_a_file_that_its_module_does_not_name_is_not_kept(tmp_path: Path) -> None:
    clone = Clone(tmp_path / "clone", tmp_path / "cache")
    clone.write("helper.py", CLOCK.replace('"boards"', '"".join(["boa", "rds"])'))
    for _ in range(2):
        assert clone.answer() == (RAN, "")
        assert "test_one.py: not kept, since it does not name boards/one.toml" in clone.output


def test_the_quick_answer_runs_what_a_change_affects_while_there_is_time(tmp_path: Path) -> None:
    clone = Clone(tmp_path / "clone", tmp_path / "cache")
    soon = str(time.time() + 10_000)
    assert clone.answer(PENNYWEIGHT_TEST_AFFECTED=soon) == (RAN, RAN), clone.output
    assert clone.answer(PENNYWEIGHT_TEST_AFFECTED=soon) == (ANSWERED, ANSWERED)
    clone.write("../boards/one.toml", "2")
    assert clone.answer(PENNYWEIGHT_TEST_AFFECTED=str(time.time() - 10)) == ("", "")
    assert "2 skipped" in clone.output
    assert "2 affected tests were out of time; `make test` runs them" in clone.output
    assert clone.answer(PENNYWEIGHT_TEST_AFFECTED=soon) == (RAN, RAN)
    assert clone.answer() == (ANSWERED, "")


def test_variables_that_are_no_inputs_are_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", {**os.environ})
    removed = ("PENNYWEIGHT_ENGINE", "PENNYWEIGHT_DATA", "CPATH")
    kept = ("PENNYWEIGHT_CACHE", "PENNYWEIGHT_TEST_AGAIN")
    os.environ.update(dict.fromkeys((*removed, *kept), "x"))
    plugin.clear_environment()
    assert not {*removed} & {*os.environ} and {*kept} <= {*os.environ}


def test_the_code_of_a_test_is_what_it_imports() -> None:
    own, others = code.closure("test_host_implementations")
    assert {"host.build", "host.units", "host.requests", "verdicts.storage"} <= own.keys()
    assert not any(each.startswith("pennyweight.report") for each in own)
    assert {"pytest", "filelock"} <= others


def test_the_projects_files_are_listed_although_a_test_has_emptied_path(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(project, "_state", {})
    monkeypatch.setenv("PATH", "/nothing")
    assert {"src", "tests", "boards"} <= project._digests().keys()
