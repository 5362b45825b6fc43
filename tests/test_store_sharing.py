"""Results for others: one file, merged by them; an address instead of a folder."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import fsspec
import pyarrow.parquet as pq
import pytest

from cli_runs import Command, runner
from example_results import all_results
from pennyweight.model import JobResult, UserError
from pennyweight.store import ResultStore, archive, open_store, validation
from pennyweight.store.archive import export, read_shared
from pennyweight.store.digest import content_digest
from pennyweight.store.merging import merge
from pennyweight.store.reading import open_results
from pennyweight.store.remote import RemoteStore


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


def examples() -> list[JobResult]:
    return [each for each in all_results() if each.measurements[0].status == "ok"][:4]


def filled(folder: Path | str, *results: JobResult) -> ResultStore:
    store = open_store(folder)
    store.prepare()
    for result in results or examples():
        store.add(result)
    store.add_campaign("mine", {"id": "mine", "jobs": sorted(store.done()), "boards": []})
    return store


def rows(store: ResultStore) -> list[dict[str, object]]:
    with open_results(store) as results:
        assert results.remarks == []
        found: list[dict[str, object]] = results.query(
            "SELECT * EXCLUDE (host_time) FROM measurements ORDER BY job, op, ad, m"
        ).to_pylist()
    return found


def altered(result: JobResult) -> JobResult:
    """The same job with one cycle more in its first case."""
    first, *others = result.measurements
    assert first.cycles is not None
    return replace(result, measurements=[replace(first, cycles=first.cycles + 1), *others])


def test_what_is_exported_is_imported(run: Command, tmp_path: Path) -> None:
    store = filled(tmp_path / "mine")
    file = tmp_path / "mine.pennyweight"
    done = run("export", "--results", store.folder, "--output", file)
    assert done.status == 0 and Path(done.out.strip()) == file.resolve()
    with zipfile.ZipFile(file) as archive:
        names = archive.namelist()
        assert {"manifest.json", "campaigns/mine.json", "report/index.html"} <= set(names)
        assert json.loads(archive.read("manifest.json"))["machine"]["system"]
    taken = run("import", file, "--results", tmp_path / "other")
    assert taken.status == 0
    assert f"{len(store.done())} jobs are new, 0 existed with the same rows" in taken.err
    foreign = ResultStore(tmp_path / "other")
    assert rows(foreign) == rows(store)
    assert list(foreign.campaigns()) == list(store.campaigns())
    assert [p.name for p in foreign.symbol_files()] == [p.name for p in store.symbol_files()]
    again = run("import", "archive", file, "--results", foreign.folder)
    assert again.status == 0
    assert f"0 jobs are new, {len(store.done())} existed with the same rows" in again.err


def test_no_more_than_one_jobs_files_are_held_at_a_time(tmp_path: Path) -> None:
    store = filled(tmp_path / "mine")
    with_symbols = {path.stem for path in store.symbol_files()}
    assert with_symbols
    wanted = [("campaigns", "mine")]
    for job in sorted(store.done()):
        wanted += [("symbols", job)] if job in with_symbols else []
        wanted.append(("jobs", job))
    export(store, tmp_path / "all.pennyweight")
    for source in (store.folder, tmp_path / "all.pennyweight"):
        assert [(each.kind, each.name) for each in read_shared(source)] == wanted


def test_two_people_who_do_the_same_job_have_the_same_bytes(tmp_path: Path) -> None:
    one, other = filled(tmp_path / "one"), filled(tmp_path / "other")
    for job in sorted(one.done()):
        assert content_digest(one.read_job(job)) == content_digest(other.read_job(job))
    archives = []
    for name in ("a", "b"):
        export(one, tmp_path / name)
        archives.append((tmp_path / name).read_bytes())
    assert archives[0] == archives[1]


def test_sources_with_other_comments_are_no_difference(tmp_path: Path) -> None:
    """A job's name does not depend on them, and the provenance names the files of that time."""
    mine = examples()[0]
    origin = replace(mine.provenance, sources_sha256="a" * 64, firmware_sha256="b" * 64)
    here = filled(tmp_path / "here", mine)
    there = filled(tmp_path / "there", replace(mine, provenance=origin))
    before = rows(here)
    merged = merge(there.folder, here)
    assert (merged.same, merged.findings) == (1, [])
    assert rows(here) == before


def test_a_difference_is_a_finding_and_own_rows_do_not_change(run: Command, tmp_path: Path) -> None:
    mine, *others = examples()
    store = filled(tmp_path / "mine", mine)
    before = rows(store)
    filled(tmp_path / "other", altered(mine), others[0])
    done = run("import", tmp_path / "other", "--results", store.folder)
    assert done.status == 1
    [finding, summary] = done.err.strip().splitlines()
    row = mine.measurements[0]
    assert f"{row.algorithm}/{row.implementation} on {row.board} {row.flags}: " in finding
    assert f"cycles: {row.cycles} here, {(row.cycles or 0) + 1} there" in finding
    assert "Here: " in finding and "There: " in finding
    assert mine.provenance.compiler_version in finding and "Python 3." in finding
    assert summary.endswith("1 jobs are new, 0 existed with the same rows, 1 with different rows.")
    assert [row for row in rows(store) if row["job"] == mine.provenance.job] == before
    [kept] = (store.folder / "disputed").iterdir()
    assert pq.read_table(kept)["cycles"][0].as_py() == (row.cycles or 0) + 1


def test_other_bytes_by_function_are_a_finding_too(run: Command, tmp_path: Path) -> None:
    mine, other = (each for each in examples()[:2])
    first, *more = mine.symbols
    changed = replace(mine, symbols=[replace(first, bytes=first.bytes + 2), *more])
    store = filled(tmp_path / "mine", mine, other)
    filled(tmp_path / "other", changed, other)
    done = run("import", tmp_path / "other", "--results", store.folder)
    assert done.status == 1
    [finding, summary] = done.err.strip().splitlines()
    assert f": bytes by function differ in 1 of {len(mine.symbols)} rows. Here: " in finding
    assert "1 existed with the same rows, 1 with different rows" in summary
    assert len(list((store.folder / "disputed").iterdir())) == 1
    damaged = store.job_files()[0]
    whole = damaged.read_bytes()
    damaged.write_bytes(whole[:40] + bytes(len(whole) - 80) + whole[-40:])
    assert merge(tmp_path / "other", store).added == 1
    assert damaged.read_bytes() == (tmp_path / "other" / "jobs" / damaged.name).read_bytes()


def test_bytes_by_function_stay_with_the_rows_of_their_result(tmp_path: Path) -> None:
    mine = examples()[0]
    first, *more = mine.symbols
    others = [replace(first, bytes=first.bytes + 2), *more]
    foreign = filled(tmp_path / "other", replace(altered(mine), symbols=others))
    without = filled(tmp_path / "without", replace(mine, symbols=[]))
    assert len(merge(foreign.folder, without).findings) == 1
    assert without.symbol_files() == []
    assert len(list((without.folder / "disputed").iterdir())) == 2
    damaged = filled(tmp_path / "damaged", mine)
    [job] = damaged.job_files()
    whole = job.read_bytes()
    job.write_bytes(whole[:40] + bytes(len(whole) - 80) + whole[-40:])
    assert merge(foreign.folder, damaged).added == 1
    for own, other in zip(
        (*damaged.job_files(), *damaged.symbol_files()),
        (*foreign.job_files(), *foreign.symbol_files()),
        strict=True,
    ):
        assert own.read_bytes() == other.read_bytes()


def test_missing_bytes_by_function_of_equal_rows_are_imported(tmp_path: Path) -> None:
    mine = examples()[0]
    foreign = filled(tmp_path / "other", mine)
    without = filled(tmp_path / "without", replace(mine, symbols=[]))
    merged = merge(foreign.folder, without)
    assert (merged.same, merged.findings) == (1, [])
    [own], [other] = without.symbol_files(), foreign.symbol_files()
    assert own.read_bytes() == other.read_bytes()


def test_functions_in_another_section_are_counted_as_different(tmp_path: Path) -> None:
    mine = examples()[0]
    first, *more = mine.symbols
    moved = replace(mine, symbols=[replace(first, section=".elsewhere"), *more])
    store = filled(tmp_path / "mine", mine)
    [finding] = merge(filled(tmp_path / "other", moved).folder, store).findings
    assert f"differ in 1 of {len(mine.symbols)} rows" in finding.text


def test_campaigns_of_one_name_are_united(tmp_path: Path) -> None:
    a, b = filled(tmp_path / "a", examples()[0]), filled(tmp_path / "b", examples()[1])
    a.add_campaign("mine", {"id": "mine", "jobs": ["1"], "boards": [{"id": "x"}], "title": "A"})
    b.add_campaign("mine", {"id": "mine", "jobs": ["1", "2"], "boards": [{"id": "x"}, {"id": "y"}]})
    merge(b.folder, a)
    [record] = a.campaigns()
    assert record["jobs"] == ["1", "2"] and record["title"] == "A"
    assert record["boards"] == [{"id": "x"}, {"id": "y"}]
    assert merge(b.folder, a).campaigns == 0


def tampered(source: Path, target: Path, name: str, content: bytes) -> Path:
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for entry in old.infolist():
            if entry.filename != name:
                new.writestr(entry, old.read(entry))
        new.writestr(name, content)
    return target


def test_an_archive_that_is_none_or_was_changed_is_refused(tmp_path: Path) -> None:
    store = filled(tmp_path / "mine")
    export(store, tmp_path / "good")
    buffer = io.BytesIO()
    table = store.read_job(sorted(store.done())[0])
    pq.write_table(table.slice(1), buffer)
    job = f"jobs/{sorted(store.done())[0]}.parquet"
    (tmp_path / "text").write_text("no archive")
    cases = {
        tmp_path / "text": "is not an archive of `pennyweight export`",
        tmp_path / "nowhere": "cannot read this archive; No such file",
        tampered(tmp_path / "good", tmp_path / "a", job, buffer.getvalue()): "was changed after",
        tampered(tmp_path / "good", tmp_path / "b", job, b"PAR1"): "not a readable Parquet file",
        tampered(tmp_path / "good", tmp_path / "c", "manifest.json", b"[]"): "is not an archive",
        tampered(
            tmp_path / "good", tmp_path / "d", "manifest.json", b'{"format": 9, "jobs": {}}'
        ): "has format 9",
    }
    for path, expected in cases.items():
        with pytest.raises(UserError, match=expected) as caught:
            merge(path, ResultStore(tmp_path / "target"))
        assert str(path) in str(caught.value) and "\n" not in str(caught.value)
    assert ResultStore(tmp_path / "target").done() == frozenset()


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])
def test_an_archive_with_a_damaged_byte_is_one_sentence(
    run: Command, method: int, tmp_path: Path
) -> None:
    store = filled(tmp_path / "mine")
    export(store, tmp_path / "good")
    packed = tmp_path / "packed"
    with zipfile.ZipFile(tmp_path / "good") as old, zipfile.ZipFile(packed, "w", method) as new:
        for entry in old.infolist():
            new.writestr(entry.filename, old.read(entry))
            if entry.filename == "manifest.json":
                written = new.getinfo(entry.filename)
                start = written.header_offset + 30 + len(entry.filename)
    whole = packed.read_bytes()
    for at in range(start, start + written.compress_size - 10, 7):
        packed.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        output = run("import", packed, "--results", tmp_path / "target").refused()
        assert re.search(
            "is not an archive of `pennyweight export`|cannot read this archive", output
        )
        assert str(packed) in output
    assert ResultStore(tmp_path / "target").done() == frozenset()


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"jobs": 5}, "its field 'jobs' is not a list of strings"),
        ({"boards": ["x"]}, "its field 'boards' is not a list of tables"),
        ({"title": 7}, "its field 'title' is not a string"),
        ({"short_title": 7}, "its field 'short_title' is not a string"),
        ({"id": "other"}, "its field 'id' is not the file's name"),
        ({"scenarios": [{"name": "x"}]}, "its field 'scenarios' has an entry without"),
    ],
)
def test_a_campaign_with_a_wrong_field_is_refused_and_read_past(
    run: Command, fields: dict[str, object], expected: str, tmp_path: Path
) -> None:
    store = filled(tmp_path / "mine")
    [file] = store.campaign_files()
    file.write_text(json.dumps({"id": "mine", **fields}))
    refused = run("import", store.folder, "--results", tmp_path / "other").refused()
    assert "campaigns/mine.json is not a campaign" in refused and expected in refused
    if "id" not in fields:
        assert list(store.campaigns()) == []
    assert run("gc", "--results", store.folder, "--dry-run").status == 0


def test_every_file_of_an_archive_is_what_its_manifest_states(run: Command, tmp_path: Path) -> None:
    store = filled(tmp_path / "mine")
    report = tmp_path / "report"
    report.mkdir()
    (report / "index.html").write_text("a page")
    good = tmp_path / "good"
    export(store, good, report)
    with zipfile.ZipFile(good) as archive:
        manifest = json.loads(archive.read("manifest.json"))
    symbols = store.symbol_files()[0]
    buffer = io.BytesIO()
    pq.write_table(pq.read_table(symbols).slice(0, 1), buffer)
    changes = {
        f"symbols/{symbols.name}": buffer.getvalue(),
        "symbols/more.parquet": buffer.getvalue(),
        "campaigns/mine.json": b'{"id": "mine"}',
        "report/index.html": b"another page",
        "report/more.html": b"one page more",
    }
    for number, (name, content) in enumerate(changes.items()):
        file = tampered(good, tmp_path / str(number), name, content)
        output = run("import", file, "--results", tmp_path / "target").refused()
        assert f"'{name}' differs from its manifest: it was changed after" in output
    more = {**manifest, "files": {**manifest["files"], "symbols/gone.parquet": "0"}}
    less = {name: value for name, value in manifest.items() if name != "files"}
    for record, expected in (
        (more, "'symbols/gone.parquet' is in its manifest"),
        (less, "by an older"),
    ):
        file = tampered(good, tmp_path / "odd", "manifest.json", json.dumps(record).encode())
        assert expected in run("import", file, "--results", tmp_path / "target").refused()
    assert ResultStore(tmp_path / "target").done() == frozenset()
    assert run("import", good, "--results", tmp_path / "target").status == 0


def test_names_in_an_archive_lead_nowhere_else(tmp_path: Path) -> None:
    export(filled(tmp_path / "mine"), tmp_path / "good")
    evil = tampered(tmp_path / "good", tmp_path / "evil", "jobs/../../../evil.parquet", b"PAR1")
    assert all("/" not in shared.name for shared in read_shared(evil))
    odd = tampered(tmp_path / "good", tmp_path / "odd", "symbols/..parquet", b"PAR1")
    with pytest.raises(UserError):
        merge(odd, ResultStore(tmp_path / "target"))


def renamed_job(result: JobResult, key: str) -> JobResult:
    return replace(result, provenance=replace(result.provenance, job=key))


@pytest.fixture
def bucket() -> Iterator[str]:
    yield "memory://bucket/results"
    fsspec.filesystem("memory").rm("/bucket", recursive=True)


def test_results_may_lie_in_an_object_store(
    bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(tmp_path / "here"))
    store = filled(bucket)
    assert isinstance(store, RemoteStore)
    there = fsspec.filesystem("memory")
    assert len(there.ls("/bucket/results/jobs")) == len(examples())
    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(tmp_path / "another machine"))
    other = open_store(bucket)
    assert other.folder != store.folder
    assert rows(other) == rows(store) and list(other.campaigns()) == list(store.campaigns())
    more = renamed_job(examples()[0], "f" * 64)
    assert not other.has("f" * 64)
    store.add(more)
    assert "f" * 64 not in {path.stem for path in other.job_files()}
    assert other.has("f" * 64) and other.read_job("f" * 64).num_rows == len(more.measurements)
    assert "f" * 64 in {path.stem for path in other.symbol_files()}
    one = sorted(store.done())[0]
    other.delete_file(next(path for path in other.job_files() if path.stem == one))
    assert one not in store.done()
    store.pull()
    assert one not in {path.stem for path in store.job_files()}
    there.rm("/bucket/results/jobs", recursive=True)
    assert open_store(bucket).done() == frozenset()


def test_where_a_write_can_be_cut_short_results_are_renamed(
    bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a file server: a killed process leaves no file under a result's name."""
    there = fsspec.filesystem("memory")
    monkeypatch.setattr(type(there), "protocol", ("sftp", "ssh"))
    written: list[str] = []
    real = there.pipe_file

    def cut_short(path: str, value: bytes) -> None:
        written.append(path)
        real(path, value[: len(value) // 2])
        raise KeyboardInterrupt

    store = open_store(bucket)
    monkeypatch.setattr(there, "pipe_file", cut_short)
    with pytest.raises(KeyboardInterrupt):
        store.add(examples()[0])
    assert written and all(path.endswith(".tmp") for path in written)
    monkeypatch.setattr(there, "pipe_file", real)
    assert store.done() == frozenset() and open_store(bucket).symbol_files() == []
    store.add(examples()[0])
    assert rows(open_store(bucket)) == rows(store) and len(store.done()) == 1
    assert not [name for name in there.find("/bucket") if name.endswith(".tmp")]


def test_an_address_of_a_folder_is_that_folder(tmp_path: Path) -> None:
    store = open_store(f"file://{tmp_path}/results")
    assert not isinstance(store, RemoteStore) and store.folder == tmp_path / "results"


def test_a_campaign_into_an_object_store_and_its_report(
    run: Command, bucket: str, tmp_path: Path
) -> None:
    study = tmp_path / "one.toml"
    study.write_text(
        'id = "one"\ntitle = "One"\nboards = ["stm32f030"]\nalgorithms = ["sha-256"]\n'
        'flags = ["-Os"]\nverify = "quick"\n[[implementations]]\nbits = [32]\n'
        'names = ["sha-256/small"]\n[[cases]]\nname = "c"\nkind = "hash"\nm = [0, 64]\n'
    )
    words = ("--study", study, "--results", bucket)
    done = run("run", *words, "--report", tmp_path / "report")
    assert done.status == 0 and "1 job, 1 done now: no job failed" in done.err
    assert (tmp_path / "report" / "index.html").is_file()
    assert "0 done now" in run("run", *words).err
    assert run("status", *words, "--format", "json").rows[0]["done"] == 1
    assert run("gc", "--results", bucket, "--dry-run").status == 0


def test_an_address_that_cannot_be_reached_is_reported() -> None:
    with pytest.raises(UserError, match=r"bolt://x: is not an address of a results folder"):
        open_store("bolt://x")
    with pytest.raises(UserError, match=r"s3://x/y: .*with pip, into the environment"):
        open_store("s3://x/y")


def test_an_object_store_that_fails_is_one_sentence(
    bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(bucket)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(fsspec.filesystem("memory"), "pipe_file", full)
    with pytest.raises(UserError, match=r"memory://bucket/results: cannot be written .*No space"):
        store.add(examples()[0])
    assert store.done() == frozenset()


def test_a_file_at_an_address_that_is_not_a_result_is_not_copied(
    bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, other = examples()[:2]
    here = filled(bucket, mine)
    assert isinstance(here, RemoteStore)
    there = fsspec.filesystem("memory")
    there.pipe_file(f"/bucket/results/jobs/{other.provenance.job}.parquet", bytes(300_000))
    monkeypatch.setattr(validation, "LARGEST_FILE", 200_000)
    read = there.cat_file

    def watched(place: str) -> object:
        assert other.provenance.job not in place
        return read(place)

    monkeypatch.setattr(there, "cat_file", watched)
    for ask in (lambda: here.has(other.provenance.job), lambda: open_store(bucket)):
        with pytest.raises(UserError, match=r"jobs/.*parquet is too large"):
            ask()


def test_a_campaign_at_an_address_has_the_limit_of_its_kind(
    bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(bucket)
    there = fsspec.filesystem("memory")
    there.pipe_file("/bucket/results/campaigns/large.json", b" " * 2_000)
    monkeypatch.setattr(archive, "LARGEST_RECORD", 1_000)
    with pytest.raises(UserError, match=r"campaigns/large\.json is too large"):
        open_store(bucket)


def test_a_copy_keeps_what_another_process_adds_while_it_is_made(
    bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = examples()[:2]
    store, other = filled(bucket, first), open_store(bucket)
    there = fsspec.filesystem("memory")
    listed = there.ls

    def late(path: str, **options: object) -> list[object]:
        found: list[object] = listed(path, **options)
        if path.endswith("jobs"):
            monkeypatch.undo()
            other.add(second)
        return found

    monkeypatch.setattr(there, "ls", late)
    store.refresh()
    assert {path.stem for path in store.job_files()} == {
        each.provenance.job for each in (first, second)
    }
