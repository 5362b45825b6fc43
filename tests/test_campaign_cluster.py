"""A campaign on a Dask cluster on this machine: a scheduler, workers, one of them killed."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from packages_for_tests import ARM, at, board, copied, enc
from pennyweight import api, cache
from pennyweight.api.listing import choose_implementations
from pennyweight.campaign import shipping
from pennyweight.campaign.cluster import Cluster
from pennyweight.campaign.engine import Tally, run_campaign, run_jobs
from pennyweight.campaign.plan import planned
from pennyweight.job import Job
from pennyweight.model import UserError
from pennyweight.pool import Task
from pennyweight.store import ResultStore
from pennyweight.store.reading import open_results

STUDY = """
id = "clustered"
title = "Twelve small jobs"
boards = ["atmega328p", "stm32f030"]
algorithms = ["sha-256"]
flags = ["-Os", "-O1", "-O2"]
verify = "quick"

[[implementations]]
bits = [8, 32]
names = ["sha-256/fast32", "sha-256/small"]

[[cases]]
name = "curve"
kind = "hash"
m = { from = 0, to = 640, step = 8 }
"""
SOON = 120


def start(*words: str, cache: Path | None = None) -> subprocess.Popen[bytes]:
    """A part of Dask; a worker with a cache of its own has no disk in common with the others."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    if cache is not None:
        environment["PENNYWEIGHT_CACHE"] = str(cache)
    return subprocess.Popen(
        [sys.executable, "-m", *words],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def stop(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler's address, its three workers and itself."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    with ExitStack() as stack:
        words = ("--host", "127.0.0.1", "--port", str(port), "--no-dashboard", "--no-show")
        scheduler = start("distributed.cli.dask_scheduler", *words)
        stack.callback(stop, scheduler)
        workers = []
        for number in range(3):
            folder = tmp_path / f"worker {number}"
            folder.mkdir()
            options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
            where = ("--local-directory", str(folder))
            workers.append(
                start("distributed.cli.dask_worker", address, *options, *where, cache=folder)
            )
            stack.callback(stop, workers[-1])
        yield address, [*workers, scheduler]


def measured(store: ResultStore) -> list[dict[str, object]]:
    """All measurements with their origin, without times."""
    with open_results(store) as results:
        assert results.remarks == []
        rows: list[dict[str, object]] = results.query(
            "SELECT * EXCLUDE (host_time) FROM measurements ORDER BY job, op, ad, m"
        ).to_pylist()
    return rows


def test_a_cluster_gives_what_this_machine_gives_though_a_worker_is_killed(
    cluster: tuple[str, list[subprocess.Popen[bytes]]], tmp_path: Path
) -> None:
    address, workers = cluster
    study = tmp_path / "study.toml"
    study.write_text(STUDY, encoding="utf-8")
    far = ResultStore(tmp_path / "far")
    words = ("run", "--study", str(study), "--results", str(far.folder), "--dask", address)
    campaign = subprocess.Popen(
        [sys.executable, "-m", "pennyweight", *words],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + SOON
    while len(far.done()) < 2:
        assert time.monotonic() < deadline and campaign.poll() is None
        time.sleep(0.02)
    workers[0].send_signal(signal.SIGKILL)
    _, output = campaign.communicate(timeout=300)
    assert campaign.returncode == 0, output
    assert "12 jobs, 12 done now: no job failed" in output and "Traceback" not in output
    assert far.lost_files() == []
    near = ResultStore(tmp_path / "near")
    api.run(str(study), near.folder)
    assert measured(far) == measured(near) and len(measured(near)) == 12 * 81


def test_a_users_package_travels_and_one_that_cannot_be_built_stays(
    cluster: tuple[str, list[subprocess.Popen[bytes]]], tmp_path: Path
) -> None:
    address, _ = cluster
    good = at(copied(tmp_path / "mine"))
    folder = copied(tmp_path / "other")
    (folder / "encrypt.c").unlink()
    (folder / "encrypt.c").symlink_to("/etc/passwd")
    jobs = [planned(Job(each, board(ARM), "-Os", [enc(0, 16)])) for each in (good, at(folder))]
    with Cluster(address) as connection:
        ended = {each.job.key: each.result for each in run_jobs(jobs, cluster=connection)}
    assert [ended[job.key].measurements[0].status for job in jobs] == ["ok", "build failed"]
    assert "link that points out" in ended[jobs[1].key].measurements[0].reason
    homes = [tmp_path / f"worker {number}" / "shipped" for number in range(3)]
    assert sum(home.is_dir() for home in homes) == 1


def test_a_task_that_kills_every_worker_is_given_up(
    cluster: tuple[str, list[subprocess.Popen[bytes]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    address, _ = cluster
    monkeypatch.setattr("pennyweight.campaign.cluster._PATIENCE_SECONDS", 1.0)
    reported = "there has been no worker for 1 s; finished jobs are kept"
    with Cluster(address) as connection, pytest.raises(UserError, match=reported):
        list(connection.run([Task("deadly", os._exit, (1,))]))


def test_a_scheduler_that_dies_is_one_sentence_and_nothing_is_lost(
    cluster: tuple[str, list[subprocess.Popen[bytes]]], tmp_path: Path
) -> None:
    address, processes = cluster
    study = tmp_path / "study.toml"
    study.write_text(STUDY, encoding="utf-8")
    store = ResultStore(tmp_path / "far")
    words = ("run", "--study", str(study), "--results", str(store.folder), "--dask", address)
    with subprocess.Popen(
        [sys.executable, "-m", "pennyweight", *words],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stderr=subprocess.PIPE,
        text=True,
    ) as campaign:
        deadline = time.monotonic() + SOON
        while not store.done():
            assert time.monotonic() < deadline and campaign.poll() is None
            time.sleep(0.02)
        processes[-1].kill()
        _, output = campaign.communicate(timeout=60)
    assert campaign.returncode == 2
    assert output == (
        "pennyweight: the scheduler no longer answers; finished jobs are kept, and the same "
        "command continues\n"
    )
    assert store.done() and store.lost_files() == []


def refuse_unless(home: str) -> str:
    """A job that only the worker with this cache can do, after a moment; others refuse at once."""
    if os.environ["PENNYWEIGHT_CACHE"] != home:
        error = shipping.OtherFilesError("another version")
        shipping.note_worker(error)
        raise error
    time.sleep(0.2)
    return home


def fail_on(home: str) -> str:
    """A job that one worker has no room for; there it ends at once."""
    if os.environ["PENNYWEIGHT_CACHE"] == home or home == "everywhere":
        error = OSError(28, "No space left on device")
        shipping.note_worker(error)
        raise error
    time.sleep(0.2)
    return "done"


def test_a_worker_that_refuses_jobs_does_not_take_them_from_the_others(
    cluster: tuple[str, list[subprocess.Popen[bytes]]], tmp_path: Path
) -> None:
    """It may have come late, with another version: it is free at once, all the time."""
    address, _ = cluster
    home = str(tmp_path / "worker 1")
    tasks = [Task(str(number), refuse_unless, (home,)) for number in range(8)]
    rejected = Task("rejected", refuse_unless, ("elsewhere",))
    with Cluster(address) as connection:
        connection._client.wait_for_workers(3)
        outcomes = {each.task.key: each for each in connection.run([*tasks, rejected])}
    assert [outcomes[str(number)].value for number in range(8)] == [home] * 8
    assert isinstance(outcomes["rejected"].error, shipping.OtherFilesError) and len(outcomes) == 9


def test_a_worker_that_fails_at_all_jobs_does_not_take_them_from_the_others(
    cluster: tuple[str, list[subprocess.Popen[bytes]]], tmp_path: Path
) -> None:
    """Its disk is full, or it came while all were at work, without Pennyweight."""
    address, _ = cluster
    tasks = [Task(str(number), fail_on, (str(tmp_path / "worker 1"),)) for number in range(8)]
    never = Task("never", fail_on, ("everywhere",))
    shadow = tmp_path / "shadow"
    shadow.mkdir()
    (shadow / "pennyweight.py").write_text("raise ImportError('not installed here')")
    with Cluster(address) as connection, ExitStack() as stack:
        connection._client.wait_for_workers(3)
        words = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
        without = subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_worker", address, *words],
            cwd=shadow,
            env={**os.environ, "PYTHONPATH": str(shadow)},
            stderr=subprocess.DEVNULL,
        )
        stack.callback(stop, without)
        connection._client.wait_for_workers(4)
        outcomes = {each.task.key: each for each in connection.run([*tasks, never])}
    assert [outcomes[str(number)].value for number in range(8)] == ["done"] * 8
    assert isinstance(outcomes["never"].error, OSError) and len(outcomes) == 9


class Hiccups:
    """A client whose requests to the workers fail as specified, in turn, before they arrive."""

    def __init__(self, *troubles: Exception, whole: bool) -> None:
        self.troubles = list(troubles)
        self.whole = whole
        self.questions = 0

    def nthreads(self) -> dict[str, int]:
        return {"tcp://late": 1}

    def run(self, question: Callable[[], object], **_: object) -> dict[str, object]:
        self.questions += 1
        if not self.troubles:
            return {"tcp://late": question()}
        trouble = self.troubles.pop(0)
        if self.whole:
            raise trouble
        return {"tcp://late": trouble}


@pytest.mark.parametrize(
    ("client", "questions", "found"),
    [
        (Hiccups(*[RuntimeError("not started yet")] * 4, whole=True), 5, 1),
        (Hiccups(OSError("refused"), TimeoutError(), whole=False), 3, 1),
        (Hiccups(*[OSError("refused")] * 9, whole=False), 3, 0),
        (Hiccups(ImportError("no Pennyweight"), whole=False), 1, 0),
    ],
)
def test_a_worker_that_could_not_answer_is_asked_again(
    client: Hiccups, questions: int, found: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pennyweight.campaign.cluster._LOOK_SECONDS", 0.01)
    connection = Cluster.__new__(Cluster)
    connection._client, connection._lock = client, threading.Lock()
    connection._asked, connection._same_version, connection._tries = set(), set(), {}
    deadline = time.monotonic() + 10
    while len(connection._workers()) < found or client.questions < questions:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    for _ in range(20):
        connection._workers()
        time.sleep(0.005)
    assert (client.questions, len(connection._workers())) == (questions, found)


def test_an_invalid_address_and_one_without_a_scheduler_are_reported() -> None:
    with pytest.raises(UserError, match="'localhost' is not an address; use tcp://"):
        Cluster("localhost")
    with pytest.raises(UserError, match="there is no scheduler at bolt://nowhere"):
        Cluster("bolt://nowhere")


def test_without_dask_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UserError, match=r"--require-hashes -r requirements/cluster\.txt"):
        Cluster("tcp://127.0.0.1:1")


def test_a_package_arrives_without_its_disk(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    job = planned(Job(at(folder), board(ARM), "-Os", [enc(0, 16), enc(4, 8)]))
    travelling = shipping.ship(job)
    assert travelling is not None and travelling.package is not None
    shutil.rmtree(folder)
    there = shipping.measure_shipped(travelling)
    assert [row.status for row in there.measurements] == ["ok", "ok"]
    assert there.provenance.job == job.key
    assert cache.folder() in shipping.arrive(travelling).folder.parents


def test_a_package_keeps_its_place_in_a_tree_however_deep(tmp_path: Path) -> None:
    """SUPERCOP's folders are nested; their names are the implementation's."""
    folder = copied(tmp_path)
    nested = folder.parent / "core" / "x86" / "v1"
    nested.parent.mkdir(parents=True)
    folder.rename(nested)
    (nested / "implementation.toml").write_text('include = ["../../../../../common"]\n')
    job = planned(Job(at(nested), board(ARM), "-Os", [enc(0, 16)]))
    travelling = shipping.ship(job)
    assert travelling is not None and travelling.implementation == "toy/core-x86-v1"
    there = shipping.measure_shipped(travelling)
    assert (there.provenance.job, there.measurements[0].status) == (job.key, "ok")


def test_a_machine_with_other_files_refuses_and_shows_which(tmp_path: Path) -> None:
    [bundled] = choose_implementations(shipping._catalogue(), ["sha-256/small"])
    job = planned(Job(bundled, board(ARM), "-Os", []))
    travelling = shipping.ship(job)
    assert travelling is not None and travelling.package is None
    other = replace(travelling, key="0" * 64, parts={**travelling.parts, "compiler": "another"})
    with pytest.raises(
        UserError, match=r"has different files from the .*: it differs in the compiler; inst"
    ):
        shipping.measure_shipped(other)
    nameless = replace(travelling, implementation="sha-256/none")
    with pytest.raises(UserError, match="sha-256"):
        shipping.measure_shipped(nameless)


def test_what_a_worker_refuses_is_lost_and_reported(tmp_path: Path) -> None:
    """As the engine sees it: a UserError of a worker is the job's reason."""

    class Refusing:
        def run(self, tasks: object, started: object) -> Iterator[object]:
            from pennyweight.pool import Outcome

            for task in tasks:  # type: ignore[attr-defined]
                yield Outcome(task, error=UserError("far away has other files"))

    [bundled] = choose_implementations(shipping._catalogue(), ["sha-256/small"])
    cases = [enc(0, 0)]
    tally, store = Tally(), ResultStore(tmp_path)
    job = planned(Job(bundled, board(ARM), "-Os", cases))
    run_campaign([job], store, tally, cluster=Refusing())  # type: ignore[arg-type]
    assert (tally.lost, tally.finished) == (1, 0)
    with open_results(store) as results:
        [row] = results.query("SELECT reason FROM measurements WHERE lost").to_pylist()
    assert row["reason"] == "far away has other files"
