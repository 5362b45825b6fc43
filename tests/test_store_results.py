"""The results folder: whole files or none, and reading whatever is in it."""

from __future__ import annotations

import errno
import json
import os
import stat
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from example_results import all_results, job_result
from pennyweight.api.reading import read_results
from pennyweight.model import JobResult, Measurement, Provenance, UserError
from pennyweight.report import data
from pennyweight.store import ResultStore, atomic
from pennyweight.store.merging import merge
from pennyweight.store.reading import open_results
from pennyweight.store.schema import measurement_schema
from pennyweight.version import __version__

EARLY = datetime(2024, 1, 1, tzinfo=UTC)
LATE = datetime(2024, 6, 1, tzinfo=UTC)


def test_a_stored_job_reads_back_with_all_its_columns(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    result = job_result("ascon-aead128")
    store.add(result, EARLY)
    with open_results(store) as results:
        rows = results.query("SELECT * FROM measurements ORDER BY op DESC, ad, m").to_pylist()
        symbols = results.query("SELECT name, bytes FROM symbols ORDER BY bytes DESC").to_pylist()
    assert len(rows) == len(result.measurements)
    first = rows[0]
    assert first["op"] == "enc" and first["m"] == 0
    assert first["cycles"] == 6450 + 2780
    assert first["job"] == result.provenance.job
    assert first["host_time"] == EARLY
    assert first["lost"] is False
    assert symbols[0] == {"name": "ascon_aead128_permute", "bytes": 805}


def test_the_schema_has_every_field_of_the_model() -> None:
    names = set(measurement_schema().names)
    assert set(Measurement.__dataclass_fields__) <= names
    assert set(Provenance.__dataclass_fields__) <= names


def test_done_jobs_are_known_by_their_key(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "new")
    result = job_result("sha-256")
    assert store.done() == frozenset()
    assert not store.has(result.provenance.job)
    store.add(result)
    assert store.done() == {result.provenance.job}
    assert store.has(result.provenance.job)


def test_folders_are_flushed_at_once_or_with_many_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: list[str] = []
    now = [0.0]
    monkeypatch.setattr(atomic, "_flush_folder", lambda folder: flushed.append(folder.name))
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    store = ResultStore(tmp_path)
    store.prepare()
    flushed.clear()
    result = job_result("sha-256")
    store.add(result)
    assert flushed == ["symbols", "jobs"]
    flushed.clear()
    with store.adding_many():
        for _ in range(5):
            store.add(result)
        assert flushed == []
        now[0] = 1.0
        store.add(result)
        assert sorted(flushed) == ["jobs", "symbols"]
        flushed.clear()
        store.add(result)
        assert flushed == []
        assert store.has(result.provenance.job)
    assert sorted(flushed) == ["jobs", "symbols"]


def test_a_folder_that_cannot_be_flushed_is_reported_after_what_came_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = ResultStore(tmp_path)
    store.prepare()

    def full(folder: Path) -> None:
        raise OSError(errno.ENOSPC, "full")

    def add(interrupt: bool) -> None:
        with store.adding_many():
            store.add(job_result("sha-256"))
            if interrupt:
                raise KeyboardInterrupt

    monkeypatch.setattr(atomic, "_flush_folder", full)
    with pytest.raises(UserError, match=r"cannot be written; the disk is full"):
        add(interrupt=False)
    with pytest.raises(KeyboardInterrupt):
        add(interrupt=True)


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP, errno.EIO])
def test_a_network_folder_without_flush_takes_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    real = os.fsync

    def flush(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(number, "no")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", flush)
    store = ResultStore(tmp_path)
    if number == errno.EIO:
        with pytest.raises(UserError, match="cannot write this file"):
            store.add(job_result("sha-256"))
    else:
        store.add(job_result("sha-256"))
        assert len(store.done()) == 1


def test_an_absent_folder_answers_with_no_rows(tmp_path: Path) -> None:
    with open_results(ResultStore(tmp_path / "nothing")) as results:
        assert results.query("SELECT * FROM latest").num_rows == 0
        assert results.query("SELECT * FROM symbols").num_rows == 0
        assert results.remarks == []


def test_a_half_written_file_never_counts(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    store.add(job_result("sha-256"))
    whole = store.job_files()[0]
    (whole.parent / ".other.parquet.abc.tmp").write_bytes(whole.read_bytes()[:100])
    assert len(store.done()) == 1
    with open_results(store) as results:
        assert results.remarks == []
        assert results.query("SELECT DISTINCT job FROM measurements").num_rows == 1


def test_a_failed_write_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = ResultStore(tmp_path)
    store.add(job_result("sha-256"))

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UserError, match="the disk is full: free some space"):
        store.add(job_result("ascon-hash256"))
    assert len(list((tmp_path / "jobs").iterdir())) == 1
    assert list((tmp_path / "symbols").iterdir()) == store.symbol_files()


def test_foreign_files_are_skipped_with_a_sentence_each(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    store.add(job_result("sha-256"))
    jobs = tmp_path / "jobs"
    (jobs / "text.parquet").write_text("not parquet at all")
    (jobs / "empty.parquet").write_bytes(b"")
    pq.write_table(pa.table({"city": ["Ghent"]}), jobs / "cities.parquet")
    wrong = measurement_schema().empty_table().to_pydict()
    wrong["cycles"] = pa.array([], pa.string())
    pq.write_table(pa.table(wrong), jobs / "words.parquet")
    (jobs / "readme.txt").write_text("a note")
    with open_results(store) as results:
        assert results.query("SELECT DISTINCT job FROM latest").num_rows == 1
        remarks = results.remarks
    assert [Path(r.split(" is not")[0]).name for r in remarks] == [
        "cities.parquet",
        "empty.parquet",
        "text.parquet",
        "words.parquet",
    ]
    assert "no column 'algorithm'" in remarks[0]
    assert all(r.count("\n") == 0 and r.endswith(".") for r in remarks)


OTHER = "lacks the column 'verified' of this version, "


def without_column(store: ResultStore, version: str) -> Path:
    """A job's file in a folder as a version writes it that has no column `verified`."""
    store.add(job_result("sha-256"))
    [path] = store.job_files()
    table = pq.read_table(path).drop_columns(["verified"])
    place = table.schema.get_field_index("pennyweight_version")
    versions = pa.array([version] * len(table))
    pq.write_table(table.set_column(place, table.schema.field(place), versions), path)
    return path


@pytest.mark.parametrize(
    ("version", "found", "remedy"),
    [
        ("0.0.9", "another version of Pennyweight, 0.0.9: it", "read it with Pennyweight 0.0.9."),
        (__version__, "another version of Pennyweight: it", "with the version that wrote it."),
    ],
)
def test_results_of_a_version_with_fewer_columns_are_named(
    tmp_path: Path, version: str, found: str, remedy: str
) -> None:
    store = ResultStore(tmp_path / "old")
    path = without_column(store, version)
    with open_results(store) as results:
        [remark] = results.remarks
        assert results.damaged == {path.stem}
    assert remark.startswith(f"{path} is skipped: it is from {found} {OTHER}{__version__};")
    assert remark.endswith(remedy)
    for read in (read_results, data.load):
        with pytest.raises(UserError) as error:
            read(store)
        assert (
            str(error.value) == f"{store.folder}: no results that this version can read: {remark}"
        )
    with pytest.raises(UserError, match=f"is from {found} {OTHER}"):
        merge(store.folder, ResultStore(tmp_path / "new"))


def test_columns_of_another_version_are_tolerated(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    result = job_result("sha-256")
    store.add(result)
    path = store.job_files()[0]
    table = pq.read_table(path).drop_columns(["cycles_cold"])
    table = table.append_column("new_idea", pa.array([1] * table.num_rows))
    pq.write_table(table, path)
    with open_results(store) as results:
        rows = results.query("SELECT * FROM latest")
        assert results.remarks == []
    assert rows.num_rows == len(result.measurements)
    assert rows["cycles_cold"].null_count == rows.num_rows
    assert "new_idea" not in rows.column_names


def test_latest_shows_only_what_belongs_to_the_newest_sources(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    old = job_result("sha-256")
    store.add(old, EARLY)
    changed = replace(old.provenance, job="b" * 32, sources_sha256="c" * 64)
    new = JobResult(changed, old.measurements[:3])
    store.add(new, LATE)
    with open_results(store) as results:
        assert results.query("SELECT DISTINCT job FROM measurements").num_rows == 2
        latest = results.query("SELECT job, m FROM latest ORDER BY m").to_pylist()
    assert latest == [{"job": "b" * 32, "m": m} for m in (0, 4, 8)]


def test_a_lost_job_shows_until_it_is_done(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    result = job_result("sha-256")
    store.add_lost(result, EARLY)
    assert store.done() == frozenset()
    with open_results(store) as results:
        assert results.query("SELECT count(*) AS n FROM measurements WHERE lost").to_pylist() == [
            {"n": len(result.measurements)}
        ]
    store.add(result, LATE)
    with open_results(store) as results:
        assert results.query("SELECT 1 FROM measurements WHERE lost").num_rows == 0


def test_a_lost_job_never_hides_what_was_measured(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    good = job_result("sha-256")
    store.add(good, EARLY)
    origin = replace(good.provenance, job="d" * 32, sources_sha256="")
    skipped = [replace(row, cycles=None, status="skipped") for row in good.measurements[:2]]
    unseen = replace(skipped[0], m=9999)
    store.add_lost(JobResult(origin, [*skipped, unseen]), LATE)
    with open_results(store) as results:
        rows = results.query("SELECT m, lost FROM latest WHERE m IN (0, 4, 9999) ORDER BY m")
    assert rows.to_pylist() == [
        {"m": 0, "lost": False},
        {"m": 4, "lost": False},
        {"m": 9999, "lost": True},
    ]


@pytest.mark.parametrize("name", ["a folder", "wild*[x]?", "it's"])
def test_any_folder_name_will_do(tmp_path: Path, name: str) -> None:
    store = ResultStore(tmp_path / name)
    store.add(job_result("sha-256"))
    with open_results(store) as results:
        assert results.query("SELECT 1 FROM latest").num_rows > 0


def test_a_file_in_the_way_of_the_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "results").write_text("a file")
    with pytest.raises(UserError, match=r"results.*cannot create this folder"):
        ResultStore(tmp_path / "results").prepare()


def test_a_read_only_folder_is_reported_in_one_sentence() -> None:
    """In a child without root's rights, which would ignore permissions."""
    script = (
        "import os, sys\n"
        "from pennyweight.model import UserError\n"
        "from pennyweight.store import ResultStore\n"
        "if os.getuid() == 0:\n"
        "    os.setgid(65534); os.setuid(65534)\n"
        "try:\n"
        "    ResultStore(sys.argv[1]).prepare()\n"
        "except UserError as error:\n"
        "    print(error)\n"
    )
    with tempfile.TemporaryDirectory() as parent:
        Path(parent).chmod(0o755)
        folder = Path(parent) / "results"
        ResultStore(folder).prepare()
        folder.chmod(0o555)
        done = subprocess.run(
            [sys.executable, "-c", script, str(folder)], capture_output=True, text=True, check=True
        )
        folder.chmod(0o755)
    assert "permission denied: make the folder writable" in done.stdout
    assert len(done.stdout.strip().splitlines()) == 1


def test_a_campaigns_plan_is_kept(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    plan = {"id": "default", "title": "Default", "jobs": ["a", "b"]}
    store.add_campaign("default", plan)
    (tmp_path / "campaigns" / "broken.json").write_text("{")
    (tmp_path / "campaigns" / "copy.json").write_text(json.dumps(plan))
    assert store.campaigns() == [plan]
    broken, copied = store.campaigns_and_remarks()[1]
    assert "broken.json is not a campaign" in broken and "it is not JSON" in broken
    assert "copy.json" in copied and "its field 'id' is not the file's name" in copied


def test_an_invalid_file_name_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot name a result"):
        ResultStore(tmp_path).add_campaign("../evil", {})


def test_queries_over_many_jobs_are_one_table(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    wanted = all_results()
    for result in wanted:
        store.add(result, EARLY)
    with open_results(store) as results:
        count = results.query("SELECT count(DISTINCT job) AS jobs FROM latest").to_pylist()
    assert count == [{"jobs": len(wanted)}]
