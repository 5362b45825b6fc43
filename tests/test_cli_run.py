"""`run` and `report`, from a study's file to pages."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import pennyweight
from cli_runs import Command, runner
from pennyweight.store import ResultStore
from pennyweight.store.reading import open_results

STUDY = """
id = "small"
title = "A small study"
boards = ["atmega328p", "stm32f030"]
algorithms = ["sha-256"]
flags = ["-Os"]

[[cases]]
name = "curve"
kind = "hash"
m = { from = 0, to = 192, step = 64 }

[[cases]]
name = "too long for one"
kind = "hash"
m = 3000
"""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


@pytest.fixture
def study(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(STUDY, encoding="utf-8")
    return path


def test_a_study_runs_is_stored_and_reported(run: Command, study: Path, tmp_path: Path) -> None:
    results, report = tmp_path / "results", tmp_path / "report"
    words = ("run", "--study", study, "--results", results, "--report", report)
    first = run(*words)
    assert first.status == 0, first.err
    assert first.out == f"{report / 'index.html'}\n"
    jobs = len(ResultStore(results).done())
    assert f"{jobs} jobs, {jobs} done now: no job failed; " in first.err
    assert "cases need more memory than their board has" in first.err
    with open_results(ResultStore(results)) as found:
        rows = found.query("SELECT board, m, status FROM latest").to_pylist()
    assert {r["status"] for r in rows if r["m"] == 3000 and r["board"] == "stm32f030"} == {"ok"}
    assert {r["status"] for r in rows if r["m"] == 3000 and r["board"] == "atmega328p"} == {
        "does not fit"
    }
    page = (report / "index.html").read_text(encoding="utf-8")
    assert "A small study" in page and "SHA-256" in page
    again = run(*words)
    assert again.status == 0 and f"{jobs} jobs, 0 done now" in again.err
    alone = run("report", "--results", results, "--output", tmp_path / "other")
    assert alone.status == 0 and (tmp_path / "other" / "index.html").is_file()


def test_the_api_runs_the_same(study: Path, tmp_path: Path) -> None:
    tally = pennyweight.run(study, tmp_path / "results", tmp_path / "report", jobs=1)
    assert tally.finished == tally.planned > 0
    assert (tmp_path / "report" / "index.html").is_file()
    assert pennyweight.report(tmp_path / "results", tmp_path / "again").is_file()


def test_a_missing_compiler_is_reported_and_the_other_board_runs(
    study: Path, tmp_path: Path
) -> None:
    """With a PATH that has no compiler the Arm board cannot be built for."""
    tools = tmp_path / "tools"
    tools.mkdir()
    results = ResultStore(tmp_path / "results")
    words = ["run", "--study", str(study), "--results", str(results.folder)]
    done = subprocess.run(
        [sys.executable, "-m", "pennyweight", *words],
        env={**os.environ, "PATH": str(tools)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "stm32f030 -Os" in done.stderr and "toolchain install arm" in done.stderr
    assert "Traceback" not in done.stderr
    with open_results(results) as found:
        rows = found.query(
            "SELECT DISTINCT board, status FROM latest WHERE m = 64 ORDER BY board"
        ).to_pylist()
    assert rows == [
        {"board": "atmega328p", "status": "ok"},
        {"board": "stm32f030", "status": "skipped"},
    ]


def test_ctrl_c_stops_within_two_seconds_and_states_how_to_continue(
    study: Path, tmp_path: Path
) -> None:
    text = STUDY.replace('["-Os"]', '["-Os", "-O1", "-O2", "-O3"]').replace(
        '["sha-256"]', '["sha-256", "aes-128-gcm"]'
    )
    study.write_text(text, encoding="utf-8")
    results = ResultStore(tmp_path / "results")
    words = [sys.executable, "-m", "pennyweight", "run", "--study", str(study)]
    with subprocess.Popen(
        [*words, "--results", str(results.folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        deadline = time.monotonic() + 120
        while not results.done():
            assert time.monotonic() < deadline and process.poll() is None
            time.sleep(0.02)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
        assert time.monotonic() - start < 2.0
    assert process.returncode == 130 and out == ""
    assert "jobs left; finished jobs are kept, and the same command continues." in err
    assert "Traceback" not in err
    assert not list((tmp_path / "results").rglob("*.tmp"))
    with open_results(results) as found:
        assert found.remarks == []


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"stm32f030"', '"stm32f031"', "unknown board 'stm32f031': did you mean stm32f030"),
        ('"sha-256"', '"sha-265"', "no bundled algorithm matches 'sha-265'"),
        ('"-Os"', '"-Q"', "flag '-Q' is not allowed in a measurement"),
        ('kind = "hash"', 'kind = "hsah"', "small.toml: field 'cases[1].kind'"),
    ],
)
def test_a_wrong_study_is_refused(
    run: Command, study: Path, tmp_path: Path, old: str, new: str, sentence: str
) -> None:
    study.write_text(STUDY.replace(old, new), encoding="utf-8")
    output = run("run", "--study", study, "--results", tmp_path / "results").refused()
    assert sentence in output
    assert not (tmp_path / "results").exists()


def test_a_report_that_cannot_be_written_is_reported_before_anything_runs(
    run: Command, study: Path, tmp_path: Path
) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("important")
    results = tmp_path / "results"
    words = ("run", "--study", study, "--results", results, "--report", tmp_path / "thesis")
    assert "contains files that do not belong to a report" in run(*words).refused()
    assert not results.exists()


def test_a_results_folder_that_is_a_file_is_refused(
    run: Command, study: Path, tmp_path: Path
) -> None:
    (tmp_path / "results").write_text("a file")
    output = run("run", "--study", study, "--results", tmp_path / "results").refused()
    assert "cannot create this folder" in output
    assert (tmp_path / "results").read_text() == "a file"
