"""What a report states about rows that were measured on a real board."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from example_results import job_result
from pennyweight.model import JobResult
from pennyweight.report import write_report
from pennyweight.store import ResultStore
from report_files import rows_of, text_of
from verdicts import cached_by_project

pytestmark = cached_by_project("report pages")

WHEN = datetime(2024, 5, 17, tzinfo=UTC)
PART = "STM32F030F4P6, cortex-m0 r0p0, identity 0x10006444, OpenOCD 0.12.0, 8 MHz"
REAL = "stm32f030-device"


def on_a_part(result: JobResult) -> JobResult:
    """The same figures, as if measured on a real board."""
    rows = [
        replace(
            row,
            board=REAL,
            instructions=None,
            cycles_least=row.cycles,
            cycles_spread=7 if row.op == "hash" else None,
        )
        for row in result.measurements
    ]
    origin = replace(result.provenance, job="d" * 64, simulator_version="", device=PART)
    return JobResult(origin, rows, result.symbols)


def written(folder: Path, *results: JobResult) -> Path:
    store = ResultStore(folder / "results")
    for result in results:
        store.add(result, WHEN)
    return write_report(store, folder / "report").parent


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("simulated"), job_result("sha-256"))


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("real"), on_a_part(job_result("sha-256")))


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Path:
    result = job_result("sha-256")
    return written(tmp_path_factory.mktemp("both"), result, on_a_part(result))


def test_boards_are_counted_by_kind(simulated: Path, real: Path, both: Path) -> None:
    assert "measured on 1 simulated board: " in text_of(simulated / "index.html")
    assert "measured on 1 real board: " in text_of(real / "index.html")
    assert "measured on 1 simulated board and 1 real board: " in text_of(both / "index.html")


def test_rows_of_a_real_board_are_not_called_simulated_or_exact(real: Path) -> None:
    for page in real.glob("*.html"):
        text = text_of(page).lower()
        assert "simulat" not in text.replace("simulator or part", ""), page.name
        assert "counts are exact" not in text, page.name
    assert "on the part before measurement" in text_of(real / "index.html")
    method = text_of(real / "method.html")
    assert "Counts of real parts Cycles are counted by the part’s own counter" in method
    assert PART in method


def test_a_report_of_both_has_the_rules_of_both(both: Path) -> None:
    method = text_of(both / "method.html")
    assert "Counts are exact for the simulated part" in method
    assert "On real boards, cycles are counted by the part’s own counter" in method
    assert "Verification on the simulated or real part" in method


def test_the_spread_is_shown_for_real_boards_only(simulated: Path, both: Path) -> None:
    [row] = rows_of(both / "data" / f"{REAL}-hash-builds.csv")
    assert row["Spread cycles"] == "7"
    text = text_of(both / f"board-{REAL}.html")
    assert "Spread cycles" in text
    assert "Spread" not in text_of(both / "board-stm32f030.html")
    assert "Spread" not in text_of(simulated / "board-stm32f030.html")


def test_the_data_files_have_the_spread_and_the_part(simulated: Path, both: Path) -> None:
    rows = {row["board"]: row for row in rows_of(both / "data" / "measurements.csv")}
    assert rows[REAL]["cycles_spread"] == "7" and rows["stm32f030"]["cycles_spread"] == ""
    assert rows[REAL]["cycles_least"] == rows[REAL]["cycles"]
    jobs = {row["board"]: row["device"] for row in rows_of(both / "data" / "jobs.csv")}
    assert jobs == {REAL: PART, "stm32f030": ""}
    assert "cycles_spread" not in rows_of(simulated / "data" / "measurements.csv")[0]
    assert "device" not in rows_of(simulated / "data" / "jobs.csv")[0]
