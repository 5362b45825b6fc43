"""Claims: who does what where two campaigns work in one folder."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from packages_for_tests import ARM, board, toy
from pennyweight.campaign import job_queue
from pennyweight.campaign.job_queue import JobQueue, Ownership
from pennyweight.campaign.plan import PlannedJob
from pennyweight.progress import Silent
from pennyweight.store import claims
from pennyweight.store.claims import Claims

HOLDER = """
import sys
from pathlib import Path
from pennyweight.store.claims import Claims
with Claims(Path(sys.argv[1])) as claims:
    print(claims.take(sys.argv[2]), flush=True)
    sys.stdin.read()
"""


@contextmanager
def another(folder: Path, job: str) -> Iterator[subprocess.Popen[str]]:
    """A process that has claimed a job and is at it."""
    command = [sys.executable, "-c", HOLDER, str(folder), job]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": ":".join(filter(None, sys.path))},
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "True\n"
        try:
            yield process
        finally:
            process.kill()


def test_a_claim_keeps_others_away_until_its_process_ends_however_that_is(tmp_path: Path) -> None:
    with Claims(tmp_path) as mine:
        with another(tmp_path, "a") as process:
            assert not mine.take("a") and mine.take("b")
            process.kill()
            process.wait()
            assert mine.take("a")
        mine.release("a")
        with another(tmp_path, "a"):
            assert not mine.take("a")
    assert [path.name for path in tmp_path.iterdir()] == [claims.FILE]


def test_where_there_are_no_locks_every_claim_is_granted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Claims(tmp_path / "nowhere") as mine:
        assert mine.take("a")
        mine.release("a")

    def refuse(*_: object) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr("fcntl.lockf", refuse)
    with Claims(tmp_path) as mine:
        assert mine.take("a")
        mine.release("a")


def test_jobs_of_another_campaign_are_checked_again_for_a_limited_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    jobs = [PlannedJob(toy("ref"), board(ARM), "-Os", key=name) for name in ("a", "b", "c")]
    whose = {"a": Ownership.OWN, "b": Ownership.ELSEWHERE, "c": Ownership.ELSEWHERE}
    left = JobQueue(jobs, lambda job: whose[job.key], Silent())

    def own() -> list[str]:
        found = [job.key for job in left.take_own()]
        left.pause()
        return found

    assert own() == ["a"] and [job.key for job in left.jobs] == ["b", "c"]
    whose["b"] = Ownership.DONE
    assert own() == [] and [job.key for job in left.jobs] == ["c"]
    now[0] = job_queue._PATIENCE_SECONDS
    left.note_progress()  # our own last job took so long
    assert own() == [] and [job.key for job in left.jobs] == ["c"]
    now[0] += job_queue._PATIENCE_SECONDS - 1
    assert own() == [] and [job.key for job in left.jobs] == ["c"]
    now[0] += 1
    assert own() == ["c"] and left.jobs == []
