"""Campaigns: what is stored, what is skipped, what is lost and tried again, what survives."""

from __future__ import annotations

import errno
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import pool_examples
from packages_for_tests import board, toy
from pennyweight.campaign import engine
from pennyweight.campaign.engine import Tally, run_campaign, run_jobs
from pennyweight.campaign.outcome import outcomes_of
from pennyweight.campaign.plan import PlannedJob
from pennyweight.model import Case, Operation, UserError
from pennyweight.pool import Outcome, Task
from pennyweight.pool.counts import Count
from pennyweight.store import ResultStore
from pennyweight.store.reading import open_results

CASES = (Case(Operation.ENC, 0, 8), Case(Operation.ENC, 0, 16))


@pytest.fixture(autouse=True)
def measured_in_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "run_job", pool_examples.measure)


def job(key: str, flags: str = "-Os") -> PlannedJob:
    return PlannedJob(toy("ref"), board("stm32f030"), flags, CASES, key=key)


class Watcher:
    """A progress that records its calls."""

    def __init__(self) -> None:
        self.reported: list[str] = []

    def start(self, total: int) -> None:
        self.reported.append(f"start {total}")

    def working_on(self, title: str) -> None:
        self.reported.append(title)

    def step(self) -> None:
        self.reported.append("step")


def run(store: ResultStore, *jobs: PlannedJob) -> Tally:
    tally = Tally()
    run_campaign(jobs, store, tally, workers=2)
    return tally


def test_finished_jobs_are_stored_and_not_done_again(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    first = run(store, job("a"), job("b", "-O2"))
    assert (first.planned, first.already_done, first.finished, first.left(store)) == (2, 0, 2, 0)
    assert store.done() == {"a", "b"}
    again = run(store, job("a"), job("b", "-O2"), job("c", "-O3"))
    assert (again.planned, again.already_done, again.finished, again.left(store)) == (3, 2, 1, 0)
    cut = store.job_files()[1]  # as a failing disk or a copy that was cut off leaves it
    cut.write_bytes(cut.read_bytes()[:100])
    repaired = run(store, job("a"), job("b", "-O2"), job("c", "-O3"))
    assert (repaired.already_done, repaired.finished) == (2, 1)
    with open_results(store) as results:
        rows = results.query("SELECT job, m, cycles FROM measurements ORDER BY job, m").to_pylist()
    assert rows == [
        {"job": key, "m": m, "cycles": 1000 + m} for key in ("a", "b", "c") for m in (8, 16)
    ]


def test_a_job_that_is_planned_twice_is_done_once(tmp_path: Path) -> None:
    tally = run(ResultStore(tmp_path), job("a"), job("a"))
    assert tally.planned == tally.finished == 1


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        ("-Ddie", "the process that measured it died: it was killed (SIGKILL"),
        ("-Drefuse", "flag 'refuse' is not allowed in a measurement"),
        (
            "-Dfail",
            "Pennyweight itself failed on this job (ZeroDivisionError: a fault of Pennyweight)",
        ),
    ],
)
def test_a_lost_job_is_recorded_and_tried_again(tmp_path: Path, flags: str, reason: str) -> None:
    store = ResultStore(tmp_path)
    tally = run(store, job("a"), job("lost", flags), job("b", "-O2"))
    assert (tally.finished, tally.lost, tally.left(store)) == (2, 1, 1)
    assert store.done() == {"a", "b"}
    with open_results(store) as results:
        rows = results.query("SELECT status, reason, cycles FROM latest WHERE lost").to_pylist()
    assert len(rows) == len(CASES)
    assert rows[0]["status"] == "skipped" and reason in rows[0]["reason"]
    outcomes = outcomes_of(store, tally.jobs)
    assert outcomes.failed_jobs == 1 and outcomes.sentence() == "1 job failed"
    assert outcomes.failures[0].sentence().startswith(f"toy/ref on stm32f030 {flags}: skipped; ")
    repaired = run(store, job("a"), job("lost", "-O1"), job("b", "-O2"))
    assert (repaired.already_done, repaired.finished, repaired.lost) == (2, 1, 0)
    assert outcomes_of(store, repaired.jobs).sentence() == "no job failed"


def test_the_calls_of_a_job_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def tasks(given: Iterable[Task], _workers: int, started: Any, counted: Any) -> Iterator[Any]:
        for task in given:
            started(task)
            counted(task, Count(1234, "calls"))
            yield Outcome(task, error=UserError("gone"))

    monkeypatch.setattr(engine, "run_tasks", tasks)
    watcher, only = Watcher(), job("a")
    list(run_jobs([only], 1, watcher))
    assert watcher.reported == ["start 1", only.title, f"1,234 calls, {only.title}", "step"]


def test_a_skipped_job_is_done_and_no_failure(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    tally = run(store, job("a"), job("skipped", "-Dskip"))
    assert (tally.finished, tally.lost) == (2, 0)
    outcomes = outcomes_of(store, tally.jobs)
    assert outcomes.sentence() == "no job failed, 1 skipped"
    assert outcomes.skipped == {"skipped"} and not outcomes.is_complete


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_cache_is_reported_with_its_path_and_a_remedy(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "cache"
    folder.mkdir()
    full = OSError(number, "No space left on device", str(folder / "objects" / "a"))
    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(folder))
    monkeypatch.setattr(
        engine, "run_tasks", lambda tasks, *_: (Outcome(t, error=full) for t in tasks)
    )
    store = ResultStore(tmp_path / "results")
    tally = run(store, job("a"))
    assert (tally.lost, tally.left(store)) == (1, 1)
    [failure] = outcomes_of(store, tally.jobs).failures
    assert f"the disk of the cache ({folder}) is full: free some space" in failure.sentence()
    assert "report this" not in failure.sentence()


def test_progress_is_reported(tmp_path: Path) -> None:
    watcher = Watcher()
    assert len(list(run_jobs([job("a"), job("b", "-O2")], 1, watcher))) == 2
    assert watcher.reported == [
        "start 2",
        "toy/ref on stm32f030 -Os",
        "toy/ref on stm32f030 -O2",
        "step",
        "step",
    ]


def test_a_folder_that_cannot_be_written_is_reported_before_anything_runs(tmp_path: Path) -> None:
    (tmp_path / "results").write_text("a file")
    with pytest.raises(UserError, match="cannot create this folder"):
        run(ResultStore(tmp_path / "results"), job("a", "-Ddie"))


def test_a_full_disk_stops_the_campaign_with_a_sentence_and_keeps_what_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = ResultStore(tmp_path)
    run(store, job("a"))

    def full(*_: object) -> None:
        raise UserError("results/jobs/b.parquet: cannot write this file; the disk is full.")

    monkeypatch.setattr(ResultStore, "add", full)
    with pytest.raises(UserError, match="the disk is full"):
        run(store, job("a"), job("b", "-Dsleep=0.1"), job("c", "-Dsleep=30"))
    assert store.done() == {"a"}


SCRIPT = """
import sys
import pool_examples
from packages_for_tests import board, toy
from pennyweight.campaign import engine
from pennyweight.campaign.engine import Tally, run_campaign
from pennyweight.campaign.plan import PlannedJob
from pennyweight.model import Case, Operation
from pennyweight.store import ResultStore

engine.run_job = pool_examples.measure
cases = (Case(Operation.ENC, 0, 8),)
part = board("stm32f030")
flags = [f"-Dsleep=0.{n % 3}5" for n in range(24)]
jobs = [PlannedJob(toy("ref"), part, f, cases, key=f"j{n:02}") for n, f in enumerate(flags)]
tally, store = Tally(), ResultStore(sys.argv[1])
try:
    run_campaign(jobs, store, tally, workers=2)
except KeyboardInterrupt:
    print("left", tally.left(store))
"""


def campaign(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", f"import sys; sys.path = {sys.path!r}\n{SCRIPT}", str(folder)],
        stdout=subprocess.PIPE,
        text=True,
    )


def wait_for_jobs(store: ResultStore, count: int) -> None:
    deadline = time.monotonic() + 60
    while len(store.done()) < count:
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_stopped_campaign_loses_no_finished_job_and_continues(
    tmp_path: Path, number: signal.Signals
) -> None:
    store = ResultStore(tmp_path)
    with campaign(tmp_path) as process:
        wait_for_jobs(store, 5)
        start = time.monotonic()
        process.send_signal(number)
        output, _ = process.communicate(timeout=20)
        assert time.monotonic() - start < 2.0
    kept = store.done()
    assert 5 <= len(kept) < 24
    if number is signal.SIGINT:
        assert output.strip() == f"left {24 - len(kept)}"
    with open_results(store) as results:
        assert results.remarks == []
        assert results.query("SELECT DISTINCT job FROM measurements").num_rows == len(kept)
    with campaign(tmp_path) as process:
        process.communicate(timeout=60)
    assert len(store.done()) == 24


def test_two_campaigns_in_one_folder_do_not_disturb_each_other(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    with campaign(tmp_path) as one, campaign(tmp_path) as other:
        assert one.wait(120) == 0 and other.wait(120) == 0
    assert len(store.done()) == 24
    with open_results(store) as results:
        assert results.remarks == []
        assert results.query("SELECT * FROM measurements").num_rows == 24
    assert not list(tmp_path.rglob("*.tmp"))
