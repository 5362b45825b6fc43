"""`status` and `gc`: finished jobs, missing jobs, and unreferenced files."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cli_runs import Command, runner
from example_results import failed_result, job_result
from pennyweight import cache
from pennyweight.model import JobResult, Status
from pennyweight.store import ResultStore
from pennyweight.store.garbage import find_garbage, remove

OLD = datetime(2024, 5, 17, tzinfo=UTC)
NEW = datetime(2024, 5, 18, tzinfo=UTC)

STUDY = """
id = "small"
title = "A small study"
boards = ["atmega328p", "stm32f030"]
algorithms = ["sha-256"]
flags = ["-Os"]

[[implementations]]
bits = [8, 32]
names = ["sha-256/fast32"]

[[cases]]
name = "one"
kind = "hash"
m = 64
"""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


@pytest.fixture
def study(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(STUDY, encoding="utf-8")
    return path


def test_status_shows_what_is_done_to_do_and_failed(
    run: Command, study: Path, tmp_path: Path
) -> None:
    results = tmp_path / "our results"
    words = ("status", "--study", study, "--results", results)
    before = run(*words, "--format", "json")
    assert before.status == 0 and not results.exists()
    assert [(r["board"], r["jobs"], r["done"], r["to_do"]) for r in before.rows] == [
        ("atmega328p", 1, 0, 1),
        ("stm32f030", 1, 0, 1),
    ]
    assert f"2 jobs to do; run: pennyweight run --study {study} --results '{results}'" in before.err
    assert run("run", "--study", study, "--results", results).status == 0
    after = run(*words, "--format", "json")
    assert {(r["done"], r["to_do"], r["failed"]) for r in after.rows} == {(1, 0, 0)}
    assert after.err == ""
    text = STUDY.replace('["sha-256/fast32"]', '["sha-256/fast32", "sha-256/small"]')
    study.write_text(text, encoding="utf-8")
    more = run(*words, "--format", "json")
    assert {(r["done"], r["to_do"]) for r in more.rows} == {(1, 1)}


def test_results_that_cannot_be_read_are_done_again(
    run: Command, study: Path, tmp_path: Path
) -> None:
    """They are whole at both ends: only who reads all of them sees that they are not."""
    words = ("--study", study, "--results", tmp_path / "results")
    assert run("run", *words).status == 0
    for kind, choose in (("jobs", min), ("symbols", max)):
        file = choose((tmp_path / "results" / kind).iterdir())
        content = file.read_bytes()
        file.write_bytes(content[:40] + bytes(40) + content[80:])
    assert "2 jobs to do" in run("status", *words).err
    again = run("run", *words)
    assert again.status == 0 and "2 jobs, 2 done now: no job failed" in again.err
    assert run("status", *words).err == ""


def test_status_shows_why_a_job_failed(
    run: Command, study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pennyweight.campaign.plan import plan_study
    from pennyweight.catalogue import load
    from pennyweight.studies import read_study

    keys = [job.key for job in plan_study(read_study(study), load()).jobs]
    store = ResultStore(tmp_path / "results")
    bad = failed_result("sha-256", "atmega328p", "-Os", "fast32", Status.BUILD_FAILED, "x.c:1: no")
    store.add(JobResult(replace(bad.provenance, job=keys[0]), bad.measurements))
    gone = failed_result("sha-256", "stm32f030", "-Os", "fast32", Status.SKIPPED, "killed")
    store.add_lost(JobResult(replace(gone.provenance, job=keys[1]), gone.measurements))
    output = run("status", "--study", study, "--results", store.folder)
    assert output.status == 1
    assert "sha-256/fast32 on atmega328p -Os: build failed; x.c:1: no" in output.err
    lines = [line.split() for line in output.out.splitlines()[2:]]
    assert lines == [
        ["atmega328p", "1", "1", "0", "1", "0", "0"],
        ["stm32f030", "1", "0", "1", "0", "0", "1"],
    ]
    skipped = replace(bad.measurements[0], status=Status.SKIPPED, reason="gcc is not installed")
    store.add(JobResult(replace(bad.provenance, job=keys[0]), [skipped]))
    output = run("status", "--study", study, "--results", store.folder)
    assert output.status == 1
    assert "sha-256/fast32 on atmega328p -Os: skipped; gcc is not installed" in output.err
    [line, _] = [line.split() for line in output.out.splitlines()[2:]]
    assert line == ["atmega328p", "1", "1", "0", "0", "1", "0"]


def renamed(result: JobResult, job: str, sources: str) -> JobResult:
    return replace(result, provenance=replace(result.provenance, job=job, sources_sha256=sources))


def test_what_newer_sources_supersede_is_garbage_unless_a_campaign_planned_it(
    tmp_path: Path,
) -> None:
    store = ResultStore(tmp_path)
    store.add(renamed(job_result("sha-256"), "old", "a"), OLD)
    store.add(renamed(job_result("sha-256"), "new", "b"), NEW)
    store.add(renamed(job_result("ascon-hash256"), "other", "c"), OLD)
    found = find_garbage(store)
    assert {(each.path.parent.name, each.path.stem) for each in found} == {
        ("jobs", "old"),
        ("symbols", "old"),
    }
    store.add_campaign(
        "mine", {"id": "mine", "jobs": ["old"], "started": "2024-05-17T00:00:00+00:00"}
    )
    store.add_campaign(
        "more", {"id": "more", "jobs": ["new"], "started": "2024-05-18T00:00:00+00:00"}
    )
    assert find_garbage(store) == []
    store.add_campaign("mine", {"id": "mine", "jobs": ["new"]})
    remove(store, find_garbage(store))
    assert store.done() == {"new", "other"}
    assert {path.stem for path in store.symbol_files()} == {"new", "other"}
    assert find_garbage(store) == []


def test_what_a_dead_process_was_writing_is_garbage_and_what_is_being_written_is_not(
    tmp_path: Path,
) -> None:
    store = ResultStore(tmp_path)
    store.add(renamed(job_result("sha-256"), "done", "a"), OLD)
    store.add_lost(renamed(job_result("sha-256"), "done", "a"), OLD)
    old, fresh = (
        tmp_path / "jobs" / f".{name}.parquet.0123456789ab.tmp" for name in ("old", "fresh")
    )
    orphan = tmp_path / "symbols" / "orphan.parquet"
    other = [tmp_path / "src" / ".a.c.0123456789ab.tmp", tmp_path / ".editor.tmp"]
    other[0].parent.mkdir()
    for path in (old, fresh, orphan, *other):
        path.write_bytes(b"x" * 10)
    assert {each.why for each in find_garbage(store)} == {"lost job, done since"}
    an_hour_ago = time.time() - 4000
    for path in (old, orphan, *other):
        os.utime(path, (an_hour_ago, an_hour_ago))
    found = {each.path.name: (each.why, each.bytes) for each in find_garbage(store)}
    assert found.pop("done.parquet")[0] == "lost job, done since"
    assert found == {
        old.name: ("partially written", 10),
        "orphan.parquet": ("symbols of a missing job", 10),
    }


HALF = (
    "import sys\nfrom pathlib import Path\nfrom pennyweight import cache\n"
    "def make(folder):\n"
    "    (folder / 'half').write_bytes(bytes(10))\n"
    "    print(folder, flush=True)\n"
    "    sys.stdin.read()\n"
    "cache.fill('builds', 'ab' + '1' * 62, make)\n"
)


def test_gc_clears_what_a_dead_process_was_making_and_not_what_a_living_one_is(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(tmp_path / "cache"))
    path = os.pathsep.join(filter(None, sys.path))
    with subprocess.Popen(
        [sys.executable, "-c", HALF],
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as maker:
        assert maker.stdout is not None
        half = Path(maker.stdout.readline().strip())
        a_minute_ago = time.time() - 60
        os.utime(half, (a_minute_ago, a_minute_ago))
        words = ("gc", "--results", tmp_path / "results")
        assert "Nothing to remove." in run(*words, "--days", 0).err
        assert (half / "half").is_file()
        maker.kill()
    output = run(*words)
    assert "its process died" in output.out and not half.exists()


def test_gc_spares_compilers_and_what_a_run_may_need(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(tmp_path / "cache"))
    key = "ab" + "0" * 62
    cache.write("verdicts", key, b"wanted")
    compiler = tmp_path / "cache" / "toolchains" / "a-gcc" / "bin"
    compiler.mkdir(parents=True)
    long_ago = time.time() - 400 * 86_400
    os.utime(compiler, (long_ago, long_ago))
    words = ("gc", "--results", tmp_path / "results", "--days", 0)
    with cache.in_use():
        assert "A run is in progress" in run(*words).err
        assert cache.read("verdicts", key) == b"wanted"
    assert "removed." in run(*words).err
    assert cache.read("verdicts", key) is None
    assert compiler.is_dir()


def test_gc_spares_what_others_keep_in_the_folder_of_the_cache(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If PENNYWEIGHT_CACHE is set to a folder with other files, these files are kept."""
    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(tmp_path))
    other = [tmp_path / "2020" / "thesis" / "main.tex", tmp_path / "objects" / "ab" / ("1" * 38)]
    bundled = [
        tmp_path / room / name
        for room, name in (
            ("builds", f"ab/{'0' * 62}"),
            ("figures", f"cd/{'1' * 62}-wide"),
            ("packs", f"{'2' * 32}/{'3' * 32}"),
            ("stores", f"{'2' * 32}/jobs"),
            ("choose", f"jobs/{'4' * 64}.parquet"),
        )
    ]
    long_ago = time.time() - 400 * 86_400
    for path in (*other, *bundled):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
        os.utime(path, (long_ago, long_ago))
    assert "5 bytes removed." in run("gc", "--results", tmp_path / "results").err
    assert all(path.exists() for path in other) and not any(path.exists() for path in bundled)


def test_a_cache_that_cannot_be_written_is_one_folder_of_this_user_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("PENNYWEIGHT_CACHE", "/proc/nowhere")
    cache._usable.cache_clear()
    own = cache.folder()
    assert own.parent == tmp_path and own.stat().st_mode & 0o777 == 0o700
    cache._usable.cache_clear()
    assert cache.folder() == own
    own.chmod(0o777)  # of another user, or open to all
    cache._usable.cache_clear()
    assert cache.folder() != own
    cache._usable.cache_clear()


def test_a_user_without_an_account_has_a_cache_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a container that is run by any number there is neither HOME nor an entry of that user."""

    def unknown(_: str) -> Path:
        raise RuntimeError("could not determine the home directory")

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.delenv("PENNYWEIGHT_CACHE", raising=False)
    monkeypatch.setattr("platformdirs.user_cache_path", unknown)
    cache._fallback_folder.cache_clear()
    assert cache.folder() == cache.folder() and cache.folder().parent == tmp_path
    cache._fallback_folder.cache_clear()


def test_gc_clears_results_and_cache_and_only_shows_when_dry(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(tmp_path / "cache"))
    store = ResultStore(tmp_path / "results")
    store.add(renamed(job_result("sha-256"), "old", "a"), OLD)
    store.add(renamed(job_result("sha-256"), "new", "b"), NEW)
    cache.write("verdicts", "ab" + "0" * 62, b"twelve bytes")
    cache.write("verdicts", "cd" + "0" * 62, b"kept")
    entry = tmp_path / "cache" / "verdicts" / "ab" / ("0" * 62)
    long_ago = time.time() - 40 * 86_400
    os.utime(entry, (long_ago, long_ago))
    words = ("gc", "--results", store.folder)
    dry = run(*words, "--dry-run")
    assert dry.status == 0 and "bytes would be removed." in dry.err
    assert store.done() == {"old", "new"} and entry.is_file()
    rows = [line.split() for line in dry.out.splitlines()[2:]]
    assert [row[0] for row in rows] == ["results", "cache"]
    assert rows[1][-2:] == ["1", "12"]
    assert cache.read("verdicts", "ab" + "0" * 62) == b"twelve bytes"
    assert "cache" not in run(*words, "--dry-run").out
    os.utime(entry, (long_ago, long_ago))
    assert run(*words).status == 0
    assert store.done() == {"new"} and not entry.exists()
    assert cache.read("verdicts", "cd" + "0" * 62) == b"kept"
    assert "Nothing to remove." in run(*words).err
    assert "--days: -1 is less than 0" in run(*words, "--days", -1).refused()
