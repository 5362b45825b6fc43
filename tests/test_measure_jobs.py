"""Rows of a job: measured and skipped cases, placement of buffers, and the job's name."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from packages_for_tests import (
    ARM,
    AVR,
    BOARDS,
    at,
    board,
    copied,
    dec,
    enc,
    files,
    package,
    run,
    toy,
)
from pennyweight.campaign.plan import planned
from pennyweight.job import Job
from pennyweight.measure import job_key, run_job, verdicts
from pennyweight.model import Case, Operation, Status, UserError
from pennyweight.target import Target
from pennyweight.verify import Verdict, verify
from verdicts import cached_by_project

pytestmark = cached_by_project("measurements")

HASH = Operation.HASH
FAST = "stm32f030-48mhz"


def bundled(name: str) -> str:
    return files().find(name)[0].id


@pytest.mark.parametrize("name", BOARDS)
def test_a_row_shows_all_of_a_case(name: str) -> None:
    result = run(toy("ref"), name, enc(5, 20), dec(5, 20), flags="-O2")
    for row, op in zip(result.measurements, ("enc", "dec"), strict=True):
        assert (row.algorithm, row.implementation, row.board) == ("toy", "ref", name)
        assert (row.op, row.ad, row.m, row.flags) == (op, 5, 20, "-O2")
        assert (row.status, row.reason, row.buffers) == (Status.OK, "", "separate")
        assert row.cycles and row.instructions and row.stack
        assert row.cycles == row.cycles_cold
        assert row.instructions <= row.cycles
        assert row.flash and row.flash_enc and row.flash_dec
        assert row.ram == 0
    origin = result.provenance
    assert "gcc" in origin.compiler_version
    for digest in (
        origin.job,
        origin.sources_sha256,
        origin.board_sha256,
        origin.firmware_sha256,
        origin.compiler_sha256,
    ):
        assert len(digest) == 64
    assert origin.simulator_version
    assert result.symbols
    assert pickle.loads(pickle.dumps(result)) == result


@pytest.mark.parametrize("name", BOARDS)
def test_the_same_job_gives_the_same_rows(name: str) -> None:
    cases = (enc(3, 9), dec(0, 40), enc(0, 0))
    assert run(toy("ref"), name, *cases) == run(toy("ref"), name, *cases)
    turned = run(toy("ref"), name, *reversed(cases)).measurements
    assert list(reversed(turned)) == run(toy("ref"), name, *cases).measurements


@pytest.mark.parametrize("name", BOARDS)
def test_cycles_follow_the_length_exactly_in_a_cipher_of_bytes(name: str) -> None:
    rows = run(toy("ref"), name, *(enc(0, m) for m in (8, 16, 24, 48)), verify="none").measurements
    eight, sixteen, more, most = (row.cycles or 0 for row in rows)
    assert 0 < sixteen - eight == more - sixteen
    assert most - more == 3 * (more - sixteen)


def test_a_buffered_flash_makes_the_second_call_differ_from_the_first() -> None:
    slow = run(toy("ref"), ARM, enc(8, 64), verify="none").measurements[0]
    fast = run(toy("ref"), FAST, enc(8, 64), verify="none").measurements[0]
    assert slow.cycles is not None and fast.cycles is not None
    assert fast.cycles > slow.cycles
    assert fast.instructions == slow.instructions
    assert slow.cycles == slow.cycles_cold
    assert fast.cycles_cold is not None


def test_a_message_too_long_for_two_buffers_is_measured_in_place() -> None:
    rows = run(toy("ref"), AVR, enc(0, 500), enc(0, 1240), dec(0, 1240)).measurements
    assert [row.buffers for row in rows] == ["separate", "in place", "in place"]
    assert all(row.status == Status.OK for row in rows)


def test_where_in_place_fails_a_long_message_does_not_fit() -> None:
    short, long = run(toy("not_in_place"), AVR, enc(0, 500), enc(0, 1240)).measurements
    assert short.status == Status.OK
    assert long.status == Status.DOES_NOT_FIT
    assert "bytes too many: the buffers and about" in long.reason


@pytest.mark.parametrize(("m", "status"), [(1872, Status.OK), (1944, Status.DOES_NOT_FIT)])
def test_ram_ends_where_it_ends(m: int, status: Status) -> None:
    [row] = run(toy("ref"), AVR, enc(0, m)).measurements
    assert row.status == status, row.reason


def test_the_bytes_over_are_those_that_are_missing() -> None:
    rows = run(toy("ref"), AVR, enc(0, 4000), enc(0, 4100)).measurements
    over = [int(row.reason.partition(" ")[0]) for row in rows]
    assert over[1] - over[0] == 104  # 100, aligned to 8
    assert 4000 + 16 + 40 - 2048 <= over[0] <= 4000 + 16 + 40 - 2048 + 200


def test_little_free_ram_is_enough_for_short_messages() -> None:
    result = run(toy("fills_ram"), AVR, enc(0, 8), enc(0, 200))
    short, long = result.measurements
    assert short.status == Status.OK
    assert long.status == Status.DOES_NOT_FIT
    assert result.notes == ["128 of 1089 records are too long for the part's RAM"]


def test_a_stack_that_grows_with_the_message_overflows(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    source = folder / "encrypt.c"
    text = source.read_text()
    deep = "static int deep(unsigned long long n)\n{\n    volatile unsigned char frame[40];\n\n"
    deep += "    frame[0] = (unsigned char)n;\n    return n ? deep(n - 1) + frame[0] : 0;\n}\n\n"
    text = text.replace("static void toy_absorb", deep + "static void toy_absorb", 1)
    source.write_text(
        text.replace("(void)nsec;", "(void)nsec; c[0] = (unsigned char)deep(mlen);", 1)
    )
    short, long = run(at(folder), ARM, enc(0, 8), enc(0, 300), verify="none").measurements
    assert short.status == Status.OK
    assert long.status == Status.STACK_OVERFLOW
    assert "bytes of stack" in long.reason


def test_the_budget_ends_a_call() -> None:
    small, large = run(
        toy("ref"), AVR, enc(0, 0), enc(0, 500), verify="none", budget=100_000
    ).measurements
    assert small.status == Status.OK
    assert large.status == Status.OUT_OF_CYCLES
    assert "did not return within 100000 cycles, in " in large.reason


@pytest.mark.parametrize("name", BOARDS)
def test_faults_while_measuring_are_rows_too(name: str) -> None:
    case = dec(0, 8)
    for fault, status in (
        ("jumps_away", Status.CRASHED),
        ("rejects_valid", Status.REJECTED_VALID),
        ("writes_outside", Status.WROTE_OUTSIDE),
        ("loops", Status.OUT_OF_CYCLES),
    ):
        [row] = run(toy(fault), name, case, verify="none").measurements
        assert row.status == status, fault
    [row] = run(toy("wrong_length"), name, enc(0, 8), verify="none").measurements
    assert row.status == Status.WRONG_ANSWER


@pytest.mark.parametrize("name", BOARDS)
def test_a_hash_is_measured(name: str) -> None:
    zero, more = run(
        package("crypto_hash/toyhash/ref"), name, Case(HASH, 0, 0), Case(HASH, 0, 100)
    ).measurements
    assert zero.cycles is not None and more.cycles is not None
    assert zero.cycles < more.cycles
    assert zero.flash and zero.flash_enc is None


@pytest.mark.parametrize("name", [*BOARDS, FAST])
@pytest.mark.parametrize("algorithm", ["ascon-aead128", "aes-128-gcm", "chacha20-poly1305"])
def test_the_parts_of_a_message_are_nearly_the_whole(algorithm: str, name: str) -> None:
    implementation = files().find(algorithm)[0]
    parts = ("init", "ad", "encrypt", "finalize", "tag")
    cases = [enc(16, 64), *(Case(Operation(part), 16, 64) for part in parts)]
    whole, *pieces = run(implementation, name, *cases, verify="none").measurements
    assert all(row.status == Status.OK for row in pieces)
    assert whole.cycles is not None
    total = sum(row.cycles or 0 for row in pieces)
    assert 0.85 * whole.cycles < total < 1.05 * whole.cycles


@pytest.mark.parametrize("name", BOARDS)
def test_decryption_has_its_parts(name: str) -> None:
    implementation = files().find("ascon-aead128")[0]
    cases = [Case(operation, 8, 24) for operation in (Operation.DECRYPT, Operation.VERIFY)]
    rows = run(implementation, name, *cases, verify="none").measurements
    assert [row.status for row in rows] == [Status.OK, Status.OK]


@pytest.mark.parametrize("name", BOARDS)
def test_the_parts_of_a_hash_are_nearly_the_whole(name: str) -> None:
    implementation = files().find("sha-256")[0]
    cases = [Case(HASH, 0, 200)]
    cases += [Case(each, 0, 200) for each in implementation.parts()]
    whole, *pieces = run(implementation, name, *cases, verify="none").measurements
    assert whole.cycles is not None
    total = sum(row.cycles or 0 for row in pieces)
    assert 0.9 * whole.cycles < total < 1.05 * whole.cycles


def test_what_an_implementation_does_not_offer_is_skipped() -> None:
    rows = run(toy("ref"), AVR, Case(HASH, 0, 8), Case(Operation.INIT, 0, 0)).measurements
    assert [row.status for row in rows] == [Status.SKIPPED, Status.SKIPPED]
    assert rows[0].reason == "toy/ref is of kind 'aead', which has no operation 'hash'"
    assert rows[1].reason == "toy/ref has no incremental API"


def test_a_folder_that_cannot_be_read_is_skipped_with_its_sentence() -> None:
    tree = files().find(str(toy("ref").folder.parent))
    [sizeless] = [each for each in tree if each.name == "no_sizes"]
    [row] = run(sizeless, AVR, enc(0, 0)).measurements
    assert row.status == Status.SKIPPED
    assert "CRYPTO_NPUBBYTES is not defined; add it, in bytes" in row.reason


def test_a_package_in_a_folder_of_any_name_is_measured(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    moved = tmp_path / "my cipher (2)"
    folder.rename(moved)
    [row] = run(at(moved), ARM, enc(0, 8)).measurements
    assert (row.status, row.algorithm) == (Status.OK, "my cipher (2)")


def test_a_board_of_ones_own_is_one_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = board(ARM).text.replace('"stm32f030"', '"mine"')
    path.write_text(
        text.replace("size = 0x1000", "size = 0x800").replace("0x2000_0000", "0x2000_4000")
    )
    mine = files().board(str(path))
    small, large = run_job(Job(toy("ref"), mine, "-Os", [enc(0, 64), enc(0, 1990)])).measurements
    assert (small.status, small.board) == (Status.OK, "mine")
    assert large.status == Status.DOES_NOT_FIT
    usual = run(toy("ref"), ARM, enc(0, 64)).measurements[0]
    assert small.cycles == usual.cycles


@pytest.mark.parametrize("ram", [0x80, 0x100, 0x180, 0x280, 0x600])
@pytest.mark.parametrize("algorithm", ["ascon-aead128", "sha-256", "chacha20-poly1305"])
def test_a_part_of_any_size_gives_rows_and_no_traceback(
    algorithm: str, ram: int, tmp_path: Path
) -> None:
    path = tmp_path / "small.toml"
    text = board(ARM).text.replace('"stm32f030"', '"small"')
    path.write_text(text.replace("size = 0x1000", f"size = {ram:#x}"))
    implementation = files().find(algorithm)[0]
    operations = (*implementation.operations(), *implementation.parts())
    cases = [Case(operation, 0, 40) for operation in operations]
    small = files().board(str(path))
    rows = run_job(Job(implementation, small, "-Os", cases, verify="quick")).measurements
    allowed = {Status.OK, Status.DOES_NOT_FIT, Status.STACK_OVERFLOW}
    assert {row.status for row in rows} <= allowed, [row.reason for row in rows]
    assert all(row.reason for row in rows if row.status != Status.OK)
    if ram >= 0x600:
        assert {row.status for row in rows} == {Status.OK}
    if ram <= 0x80:
        assert Status.OK not in {row.status for row in rows}


@pytest.mark.parametrize("flags", ["-O9", "-fplugin=x.so", "-Os -fno-such-thing"])
def test_flags_that_cannot_be_are_the_callers_mistake(flags: str) -> None:
    with pytest.raises(UserError):
        run(toy("ref"), AVR, enc(0, 0), flags=flags)


def key(path: Path, **changes: Any) -> str:
    options: dict[str, Any] = {"board": AVR, "flags": "-Os", "cases": [enc(0, 0)]}
    options |= {"verify": "full", "budget": 1_000_000} | changes
    return job_key(
        Job(
            at(path),
            board(options["board"]),
            options["flags"],
            options["cases"],
            options["verify"],
            options["budget"],
        )
    )


def test_a_key_names_everything_that_rows_depend_on(tmp_path: Path) -> None:
    folder = copied(tmp_path / "a")
    again = copied(tmp_path / "b")
    first = key(folder)
    assert first == key(folder) == key(again)
    others = {
        key(folder, board=ARM),
        key(folder, board=FAST),
        key(folder, flags="-O2"),
        key(folder, cases=[enc(0, 1)]),
        key(folder, cases=[enc(0, 0), enc(0, 0)]),
        key(folder, verify="quick"),
        key(folder, budget=2_000_000),
    }
    assert len(others | {first}) == 8
    source = again / "encrypt.c"
    source.write_text(source.read_text() + "\n")
    assert key(again) not in others | {first}


def test_jobs_of_one_name_have_rows_of_one_spelling(tmp_path: Path) -> None:
    """Else two people's results of a job would differ by a space."""
    folder = copied(tmp_path)
    for flags in ("-Os -fno-inline", " -Os  '-fno-inline' "):
        assert key(folder, flags=flags) == key(folder, flags="-Os -fno-inline")
        job = planned(Job(at(folder), board(ARM), flags, [enc(0, 0)]))
        [row] = run(at(folder), ARM, enc(0, 0), flags=flags, verify="none").measurements
        assert job.flags == row.flags == "-Os -fno-inline"


def test_a_key_changes_with_manifest_header_and_known_answers(tmp_path: Path) -> None:
    folder = copied(tmp_path, "leaves_plaintext")
    keys = {key(folder)}
    header = tmp_path / "common" / "toy.h"
    header.write_text(header.read_text() + "\n")
    keys.add(key(folder))
    (folder / "implementation.toml").write_text('include = ["../../../common"]\nin_place = true\n')
    keys.add(key(folder))
    (folder / "LWC_AEAD_KAT_128_128.txt").write_text("\n")
    keys.add(key(folder))
    assert len(keys) == 4


def test_a_key_of_what_cannot_be_built_is_a_key_all_the_same(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "implementation.toml").write_text('sources = ["nowhere.c"]\n')
    before = key(folder)
    (folder / "encrypt.c").write_text("\n")
    assert len(before) == 64
    assert key(folder) != before
    [row] = run(at(folder), AVR, enc(0, 0)).measurements
    assert row.status == Status.BUILD_FAILED
    assert "there is no file 'nowhere.c'" in row.reason


def test_an_unreadable_package_is_the_same_job_in_every_folder(tmp_path: Path) -> None:
    found = []
    for place in ("one", "another"):
        folder = copied(tmp_path / place)
        (folder / "api.h").unlink()
        found.append(run(at(folder.parent.parent), AVR, enc(0, 0)))
    assert found[0] == found[1]
    assert found[0].measurements[0].reason.startswith("crypto_aead/toy/ref: has sources but no")


def test_an_image_that_the_simulator_refuses_is_a_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_board: object, _elf: bytes) -> None:
        raise ValueError("a segment is outside the part's memories")

    folder = copied(tmp_path)
    run(at(folder), AVR, enc(0, 3))  # the board's own check takes place
    monkeypatch.setattr("pennyweight.target.simulated.SimulatedMachine", refuse)
    [row] = run(at(folder), AVR, enc(0, 3), flags="-O1").measurements
    assert row.status == Status.BUILD_FAILED
    assert row.reason == "a segment is outside the part's memories"


def test_boards_share_a_verdict_only_if_they_run_one_image(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    source = folder / "encrypt.c"
    text = source.read_text()
    assert "(void)nsec;" in text
    source.write_text(
        "#ifndef WRONG\n#define WRONG 0\n#endif\n"
        + text.replace("(void)nsec;", "(void)nsec; if (WRONG) return 1;", 1)
    )
    path = tmp_path / "other.toml"
    reported = board(ARM).text.replace(f'"{ARM}"', '"other"', 1)
    path.write_text(reported.replace("flags = [", 'flags = ["-DWRONG=1", '))
    other = files().board(str(path))
    assert run(at(folder), ARM, enc(0, 16)).measurements[0].status == Status.OK
    result = run_job(Job(at(folder), other, "-Os", [enc(0, 16)]))
    assert result.measurements[0].status == Status.WRONG_ANSWER


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[Verdict]:
    """What is really run, in the order of the runs."""
    found: list[Verdict] = []

    def watched(*arguments: Any) -> Verdict:
        found.append(verify(*arguments))
        return found[-1]

    monkeypatch.setattr(verdicts, "verify", watched)
    return found


def test_a_verdict_on_a_bundled_implementation_holds_for_its_images(
    tmp_path: Path, checked: list[Verdict]
) -> None:
    folder = copied(tmp_path)
    source = folder / "encrypt.c"
    text = source.read_text()
    for written in (text, f"/* One line more. */\n{text}", text.replace("(void)nsec;", ";", 1)):
        source.write_text(written)
        [row] = run(replace(at(folder), bundled=True), AVR, enc(0, 3)).measurements
        assert row.status == Status.OK
    assert len(checked) == 1
    run(replace(at(folder), bundled=True), AVR, enc(0, 3), flags="-O1")
    run(replace(at(folder), bundled=True), AVR, enc(0, 3), verify="every")
    run(at(folder), AVR, enc(0, 3))
    source.write_text(f"/* Two lines more.\n */\n{text}")
    run(at(folder), AVR, enc(0, 3))
    assert len(checked) == 5
    source.write_text(text.replace("(void)nsec;", "(void)nsec; if (mlen == 3) return 1;", 1))
    for _ in range(2):
        [row] = run(replace(at(folder), bundled=True), AVR, enc(0, 3)).measurements
        assert row.status == Status.WRONG_ANSWER
    assert len(checked) == 6
    source.write_text(f"/* Failures name lines. */\n{source.read_text()}")
    run(replace(at(folder), bundled=True), AVR, enc(0, 3))
    assert len(checked) == 7


def test_a_slower_board_takes_no_verdict_that_it_could_be_too_slow_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    longest: list[int] = []

    def watched(job: Job, full: Target, parts: Target | None) -> Verdict:
        verdict = verify(job, full, parts)
        longest.append(full.longest)
        return verdict

    monkeypatch.setattr(verdicts, "verify", watched)
    given = at(copied(tmp_path))
    for name in (ARM, FAST):
        run(given, name, enc(0, 16), budget=19_000_000)
    assert len(longest) == 1
    for name in (ARM, FAST):
        assert run(given, name, budget=longest[0] + 1).measurements[0].reason == ""
    assert len(longest) == 3
