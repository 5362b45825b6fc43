"""Packs: the same answers as from the files, and few files to read."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import pytest

from example_results import all_results
from pennyweight import cache
from pennyweight.model import JobResult, Measurement, Provenance, Status, UserError
from pennyweight.store import ResultStore, packs
from pennyweight.store.campaign_records import next_start
from pennyweight.store.packs import pack
from pennyweight.store.reading import open_results

START = datetime(2026, 1, 1, tzinfo=UTC)

FORMAT, COLUMNS = 6, "c5e84cb40b7c"
"""The format of packs, and the digest of the columns that it is for."""


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Packs are worth it from three files on, and lie in a cache of the test's own."""
    monkeypatch.setattr(packs, "WORTH_IT", 3)
    monkeypatch.setattr(packs.pack, "__defaults__", (3,))
    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(tmp_path / "it's a cache"))
    yield tmp_path / "results"


def test_packs_with_other_columns_have_another_format() -> None:
    """Otherwise, packs in users' caches lack the columns that are read from them."""
    columns = [each.name for kind in (Measurement, Provenance) for each in fields(kind)]
    digest = hashlib.sha256(" ".join(columns).encode()).hexdigest()[:12]
    assert (packs._FORMAT, digest) == (FORMAT, COLUMNS)


def filled(folder: Path, results: list[JobResult]) -> ResultStore:
    store = ResultStore(folder)
    for hour, result in enumerate(results):
        store.add(result, START + timedelta(hours=hour))
    return store


QUESTIONS = (
    "SELECT * FROM latest ORDER BY ALL",
    "SELECT * FROM measurements ORDER BY ALL",
    "SELECT * FROM symbols ORDER BY ALL",
    "SELECT board, count(*) AS n, min(cycles) AS best FROM latest WHERE op = 'enc' AND m = 64 "
    "GROUP BY board ORDER BY board",
)


def answers(store: ResultStore) -> list[list[dict[str, object]]]:
    with open_results(store) as results:
        assert results.remarks == []
        return [results.query(question).to_pylist() for question in QUESTIONS]


def without_packs(store: ResultStore, monkeypatch: pytest.MonkeyPatch) -> object:
    with monkeypatch.context() as patched:
        patched.setattr("pennyweight.store.reading.pack", lambda folder, files: [])
        return answers(store)


def newer(result: JobResult, key: str) -> JobResult:
    """The same build with other sources: it supersedes what was measured before."""
    origin = replace(result.provenance, job=key * 32, sources_sha256="f" * 64)
    return replace(result, provenance=origin)


def test_the_same_answers_from_packs_as_from_files(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = all_results()
    store = filled(small, results)
    assert answers(store) == without_packs(store, monkeypatch)
    [one] = packs.packs_of(store.folder, store.job_files())
    assert one.names == store.done()


def test_what_comes_after_a_pack_supersedes_and_joins_it(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = all_results()
    store = filled(small, results)
    answers(store)
    first, second, third = results[0], results[1], results[2]
    store.add(newer(first, "a"), START + timedelta(days=9))
    # The same build again, with a case more and one in common.
    cases = [replace(second.measurements[0], cycles=7), replace(second.measurements[0], m=9999)]
    origin = replace(second.provenance, job="b" * 32)
    store.add(replace(second, provenance=origin, measurements=cases), START + timedelta(days=9))
    lost = [
        replace(row, status=Status.SKIPPED.value, m=8888 + i)
        for i, row in enumerate(third.measurements[:2])
    ]
    store.add_lost(
        replace(third, provenance=replace(third.provenance, job="c" * 32), measurements=lost),
        START + timedelta(days=9),
    )
    found = answers(store)
    assert found == without_packs(store, monkeypatch)
    assert len(packs.packs_of(store.folder, store.job_files())) == 1
    store.add(newer(third, "d"), START + timedelta(days=10))
    assert answers(store) == without_packs(store, monkeypatch)
    assert len(packs.packs_of(store.folder, store.job_files())) == 2


@pytest.mark.parametrize("is_packed", [False, True])
def test_a_reverted_change_is_not_shown(
    small: Path, monkeypatch: pytest.MonkeyPatch, is_packed: bool
) -> None:
    """The campaign that ran last decides which sources count, not the time or a wrong clock."""
    if not is_packed:
        monkeypatch.setattr(packs.pack, "__defaults__", (300,))
    first, second = all_results()[:2]
    store = filled(small, [first, second])
    changed = newer(first, "a")
    changed = replace(changed, measurements=[replace(r, cycles=1) for r in first.measurements])
    store.add(changed, START + timedelta(days=9000))
    before, after = first.provenance.job, changed.provenance.job

    def shown() -> set[str]:
        with open_results(store) as results:
            return set(results.query("SELECT DISTINCT job FROM latest").column("job").to_pylist())

    def plan(name: str, job: str, record: dict[str, str] | None = None) -> None:
        started = next_start(store.campaigns())
        store.add_campaign(name, {"id": name, "jobs": [job], "started": started, **(record or {})})

    assert after in shown() and before not in shown()
    plan("mine", before)
    assert before in shown() and after not in shown()
    plan("zz", after, {"started": "2093-01-01T00:00:00+00:00"})
    assert after in shown() and before not in shown()
    plan("mine", before)
    assert before in shown() and after not in shown()
    plan("zz", after, {"started": "9999-12-31T23:59:59+00:00"})
    assert before in shown() and second.provenance.job in shown()
    assert len(packs.packs_of(small, store.job_files())) == int(is_packed)


@pytest.mark.parametrize("is_packed", [False, True])
@pytest.mark.parametrize(
    ("asked", "name", "is_planned"),
    [
        ("clang", "clang-14.0.6", False),
        ("clang-14", "clang-14.0.6", False),
        ("/opt/bin/arm-none-eabi-gcc", "arm-none-eabi-gcc-14.2.0", True),
    ],
)
def test_rows_skipped_without_a_compiler_are_replaced_once_it_is_installed(
    small: Path,
    monkeypatch: pytest.MonkeyPatch,
    asked: str,
    name: str,
    is_planned: bool,
    is_packed: bool,
) -> None:
    if not is_packed:
        monkeypatch.setattr(packs.pack, "__defaults__", (300,))
    first, second = all_results()[:2]

    def built(key: str, compiler: str, is_found: bool) -> JobResult:
        origin = replace(
            first.provenance,
            job=key * 32,
            compiler=compiler,
            compiler_version="version" if is_found else "",
            compiler_sha256="e" * 64 if is_found else "",
        )
        rows = first.measurements
        if not is_found:
            rows = [replace(r, cycles=None, status=Status.SKIPPED.value) for r in rows]
        return replace(first, provenance=origin, measurements=rows)

    skipped, measured = built("a", asked, False), built("b", name, True)
    store = filled(small, [first, second, skipped])

    def shown() -> set[str]:
        with open_results(store) as results:
            return set(results.query("SELECT DISTINCT job FROM latest").column("job").to_pylist())

    def plan(job: str) -> None:
        store.add_campaign(
            "study", {"id": "study", "jobs": [job], "started": next_start(store.campaigns())}
        )

    if is_planned:
        plan("a" * 32)
    others = {first.provenance.job, second.provenance.job}
    assert shown() == {*others, "a" * 32}
    store.add(measured, START + timedelta(days=1))
    if is_planned:
        plan("b" * 32)
    assert shown() == {*others, "b" * 32}
    assert len(packs.packs_of(small, store.job_files())) == int(is_packed)

    # Only a campaign's plan shows that a job with an unrelated compiler is outdated.
    store.add(built("c", "clang-1", False), START)
    assert ("c" * 32 in shown()) == (not is_planned)


def test_a_pack_whose_job_is_gone_is_not_used(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = filled(small, all_results())
    answers(store)
    store.job_files()[0].unlink()
    assert packs.packs_of(store.folder, store.job_files()) == []
    assert answers(store) == without_packs(store, monkeypatch)


def test_a_file_that_was_replaced_is_what_counts(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that was removed and filled again has other files of the same names."""
    first = all_results()[0]
    store = filled(small, all_results())
    answers(store)
    store.add(replace(first, measurements=[replace(r, cycles=1) for r in first.measurements]))
    found = answers(store)
    assert 1 in {row["cycles"] for row in found[0]}
    assert found == without_packs(store, monkeypatch)


@pytest.mark.parametrize("name", ["rows.parquet", "jobs.parquet", "symbols.parquet", "jobs.json"])
@pytest.mark.parametrize("how", ["gone", "empty", "zeros", "cut", "the footer"])
def test_a_damaged_pack_is_written_again(small: Path, name: str, how: str) -> None:
    store = filled(small, all_results()[:3])
    before = answers(store)
    [one] = packs.packs_of(store.folder, store.job_files())
    file = one.place / name
    whole = file.read_bytes()
    file.unlink()
    damaged = {
        "empty": b"",
        "zeros": bytes(len(whole)),
        "cut": whole[: len(whole) // 2],
        "the footer": whole[:-60] + bytes(52) + whole[-8:],
    }
    if how in damaged:
        file.write_bytes(damaged[how])
    assert answers(store) == before
    [one] = packs.packs_of(store.folder, store.job_files())
    assert one.is_intact()


def test_packs_that_are_removed_before_they_are_opened_are_written_again(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first of two goes, or the only one, once it was found and before it is opened."""
    results = all_results()
    store = filled(small, results[:3])
    gone: list[Path] = []

    def found_and_cleared(folder: Path, files: list[Path]) -> list[packs.Pack]:
        found = pack(folder, files)
        if not gone:
            gone.append(found[0].place)
            shutil.rmtree(gone[0])
        return found

    for count in (1, 2):
        before = answers(store)
        assert len(packs.packs_of(store.folder, store.job_files())) == count
        with monkeypatch.context() as patched:
            patched.setattr("pennyweight.store.reading.pack", found_and_cleared)
            assert answers(store) == before
        assert gone.pop().is_dir()
        for result in results[3:6]:
            store.add(result, START)


def test_a_pack_that_is_damaged_while_it_is_read_is_one_sentence(small: Path) -> None:
    store = filled(small, all_results())
    before = answers(store)
    [one] = packs.packs_of(store.folder, store.job_files())
    with open_results(store) as results:
        one.rows.write_bytes(b"PAR1 without rows PAR1")
        with pytest.raises(duckdb.CatalogException):  # the query itself is wrong
            results.query("SELECT nothing FROM nowhere")
        with pytest.raises(UserError, match=r"rows\.parquet: was damaged or removed while"):
            results.query("SELECT * FROM latest")
    assert answers(store) == before


def test_packs_that_are_being_read_are_not_removed(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = all_results()
    store = filled(small, results[:3])
    with open_results(store) as reading:
        before = reading.query("SELECT * FROM latest ORDER BY ALL")
        store.add(replace(results[0], notes=["again"]), START)
        answers(store)
        for place in (cache.folder() / "packs").glob("*/*"):
            os.utime(place, (0, 0))
        cache.clear(cache.unused(1))
        assert reading.query("SELECT * FROM latest ORDER BY ALL") == before
    for result in results[3:6]:
        store.add(result, START)
    answers(store)
    used = {each.place for each in packs.packs_of(small, store.job_files())}
    assert used == set((cache.folder() / "packs").glob("*/*"))


def test_many_packs_become_one(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packs, "MOST_PACKS", 2)
    results = all_results()
    store = ResultStore(small)
    for part in (results[:3], results[3:6], results[6:9]):
        for result in part:
            store.add(result, START)
        pack(store.folder, store.job_files())
    assert [each.names for each in packs.packs_of(small, store.job_files())] == [store.done()]


def test_a_broken_file_stays_out_of_packs_and_is_reported(small: Path) -> None:
    store = filled(small, all_results())
    (small / "jobs" / f"{'e' * 32}.parquet").write_bytes(b"PAR1 without rows")
    with open_results(store) as results:
        assert len(results.remarks) == 1 and "e" * 32 in results.remarks[0]
        [row] = results.query("SELECT count(DISTINCT job) AS n FROM latest").to_pylist()
    assert row["n"] == len(store.done()) - 1


def test_without_a_cache_there_are_no_packs(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = filled(small, all_results())
    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(small.parent / "odd [cache]"))
    assert pack(store.folder, store.job_files()) == []

    def refuse(*_: object) -> None:
        raise OSError("no room")

    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(small.parent / "full"))
    monkeypatch.setattr(packs, "_make", refuse)
    assert pack(store.folder, store.job_files()) == []
    assert cache.folder() == small.parent / "full"
