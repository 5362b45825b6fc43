"""What a report states about rows that were measured on a real board."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from example_results import job_result, row_of
from pennyweight.campaign.earlier_boards import with_earlier_boards
from pennyweight.campaign.plan import Plan, plan_study, planned
from pennyweight.campaign.record import campaign_record
from pennyweight.catalogue import load as load_catalogue
from pennyweight.catalogue.real_board import as_real
from pennyweight.model import JobResult
from pennyweight.report import write_report
from pennyweight.report.data import load
from pennyweight.report.studies.view import StudyView
from pennyweight.store import ResultStore
from pennyweight.studies import Study
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


def test_a_real_board_is_described_from_its_rows(tmp_path: Path) -> None:
    """No record has it: the study last ran in the simulator, in another version or elsewhere."""
    result = job_result("sha-256")
    folder = written(tmp_path, result, on_a_part(result))
    text = text_of(folder / f"board-{REAL}.html")
    assert f"Measured on a real board: {PART}." in text
    assert "STM32F030F4P6" in text and "8 MHz" in text
    assert "not validated" not in text


def recorded(store: ResultStore, plan: Plan, study: Study, device: str | None = None) -> Plan:
    """Stores the plan as a run does, with a made-up row for each case."""
    record = campaign_record(study, plan, store.campaigns())
    store.add_campaign(study.id, with_earlier_boards(record, plan, store))
    for job in plan.jobs:
        made = job_result("sha-256", cases=[])
        rows = [
            row_of(job, case, cycles=1000 + case.m, stack=100, flash=1000, ram=0)
            for case in job.cases
        ]
        origin = replace(made.provenance, job=job.key, device=device)
        store.add(JobResult(origin, rows, []), WHEN)
    return plan


def on_the_first_board(plan: Plan) -> Plan:
    """The plan, as `--on` changes it for a part that is the study's first board."""
    first = plan.jobs[0].board
    jobs = [
        planned(replace(job, board=as_real(first, PART), on="probe", device=PART))
        for job in plan.jobs
        if job.board.id == first.id
    ]
    return replace(plan, jobs=jobs, absent={"sam3x8e": "sam3x8e is another part"})


@pytest.mark.parametrize("last", ["simulated", "real"])
def test_a_study_shows_board_and_simulation_whichever_ran_last(tmp_path: Path, last: str) -> None:
    study = Study.model_validate(
        {
            "id": "mine",
            "title": "Two boards",
            "boards": ("stm32f030", "sam3x8e"),
            "algorithms": ("sha-256",),
            "flags": ("-Os",),
            "shows": ("curves",),
            "cases": [{"name": "short", "kind": "hash", "m": [0, 16]}],
        }
    )
    store = ResultStore(tmp_path / "results")
    simulated = recorded(store, plan_study(study, load_catalogue()), study)
    real = recorded(store, on_the_first_board(simulated), study, PART)
    if last == "simulated":
        recorded(store, simulated, study)
    [record] = store.campaigns()
    assert [each["id"] for each in record["boards"]] == ["stm32f030", REAL, "sam3x8e"]
    assert set(record["jobs"]) == {job.key for job in (*simulated.jobs, *real.jobs)}
    assert record["absent"] == []
    view = StudyView.open(load(store), record)
    assert [each.id for each in view.boards] == ["stm32f030", REAL, "sam3x8e"]
    text = text_of(write_report(store, tmp_path / "report").parent / "study-mine.html")
    assert "Boards 3" in text and "skipped" not in text


def test_a_board_that_leaves_the_study_leaves_its_page(tmp_path: Path) -> None:
    values = {
        "id": "mine",
        "title": "One board",
        "algorithms": ("sha-256",),
        "flags": ("-Os",),
        "cases": [{"name": "short", "kind": "hash", "m": 16}],
    }
    before = Study.model_validate(values | {"boards": ("stm32f030",)})
    after = Study.model_validate(values | {"boards": ("sam3x8e",)})
    store = ResultStore(tmp_path / "results")
    plan = recorded(store, plan_study(before, load_catalogue()), before)
    recorded(store, on_the_first_board(plan), before, PART)
    recorded(store, plan_study(after, load_catalogue()), after)
    [record] = store.campaigns()
    assert [each["id"] for each in record["boards"]] == ["sam3x8e"]
