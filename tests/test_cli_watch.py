"""`pennyweight watch`: measures again at each change, and shows the difference."""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cli_runs import Command, runner
from example_results import BOARD_FACTORS, job_result
from packages_for_tests import toy
from pennyweight.api.requests import MeasureRequest
from pennyweight.api.watching import folders_of
from pennyweight.catalogue import load
from pennyweight.catalogue.root import data_root
from pennyweight.cli.resulttable import failures
from pennyweight.cli.watchtable import History, change, figures_of
from pennyweight.model import Case, JobResult, Operation, Status

run = pytest.fixture(runner)
CASES = [Case(Operation.ENC, 16, 64), Case(Operation.DEC, 16, 64)]
PATIENCE_S = 120.0


def faster(result: JobResult, cycles: int) -> JobResult:
    first = result.measurements[0]
    assert first.cycles is not None
    changed = replace(first, cycles=first.cycles - cycles)
    return replace(result, measurements=[changed, *result.measurements[1:]])


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")


def test_changes_are_since_the_last_round_and_since_the_start(
    capsys: pytest.CaptureFixture[str],
) -> None:
    base = job_result("ascon-128", cases=CASES)
    history = History({}, {})
    history.print(figures_of([base]))
    assert "since" not in capsys.readouterr().out
    history.print(figures_of([faster(base, 10)]))
    assert "-10 (" in capsys.readouterr().out
    history.print(figures_of([faster(base, 15)]))
    shown = capsys.readouterr().out
    assert "-5 (" in shown and "-15 (" in shown
    history.print(figures_of([faster(base, 15)]))
    shown = capsys.readouterr().out
    assert "No figure changed" in shown and "since last" not in shown and "-15 (" in shown


def test_growth_in_size_is_shown_at_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of several implementations on several boards, with changes in each figure."""
    monkeypatch.setenv("COLUMNS", "80")
    names = ("ascon-128", "ascon-aead128")
    bases = [job_result(name, board, cases=CASES) for name in names for board in BOARD_FACTORS]
    larger = [
        replace(
            base,
            measurements=[
                replace(row, flash=(row.flash or 0) + 34_567, stack=(row.stack or 0) + 21)
                for row in faster(base, 1_000).measurements
            ],
        )
        for base in bases
    ]
    history = History({}, {})
    history.print(figures_of(bases))
    capsys.readouterr()
    history.print(figures_of(larger))
    shown = capsys.readouterr().out
    assert shown.count("+34,567") == len(figures_of(larger))
    assert all(len(line) <= 80 for line in shown.splitlines())


def test_what_all_rows_share_is_above_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    base = job_result("ascon-128", cases=CASES)
    first = base.measurements[0]
    History({}, {}).print(figures_of([base]))
    heading, titles, *_ = capsys.readouterr().out.splitlines()
    assert heading == f"ascon-128/ref, {first.board}, {first.flags}"
    assert titles.split()[0] == "case"


def test_a_failed_round_keeps_the_last_figures(capsys: pytest.CaptureFixture[str]) -> None:
    base = job_result("ascon-128", cases=CASES)
    rows = [
        replace(row, status=Status.BUILD_FAILED, reason="x.c:1: no") for row in base.measurements
    ]
    failed = replace(base, measurements=rows)
    assert figures_of([failed]) == {} and failures([base]) == []
    [sentence] = failures([failed])
    assert sentence.startswith("ascon-128/ref on ") and sentence.endswith("x.c:1: no")
    history = History({}, {})
    history.print(figures_of([base]))
    capsys.readouterr()
    history.print(figures_of([failed]))
    shown = capsys.readouterr().out
    assert shown.startswith("The last figures:")
    assert f"{base.measurements[0].cycles:,}" in shown and "No figure changed" not in shown
    history.print(figures_of([faster(base, 7)]))
    assert "-7 (" in capsys.readouterr().out


def test_each_compiler_has_its_own_rows(capsys: pytest.CaptureFixture[str]) -> None:
    own = job_result("ascon-128", cases=CASES)
    chosen = replace(faster(own, 10), provenance=replace(own.provenance, compiler="clang-19.1.7"))
    figures = figures_of([own, chosen])
    assert len(figures) == 2 * len(CASES)
    History({}, {}).print(figures)
    assert capsys.readouterr().out.count("clang-19.1.7 -Os") == len(CASES)


def test_a_percentage_goes_with_each_change() -> None:
    [row, _] = job_result("ascon-128", cases=CASES).measurements
    before, now = replace(row, cycles=2_000), replace(row, cycles=1_900)
    assert change(before, now) == "-100 (-5.00%)"
    assert change(now, before) == "+100 (+5.26%)"
    assert change(None, now) == ""


def test_the_folders_of_sources_outside_the_package_are_watched(tmp_path: Path) -> None:
    board = tmp_path / "boards" / "mine.toml"
    board.parent.mkdir()
    shutil.copy(data_root() / "boards" / "stm32f030.toml", board)
    catalogue = load()
    request = MeasureRequest("hmac-sha256/fast32", boards=[str(board)])
    found = folders_of(request, catalogue)
    [sha2] = {each.folder for each in catalogue.find("sha-256/fast32")}
    assert board.parent.resolve() in found
    assert any(sha2.resolve().is_relative_to(each) for each in found)
    assert not any(a != b and a.is_relative_to(b) for a in found for b in found)


def test_what_cannot_be_measured_at_all_ends_it(run: Command) -> None:
    assert "unknown" in run("watch", "no-such-cipher", "--board", "stm32f030").refused()


class Watching:
    """The command in a process; its output is read as it comes."""

    def __init__(self, package: Path, board: str) -> None:
        words = [sys.executable, "-m", "pennyweight", "watch", str(package), "--board", board]
        self.process = subprocess.Popen(
            [*words, "--lengths", "16:64", "--verify", "none", "--jobs", "1"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "COLUMNS": "160"},
        )

    def round(self) -> str:
        """What is printed until it waits again."""
        assert self.process.stdout is not None
        text, end = "", time.monotonic() + PATIENCE_S
        while "Waiting for changes" not in text:
            left = end - time.monotonic()
            assert left > 0 and self.process.poll() is None, text
            if select.select([self.process.stdout], [], [], min(left, 1.0))[0]:
                text += os.read(self.process.stdout.fileno(), 1 << 16).decode()
        return text


@pytest.fixture
def watching(tmp_path: Path) -> Iterator[tuple[Watching, Path]]:
    package = tmp_path / "package"
    shutil.copytree(toy("ref").folder, package)
    started = Watching(package, "atmega328p")
    yield started, package
    started.process.kill()
    started.process.wait()


def test_an_edit_shows_its_cost_and_ctrl_c_ends(watching: tuple[Watching, Path]) -> None:
    process, package = watching
    assert "first measurement" in process.round()
    source = package / "encrypt.c"
    text = source.read_text()
    begin = text.index("{", text.index("crypto_aead_encrypt")) + 1
    wait = "for (volatile unsigned char i = 0; i < 9; i++) {}"
    source.write_text(f"{text[:begin]} {wait} {text[begin:]}")
    shown = process.round()
    assert "encrypt.c changed" in shown and "since last" in shown and "(+" in shown
    source.write_text("int wrong = ;\n")
    shown = process.round()
    assert "build failed" in shown and "since last" not in shown
    source.write_text(text)
    shown = process.round()
    assert "(-" in shown and "since start" not in shown
    process.process.send_signal(signal.SIGINT)
    assert process.process.wait(PATIENCE_S) == 0
