"""The `bench-…` commands of the Makefile print figures and change no file of the repository."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from scripts.bench_simulator import __main__ as bench_simulator
from scripts.bench_simulator.programs import PROGRAMS

from pennyweight import catalogue, toolchains
from pennyweight.catalogue.boards import Board
from tracked_files import ROOT, tracked

PAGE = ROOT / "docs" / "speed.md"

COMMANDS = {
    "bench-campaign": ["scripts/bench_campaign", "--every", "500", "--jobs", "1"],
    "bench-report": ["scripts/bench_report", "--rows", "1000"],
    "bench-simulator": [
        *("-m", "scripts.bench_simulator"),
        *("--board", "atmega328p", "--programs", "1"),
    ],
    "bench-store": ["scripts/bench_store", "--rows", "1000"],
    "bench-tune": [
        *("-m", "scripts.bench_tune"),
        *("--board", "atmega328p", "--budget", "6", "--every", "1000"),
    ],
}
"""Arguments of Python for a short run of each."""

ELSEWHERE = ["bench-implementations"]
"""Needs a clone of NIST's repository: `test_bench_implementations.py` makes one and checks the
tracked files too."""


def test_every_bench_command_is_listed() -> None:
    targets = re.findall(r"^(bench-[a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert sorted(targets) == sorted([*COMMANDS, *ELSEWHERE])


@pytest.mark.parametrize("command", COMMANDS)
def test_a_bench_command_changes_no_tracked_file(command: str) -> None:
    before = tracked()
    subprocess.run([sys.executable, *COMMANDS[command]], cwd=ROOT, check=True, capture_output=True)
    assert tracked() == before


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the page with the table, with boards that are measured at once."""

    def measured(name: str, _folder: Path, programs: list[str], _details: bool) -> object:
        board: Board = catalogue.load().board(name)
        speeds = [4321.0 for _ in programs]
        return bench_simulator.Row(board, [500.0], speeds, {"peer": [2.0]}, "a remark")

    monkeypatch.setattr(bench_simulator, "compare", measured)
    monkeypatch.setattr(toolchains, "missing", lambda _board: None)
    return Path(shutil.copy(PAGE, tmp_path))


def test_the_table_of_speeds_is_written_on_request_only(page: Path) -> None:
    bench_simulator.main([], page)
    assert page.read_text() == PAGE.read_text()
    bench_simulator.main(["--write"], page)
    speeds = "500 | 4321 | 4321 | 270.1"
    row = f"| atmega328p | avre+ | no | 16 | {speeds} | peer 2 (2160.5) | a remark |"
    lines = page.read_text().splitlines()
    assert row in lines
    marks = ["<!-- table -->", "<!-- end of table -->"]
    assert [line for line in lines if line in marks] == marks
    assert lines[: lines.index(marks[0])] == PAGE.read_text().split(f"{marks[0]}\n")[0].splitlines()


@pytest.mark.parametrize("some", [["--board", "atmega328p"], ["--programs", "1"]])
def test_a_part_of_the_table_is_not_written(
    page: Path, some: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(PROGRAMS) > 1
    with pytest.raises(SystemExit) as exit_:
        bench_simulator.main(["--write", *some], page)
    assert exit_.value.code == 2
    assert "--write needs all boards and programs" in capsys.readouterr().err
    assert page.read_text() == PAGE.read_text()
