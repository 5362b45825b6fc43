"""`pennyweight run` with real compilers and simulators, and what can happen to it."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pennyweight.store import ResultStore
from pennyweight.store.reading import open_results

STUDY = """
id = "faults"
title = "Sixteen small jobs"
boards = ["atmega328p", "stm32f030"]
algorithms = ["sha-256"]
flags = ["-Os", "-O1", "-O2", "-O3"]
verify = "quick"

[[implementations]]
bits = [8, 32]
names = ["sha-256/fast32", "sha-256/small"]

[[cases]]
name = "curve"
kind = "hash"
m = { from = 0, to = 640, step = 8 }
"""
JOBS = 16
SOON = 120
"""Seconds within which something has happened, however busy the machine is."""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    path = tmp_path / "faults.toml"
    path.write_text(STUDY, encoding="utf-8")
    return path


def start(study: Path, results: Path, limit: int | None = None) -> subprocess.Popen[str]:
    """A campaign in a process of its own; `limit` is the most bytes that it may write to a file."""

    def restrict() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    words = ["run", "--study", str(study), "--results", str(results), "--jobs", "2"]
    return subprocess.Popen(
        [sys.executable, "-m", "pennyweight", *words],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=restrict,
    )


def finish(process: subprocess.Popen[str]) -> str:
    """The text on standard error."""
    _, output = process.communicate(timeout=600)
    assert "Traceback" not in output
    return output


def workers_of(process: subprocess.Popen[str]) -> list[int]:
    """The workers' process numbers."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                command = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if parent == process.pid and b"pool.worker" in command:
                found.append(int(folder.name))
    return found


def is_running(number: int) -> bool:
    """Whether a process is running and not only waiting to be collected by its parent."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for(store: ResultStore, jobs: int, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + SOON
    while len(store.done()) < jobs:
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.01)


def whole(store: ResultStore, killed: bool = False) -> int:
    """The number of stored jobs, whose files must all be readable and complete.

    A process that was killed while writing may leave a temporary file.
    """
    assert killed or not list(store.folder.rglob("*.tmp"))
    with open_results(store) as results:
        assert results.remarks == []
        rows = results.query(
            "SELECT job, count(*) AS n FROM measurements WHERE NOT lost GROUP BY job"
        ).to_pylist()
    assert {row["n"] for row in rows} <= {81}
    return len(rows)


def test_a_killed_worker_costs_one_job_which_the_next_run_does(study: Path, tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "results")
    with start(study, store.folder) as process:
        wait_for(store, 1, process)
        victim = workers_of(process)[0]
        os.kill(victim, signal.SIGKILL)
        reported = finish(process)
    assert process.returncode == 1
    assert "it was killed (SIGKILL: by hand, or because memory ran out)" in reported
    assert whole(store) == JOBS - 1 and len(store.lost_files()) == 1
    with start(study, store.folder) as process:
        reported = finish(process)
    assert process.returncode == 0 and "16 jobs, 1 done now: no job failed" in reported
    assert whole(store) == JOBS and store.lost_files() == []


def test_killing_the_campaign_loses_no_finished_job(study: Path, tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "results")
    with start(study, store.folder) as process:
        wait_for(store, 2, process)
        workers = workers_of(process)
        process.kill()
        process.communicate(timeout=SOON)
    kept = store.done()
    assert 2 <= len(kept) < JOBS
    deadline = time.monotonic() + 2.0
    while any(is_running(worker) for worker in workers):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    with start(study, store.folder) as process:
        reported = finish(process)
    assert f"16 jobs, {JOBS - len(kept)} done now: no job failed" in reported
    assert whole(store, killed=True) == JOBS


def test_a_full_disk_is_reported_in_a_sentence_and_the_next_run_continues(
    study: Path, tmp_path: Path
) -> None:
    """The operating system refuses to write a result: 2,000 bytes are too few for one."""
    with start(study, tmp_path / "builds are in the cache now") as process:
        finish(process)
    store = ResultStore(tmp_path / "results")
    with start(study, store.folder, limit=2000) as process:
        reported = finish(process)
    assert process.returncode == 2
    assert len(reported.strip().splitlines()) == 1, reported
    assert "cannot write this file; " in reported and "finished jobs are kept" in reported
    assert whole(store) == 0
    with start(study, store.folder) as process:
        assert "no job failed" in finish(process)
    assert whole(store) == JOBS


def test_two_campaigns_at_once_in_one_folder_share_the_work(study: Path, tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "results")
    with start(study, store.folder) as one, start(study, store.folder) as other:
        reported = [finish(one), finish(other)]
    assert all("no job failed" in each for each in reported)
    assert (one.returncode, other.returncode) == (0, 0)
    assert whole(store) == JOBS
    assert sum(int(each.split(" jobs, ")[1].split()[0]) for each in reported) == JOBS


def test_one_of_two_campaigns_is_killed_and_the_other_does_what_it_was_at(
    study: Path, tmp_path: Path
) -> None:
    store = ResultStore(tmp_path / "results")
    with start(study, store.folder) as one, start(study, store.folder) as other:
        wait_for(store, 1, one)
        one.kill()
        reported = finish(other)
    assert other.returncode == 0 and "16 jobs, " in reported and "no job failed" in reported
    assert whole(store, killed=True) == JOBS
