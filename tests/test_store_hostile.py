"""Malicious archives: more in memory than on disk, and invalid names."""

from __future__ import annotations

import io
import json
import os
import tracemalloc
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from example_results import job_result
from pennyweight.model import UserError
from pennyweight.store import ResultStore, archive, packs, validation
from pennyweight.store.archive import MANIFEST
from pennyweight.store.campaign_records import what_is_wrong_with
from pennyweight.store.digest import content_digest
from pennyweight.store.garbage import find_garbage
from pennyweight.store.merging import merge, what_differs
from pennyweight.store.reading import open_results
from pennyweight.store.schema import measurement_schema, measurement_table
from pennyweight.store.validation import read_table

RESULT = job_result("sha-256")
JOB = RESULT.provenance.job
TABLE = measurement_table(RESULT, datetime(2026, 1, 1, tzinfo=UTC))


def archive_of(folder: Path, table: pa.Table, more: str = "") -> Path:
    """An archive with one job and its correct digest."""
    buffer = io.BytesIO()
    pq.write_table(table, buffer)
    content = buffer.getvalue()
    reported = {"format": 1, "jobs": {JOB: content_digest(table)}, "files": {}, "more": more}
    path = folder / "other.pennyweight"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        target.writestr(f"jobs/{JOB}.parquet", content)
        target.writestr(MANIFEST, json.dumps(reported))
    return path


def with_all(column: str, value: str, table: pa.Table = TABLE) -> pa.Table:
    """The table with one value in all rows of a column."""
    index = table.schema.get_field_index(column)
    return table.set_column(index, table.schema.field(index), pa.array([value] * len(table)))


def test_a_small_archive_cannot_mean_more_than_memory_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any number of equal rows, or of equal long texts, are some kilobytes of Parquet."""
    store = ResultStore(tmp_path / "results")
    many = pa.concat_tables([TABLE.slice(0, 1)] * 2000)
    monkeypatch.setattr(validation, "MOST_ROWS", 1999)
    with pytest.raises(UserError, match=r"parquet: has more than 1,999 rows, too many for a job"):
        merge(archive_of(tmp_path, many), store)
    monkeypatch.setattr(validation, "LARGEST_FILE", 2_000_000)
    few = with_all("reason", "x" * 10_000, many.slice(0, 1000))
    path = archive_of(tmp_path, few)
    assert path.stat().st_size < 100_000
    with pytest.raises(UserError, match=r"parquet: is too large for a result"):
        merge(path, store)
    with pytest.raises(UserError, match=r"its 'manifest\.json' is too large"):
        merge(archive_of(tmp_path, TABLE, " " * 2_000_000), store)
    assert store.done() == frozenset()
    assert merge(archive_of(tmp_path, TABLE), store).added == 1


@pytest.mark.parametrize("is_folder", [False, True])
def test_files_that_expand_in_memory_are_checked_before_they_are_read(
    is_folder: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lists in lists are tens of times their text."""
    monkeypatch.setattr(archive, "LARGEST_RECORD", 1000)
    record = json.dumps({"id": "mine", "flags": ["-Os"] * 200}).encode()
    path = archive_of(tmp_path, TABLE)
    if is_folder:
        path = tmp_path / "other"
        ResultStore(path).add(RESULT)
        (path / "campaigns").mkdir()
        (path / "campaigns" / "mine.json").write_bytes(record)
    else:
        with zipfile.ZipFile(path, "a") as target:
            target.writestr("campaigns/mine.json", record)
    with pytest.raises(UserError, match=r"mine\.json'?:? is too large for a result"):
        merge(path, ResultStore(tmp_path / "own"))
    if is_folder:
        (path / "campaigns" / "mine.json").unlink()
        with (path / "jobs" / "more.parquet").open("wb") as file:
            file.truncate(validation.LARGEST_FILE + 1)
        with pytest.raises(UserError, match=r"more\.parquet: is too large for a result"):
            merge(path, ResultStore(tmp_path / "own"))


def test_what_differs_is_reported_a_few_rows_at_a_time() -> None:
    count = 10_000
    other = pa.concat_tables([TABLE.slice(0, 1)] * count)
    place = other.schema.get_field_index("m")
    other = other.set_column(place, other.schema.field("m"), pa.array(range(count, 2 * count)))
    tracemalloc.start()
    try:
        reported = what_differs(TABLE, other), what_differs(other, TABLE)
        assert tracemalloc.get_traced_memory()[1] < 12_000_000
    finally:
        tracemalloc.stop()
    case = f"{RESULT.measurements[0].op} 0:"
    assert all(f"; {len(TABLE) + count - 3} more differences" in text for text in reported)
    assert f"{case}{count} is missing there; {case}{count + 1} is missing there" in reported[1]
    assert what_differs(TABLE, TABLE.slice(1)).count(" is missing there") == 1


def test_nor_can_a_foreign_file_among_the_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = ResultStore(tmp_path)
    store.add(RESULT)
    many = pa.concat_tables([TABLE.slice(0, 1)] * 2000)
    monkeypatch.setattr(validation, "MOST_ROWS", 1999)
    monkeypatch.setattr(validation, "LARGEST_FILE", 2_000_000)
    monkeypatch.setattr(validation, "_LOOK_CLOSER", 2_000_000)
    pq.write_table(many, tmp_path / "jobs" / "many.parquet")
    long = with_all("reason", "x" * 10_000, many.slice(0, 1000))
    pq.write_table(long, tmp_path / "jobs" / "long.parquet")
    (tmp_path / "jobs" / "large.parquet").write_bytes(bytes(2_000_001))
    for worth_it in (300, 1):
        monkeypatch.setattr(packs.pack, "__defaults__", (worth_it,))
        with open_results(store) as results:
            assert results.query("SELECT * FROM latest").num_rows == len(TABLE)
            assert results.damaged == {"many", "long", "large"}
        assert [line.partition("is skipped: ")[2] for line in sorted(results.remarks)] == [
            "it is too large for a result.",
            "it is too large for a result.",
            "it has more than 1,999 rows, too many for a job.",
        ]


COUNT = 300_000
LARGE: dict[str, pa.Array] = {
    "a list": pa.array([[0] * COUNT]),
    "a list of texts": pa.array([[""] * COUNT]),
    "a structure": pa.array([{"values": [0] * COUNT}]),
    "bytes of one size": pa.array([bytes(COUNT)], pa.binary(COUNT)),
    "bytes": pa.array([bytes(COUNT)]),
    "a large text": pa.array([" " * COUNT], pa.large_string()),
}
"""Columns that no result has, of one row."""


@pytest.fixture
def reads_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever Arrow reads of a file is less than one of these columns."""
    read = pq.ParquetFile.read

    def checked(*args: Any, **kwargs: Any) -> pa.Table:
        table = read(*args, **kwargs)
        assert table.nbytes < COUNT
        return table

    monkeypatch.setattr(pq.ParquetFile, "read", checked)


@pytest.mark.usefixtures("reads_little")
@pytest.mark.parametrize("kind", LARGE)
@pytest.mark.parametrize("column", ["cycles", "reason", "unknown"])
@pytest.mark.parametrize("is_close", [False, True])
def test_what_no_result_has_takes_no_memory(
    tmp_path: Path, kind: str, column: str, is_close: bool
) -> None:
    """A known column of another type, or one that only others know, in a file of a row."""
    path = tmp_path / "other.parquet"
    row = TABLE.slice(0, 1)
    if column in row.column_names:
        row = row.drop_columns([column])
    pq.write_table(row.append_column(column, LARGE[kind]), path, compression="zstd")
    assert path.stat().st_size < 30_000

    def read() -> pa.Table:
        if is_close:
            return read_table(path.read_bytes(), "")
        return validation.read_whole(path, measurement_schema())

    if column == "unknown":
        assert read().num_rows == 1
        return
    with pytest.raises(UserError, match=f"has different columns from a result: its .*'{column}'"):
        read()


def test_a_file_with_a_duplicate_column_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "twice.parquet"
    row = TABLE.slice(0, 1)
    pq.write_table(row.append_column("cycles", LARGE["a list"]), path)
    with pytest.raises(UserError, match="it has 2 columns 'cycles'"):
        validation.read_whole(path, measurement_schema())
    with pytest.raises(UserError, match="it has 2 columns 'cycles'"):
        read_table(path.read_bytes(), "")


@pytest.mark.usefixtures("reads_little")
def test_texts_that_are_large_together_are_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is within what one column may be."""
    path = tmp_path / "other.parquet"
    many = pa.concat_tables([TABLE.slice(0, 1)] * 120)
    both = with_all("notes", "x" * 10_000, with_all("reason", "x" * 10_000, many))
    pq.write_table(both, path)
    one = max(
        each.num_values * each.total_uncompressed_size
        for each in validation.chunks(pq.read_metadata(path), ["notes", "reason"])
    )
    monkeypatch.setattr(validation, "_LOOK_CLOSER", one)
    monkeypatch.setattr(validation, "LARGEST_FILE", 2_000_000)
    with pytest.raises(UserError, match="is too large for a result"):
        validation.read_whole(path, measurement_schema())


@pytest.mark.usefixtures("reads_little")
def test_different_texts_are_too_large_before_they_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "other.parquet"
    many = pa.concat_tables([TABLE.slice(0, 1)] * 240)
    index = many.schema.get_field_index("reason")
    texts = pa.array([f"{i:010000}" for i in range(len(many))])
    different = many.set_column(index, many.schema.field(index), texts)
    pq.write_table(different, path, compression="zstd", use_dictionary=False)
    assert path.stat().st_size < 30_000
    monkeypatch.setattr(validation, "LARGEST_FILE", 2_000_000)
    with pytest.raises(UserError, match="is too large for a result"):
        read_table(path.read_bytes(), "")


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("board", "../../x"),
        ("implementation", "a\x1b[31m"),
        ("algorithm", "x" * 81),
        ("flags", "-Os\n"),
        ("board", ""),
    ],
)
def test_names_that_no_page_could_have_are_refused(tmp_path: Path, column: str, value: str) -> None:
    with pytest.raises(UserError, match=f"cannot be the name of its {column}") as caught:
        merge(archive_of(tmp_path, with_all(column, value)), ResultStore(tmp_path / "results"))
    assert str(caught.value).isprintable()


def test_a_finding_prints_no_control_characters(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "results")
    store.add(RESULT)
    other = with_all("compiler_version", "\x1b]0;title\x07", with_all("reason", "\x1b[31m"))
    [finding] = merge(archive_of(tmp_path, other), store).findings
    assert "[31m there" in finding.text and finding.text.isprintable()


def test_columns_of_other_versions_are_not_read(tmp_path: Path) -> None:
    """They stay in the file, whatever they are; the origin of the rows is kept."""
    other = TABLE.append_column("nested", pa.array([[{"a": 1}]] * len(TABLE)))
    other = other.replace_schema_metadata({b"pennyweight.machine": b"{}"})
    store = ResultStore(tmp_path / "results")
    assert merge(archive_of(tmp_path, other), store).added == 1
    path = store.folder / "jobs" / f"{JOB}.parquet"
    assert "nested" in pq.read_schema(path).names
    read = read_table(path.read_bytes(), "")
    assert read.schema.names == TABLE.schema.names and read.schema.metadata is not None
    assert read.schema.field("cycles").type == pa.int64()
    assert merge(archive_of(tmp_path, TABLE), store).same == 1


def test_a_pipe_or_device_is_not_a_result_and_does_not_block(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    store.prepare()
    store.add(RESULT)
    jobs = tmp_path / "jobs"
    os.mkfifo(jobs / "pipe.parquet")
    os.mkfifo(tmp_path / "campaigns" / "pipe.json")
    (jobs / "folder.parquet").mkdir()
    (jobs / "circle.parquet").symlink_to("circle.parquet")
    (jobs / "zero.parquet").symlink_to("/dev/zero")
    (jobs / os.fsdecode(b"caf\xe9.parquet")).write_bytes(b"")
    assert store.done() == {JOB} and list(store.campaigns()) == []
    assert len(store.fingerprint()) == 64
    with open_results(store) as results:
        assert len(results.query("SELECT * FROM measurements")) == len(TABLE)
        assert results.remarks == []
    assert find_garbage(store) == []


@pytest.mark.parametrize("left", [0, 3, 500])
def test_a_file_that_was_cut_off_is_reported_and_done_again(tmp_path: Path, left: int) -> None:
    store = ResultStore(tmp_path)
    store.add(RESULT)
    assert store.done_of({JOB, "none"}) == {JOB}
    path = tmp_path / "jobs" / f"{JOB}.parquet"
    with path.open("r+b") as file:
        file.truncate(left)
    assert store.done_of({JOB, "none"}) == frozenset()


def test_a_value_that_no_measurement_gives_is_refused(tmp_path: Path) -> None:
    """After the import of one such row, no report of the folder could be drawn."""
    store = ResultStore(tmp_path / "results")

    def changed(column: str, value: object) -> pa.Table:
        index = TABLE.schema.get_field_index(column)
        field = TABLE.schema.field(index)
        values = pa.array([value] * len(TABLE), field.type)
        return TABLE.set_column(index, pa.field(column, field.type, nullable=True), values)

    for column in ("status", "reason", "host_time", "verified", "m", "op", "compiler"):
        with pytest.raises(UserError, match=f"'{column}' has a row without a value"):
            merge(archive_of(tmp_path, changed(column, None)), store)
    for column, value in (("cycles", 0), ("cycles", -5), ("cycles", 1 << 62), ("m", 1 << 60)):
        with pytest.raises(UserError, match=f"its column '{column}' has the value {value}"):
            merge(archive_of(tmp_path, changed(column, value)), store)
    with pytest.raises(UserError, match="'op' has 'foo', unknown to this version"):
        merge(archive_of(tmp_path, changed("op", "foo")), store)
    assert store.done() == frozenset()
    assert merge(archive_of(tmp_path, changed("cycles", None)), store).added == 1


@pytest.mark.parametrize(
    ("name", "entry", "odd"),
    [
        ("boards", {"id": "mine", "title": None}, "title"),
        ("boards", {"id": ["mine"]}, "id"),
        ("boards", {"id": "mine", "hz": 0}, "hz"),
        ("boards", {"id": "mine", "current_ma": "much"}, "current_ma"),
        ("boards", {"id": "mine", "voltage_v": 10**30}, "voltage_v"),
        ("algorithms", {"name": "sha-256", "kind": "cipher"}, "kind"),
        ("algorithms", {"name": "sha-256", "block": float("nan")}, "block"),
        ("implementations", {"algorithm": "sha-256"}, "name"),
        ("absent", {}, "board"),
        ("unreachable", {"library": "x", "reason": 5}, "reason"),
        ("real", {"board": "mine", "on": ["probe"]}, "on"),
        ("real", {"board": "mine", "on": "probe", "jobs": "all"}, "jobs"),
    ],
)
def test_facts_that_no_page_can_be_made_of_are_no_record(
    name: str, entry: dict[str, Any], odd: str, tmp_path: Path
) -> None:
    """With one such entry, no report of the folder could be written."""
    problem = f"its field '{name}' has an entry with an invalid '{odd}'"
    assert what_is_wrong_with({"id": "x", name: [entry]}, "x") == problem
    store = ResultStore(tmp_path)
    store.add_campaign("x", {"id": "x", name: [entry]})
    assert list(store.campaigns()) == []


def test_cases_that_are_none_are_no_record() -> None:
    scenario = {"name": "a", "title": "b", "kind": "hash", "cases": [["hash", 0, 16]]}
    assert what_is_wrong_with({"id": "x", "scenarios": [scenario]}, "x") is None
    for odd in ({"kind": "other"}, {"cases": [["hash", {}, 16]]}, {"cases": [["hash", 0, -1]]}):
        assert what_is_wrong_with({"id": "x", "scenarios": [scenario | odd]}, "x") is not None
