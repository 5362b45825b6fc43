"""`measure` and `verify` on packages that behave and on packages that do not."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import pennyweight
from cli_runs import Command, runner
from packages_for_tests import PACKAGES, board
from pennyweight.api import compilers
from pennyweight.model import Measurement, Provenance, UserError
from pennyweight.toolchains.msp430_elf_gcc import Msp430ElfGcc

TOY = PACKAGES / "crypto_aead" / "toy"
BOARDS = "atmega328p,stm32f030"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


def test_rows_have_every_field_and_come_in_the_order_asked_for(run: Command) -> None:
    done = run(
        "measure", TOY / "ref", "--board", BOARDS, "--flags", "-Os", "--flags", "-O3 -flto",
        "--lengths", "16:64,0:0", "--format", "json",
    )  # fmt: skip
    assert done.status == 0 and done.err == ""
    assert [(r["board"], r["flags"], r["op"], r["ad"], r["m"]) for r in done.rows] == [
        (name, flags, op, ad, m)
        for name in ("atmega328p", "stm32f030")
        for flags in ("-Os", "-O3 -flto")
        for op in ("enc", "dec")
        for ad, m in ((16, 64), (0, 0))
    ]
    fields = {*Measurement.__dataclass_fields__, *Provenance.__dataclass_fields__, "notes"}
    for row in done.rows:
        assert set(row) == fields
        assert row["algorithm"] == "toy" and row["implementation"] == "ref"
        assert row["status"] == "ok" and row["reason"] == ""
        assert row["cycles"] > 0 and row["instructions"] > 0 and row["stack"] > 0
        assert row["flash"] > 0 and row["ram"] == 0


def test_the_same_request_gives_the_same_numbers(run: Command) -> None:
    words = ("measure", TOY / "ref", "--board", "stm32f030", "--format", "csv")
    assert run(*words).out == run(*words).out


def test_csv_and_api_report_the_same_as_json(run: Command) -> None:
    words = ("measure", TOY / "ref", "--board", "stm32f030", "--lengths", "4:0-8/4", "--op", "enc")
    rows = run(*words, "--format", "json").rows
    table = list(csv.DictReader(io.StringIO(run(*words, "--format", "csv").out)))
    assert [r["cycles"] for r in table] == [str(r["cycles"]) for r in rows]
    found = pennyweight.measure(TOY / "ref", "stm32f030", lengths="4:0-8/4", op="enc")
    assert found.to_pylist() == rows


def test_the_long_form_shows_each_build(run: Command) -> None:
    done = run("measure", TOY / "ref", "--board", "stm32f030", "--lengths", "16:64", "--long")
    lines = done.out.splitlines()
    assert lines[0] == "toy/ref on stm32f030, -O2"
    assert max(len(line) for line in lines) <= 80
    assert "flash " in lines[1] and "enc only" in lines[1]
    cells = [line.split()[:3] for line in lines]
    assert ["enc", "16", "64"] in cells and ["dec", "16", "64"] in cells


def test_the_table_has_a_row_for_each_build_and_length(run: Command) -> None:
    """The fastest of each length is marked, the others have their ratio to it."""
    words = ("--board", "stm32f030", "--lengths", "16:64,0:8", "--no-verify")
    flags = ("--flags", "-Os", "--flags", "-O3")
    done = run("measure", "sha-256", TOY / "ref", *words, *flags)
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[0] == "toy/ref, stm32f030" and "stm32f030" in lines
    assert max(map(len, lines)) <= 80
    assert lines[-1] == "Not verified (--verify none)."
    rows = run("measure", "sha-256", TOY / "ref", *words, *flags, "--format", "json").rows
    best = min(r["cycles"] for r in rows if r["op"] == "hash" and r["m"] == 64)
    of_64 = [
        line.split() for line in lines if line.startswith("sha-256/") and line.split()[2] == "64"
    ]
    assert ["fastest" in cells for cells in of_64] == [True] + [False] * (len(of_64) - 1)
    assert len(of_64) > 4 and f"{best:,}" in of_64[0]
    slowest = max(r["cycles"] for r in rows if r["op"] == "hash" and r["m"] == 64)
    assert f"{slowest / best:.2f}" in of_64[-1]


def test_boards_and_lengths_head_groups_where_columns_are_scarce(
    run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("--board", "stm32f030,atmega328p", "--lengths", "16:64,16", "--no-verify")
    flags = ("--flags", "-Os", "--flags", "-O3 -funroll-loops")
    asked = ("measure", "ascon-aead128/fast8", "ascon-aead128/small", *words, *flags)
    monkeypatch.setenv("COLUMNS", "80")
    narrow = run(*asked)
    lines = narrow.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert {"flash", "stack"} <= set(lines[0].split() + lines[1].split())
    headings = [line for line in lines if line.endswith("bytes of message:")]
    assert headings == [
        f"{board}, {ad} bytes of associated data, {m} bytes of message:"
        for board in ("stm32f030", "atmega328p")
        for ad, m in ((16, 64), (0, 16))
    ]
    monkeypatch.setenv("COLUMNS", "160")
    wide = run(*asked).out
    assert ":\n" not in wide and wide.count("atmega328p") == 8


def test_each_kind_of_algorithm_has_its_table(run: Command) -> None:
    names = ("ascon-aead128/small", "ascon-hash256/small", "sha-256/small")
    done = run("measure", *names, "--board", "stm32f030", "--lengths", "16:64", "--no-verify")
    aead, hashes = done.out.split("\n\n")
    assert "enc cycles" in aead and "hash cycles" not in aead and "sha-256" not in aead
    assert "hash cycles" in hashes and "AD" not in hashes
    assert hashes.startswith("stm32f030, -O2, 64 bytes of message\n")


def test_what_all_rows_share_heads_the_table(run: Command) -> None:
    done = run("measure", TOY / "ref", "--board", "stm32f030", "--lengths", "16:64")
    first = "stm32f030, -O2, 16 bytes of associated data, 64 bytes of message"
    assert done.out.splitlines()[0] == first
    assert "ratio" not in done.out
    assert "Not verified: toy: no known answers (1089 of 1089 round trips" in done.out


def test_one_line_states_what_was_verified(run: Command) -> None:
    words = ("--board", "stm32f030", "--lengths", "0:8", "--verify", "quick")
    done = run("measure", "sha-256/small", TOY / "ref", *words)
    assert (
        "Verified: 1 of 1 build passed a sample of 33 known-answer tests that fit into RAM; --long"
        in " ".join(done.out.split())
    )
    assert "Not verified: toy: no known answers" in " ".join(done.out.split())
    failed = run("measure", TOY / "rejects_valid", *words)
    assert "Verified: 0 of 1 build passed a sample" in " ".join(failed.out.split())


def test_a_hash_takes_the_message_only(run: Command) -> None:
    rows = run(
        "measure", "sha-256", "--board", "stm32f030", "--lengths", "16:64,0:64,8:0", "--no-verify",
        "--format", "json",
    ).rows  # fmt: skip
    assert {(r["op"], r["ad"], r["m"]) for r in rows} == {("hash", 0, 64), ("hash", 0, 0)}
    assert all(r["verified"] == "not verified" for r in rows)


def test_parts_of_a_package_without_them_are_skipped_rows(run: Command) -> None:
    words = ("--board", "stm32f030", "--lengths", "0:1", "--parts", "--verify", "quick")
    done = run("measure", PACKAGES / "crypto_aead" / "toy" / "ref", *words, "--format", "json")
    assert done.status == 1
    reasons = {row["op"]: row["reason"] for row in done.rows}
    assert reasons["enc"] == reasons["dec"] == ""
    assert reasons["init"] == reasons["tag"] == "toy/ref has no incremental API"


def test_parts_are_measured_in_addition_to_the_whole(run: Command) -> None:
    rows = run(
        "measure", "ascon-aead128", "--board", "stm32f030", "--parts", "--no-verify", "--format",
        "json",
    ).rows  # fmt: skip
    first = [r for r in rows if r["implementation"] == rows[0]["implementation"]]
    cycles = {r["op"]: r["cycles"] for r in first}
    assert {"enc", "dec", "init", "ad", "encrypt", "finalize", "tag", "verify"} <= set(cycles)
    whole = cycles["init"] + cycles["ad"] + cycles["encrypt"] + cycles["finalize"] + cycles["tag"]
    assert whole == pytest.approx(cycles["enc"], rel=0.15)


def test_parts_have_a_table_below_that_of_the_whole(run: Command) -> None:
    names = ("ascon-aead128/fast32", "ascon-aead128/small")
    words = ("measure", *names, "--board", "stm32f030", "--lengths", "0:16", "--parts")
    rows = run(*words, "--no-verify", "--format", "json").rows
    lines = run(*words, "--no-verify").out.splitlines()
    whole, parts = [i for i, line in enumerate(lines) if line.startswith("implementation")]
    assert lines[whole].split()[:4] == ["implementation", "enc", "dec", "ratio"]
    heading = " ".join(map(str.strip, lines[parts - 2 : parts]))
    assert heading.startswith("Cycles of the incremental parts: stm32f030, 0 bytes of associated")
    operations = lines[parts].split()[1:]
    assert operations == ["init", "ad", "encrypt", "decrypt", "finalize", "tag", "verify"]
    cycles = {(r["implementation"], r["op"]): f"{r['cycles']:,}" for r in rows}
    for line in lines[parts + 2 : parts + 4]:
        name, *printed = line.split()
        assert printed == [cycles[name.removeprefix("ascon-aead128/"), op] for op in operations]
    assert max(map(len, lines)) <= 80


def test_a_board_file_of_ones_own(run: Command, tmp_path: Path) -> None:
    text = board("stm32f030").text.replace('id = "stm32f030"', 'id = "my-board"')
    mine = tmp_path / "my board.toml"
    mine.write_text(text, encoding="utf-8")
    rows = run("measure", TOY / "ref", "--board", f"stm32f030,{mine}", "--format", "json").rows
    cycles = {r["board"]: r["cycles"] for r in rows if r["op"] == "enc"}
    assert set(cycles) == {"stm32f030", "my-board"}
    assert cycles["stm32f030"] == cycles["my-board"]
    mine.write_text(text.replace("hz = 8_000_000", ""), encoding="utf-8")
    printed = run("measure", TOY / "ref", "--board", mine).refused()
    assert str(mine) in printed and "clock.hz" in printed


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("does_not_compile", "build failed"),
        ("undefined_function", "build failed"),
        ("no_decrypt", "build failed"),
        ("loops", "ran out of cycles"),
        ("overflows_stack", "stack overflow"),
        ("writes_outside", "wrote outside its buffer"),
        ("too_large", "does not fit"),
        ("rejects_valid", "rejected a valid message"),
        ("jumps_away", "crashed"),
    ],
)
def test_what_goes_wrong_is_a_row_with_a_reason_and_status_1(
    run: Command, name: str, status: str
) -> None:
    words = ("measure", TOY / name, "--board", "stm32f030", "--budget", "20000000")
    done = run(*words, "--format", "json")
    assert done.status == 1
    assert {r["status"] for r in done.rows} == {status}
    for row in done.rows:
        assert row["reason"] and row["cycles"] is None
    table = run(*words)
    assert table.status == 1 and f"toy/{name} on stm32f030, -O2: {status}; " in table.out
    assert max(len(line) for line in table.out.splitlines()) <= 80


def test_one_bad_implementation_does_not_stop_the_others(run: Command) -> None:
    done = run(
        "measure", TOY / "does_not_compile", TOY / "ref", "--board", "stm32f030", "--format", "json"
    )
    assert done.status == 1
    found = {(r["implementation"], r["status"]) for r in done.rows}
    assert found == {("does_not_compile", "build failed"), ("ref", "ok")}


def test_a_length_that_does_not_fit_is_reported_next_to_one_that_does(run: Command) -> None:
    done = run(
        "measure", TOY / "ref", "--board", "atmega328p", "--lengths", "0:8,0:4000", "--op", "enc"
    )
    assert done.status == 1
    assert "toy/ref on atmega328p, -O2 (1 of 2 cases): does not fit; " in done.out
    assert "atmega328p, -O2, 0 bytes of associated data, 8 bytes of message" in done.out


def test_a_folder_without_its_header_is_refused(run: Command) -> None:
    printed = run("measure", TOY / "no_api", "--board", "stm32f030").refused()
    assert "api.h" in printed


def test_folders_of_one_name_are_distinguished_by_their_location(
    run: Command, tmp_path: Path
) -> None:
    import shutil

    for version in ("v1", "v2"):
        shutil.copytree(TOY / "ref", tmp_path / version / "crypto_aead" / "toy" / "ref")
    shutil.copytree(TOY / "ref", tmp_path / "crypto_aead" / "ascon128v12" / "small")
    shutil.copytree(TOY / "ref", tmp_path / "crypto_aead" / "ascon128" / "small")
    done = run("implementations", tmp_path, "ascon-128/small", "--format", "json")
    assert [row["implementation"] for row in json.loads(done.out)] == [
        "ascon-128/small@ascon128",
        "ascon-128/small@ascon128v12",
        "toy/ref@v1",
        "toy/ref@v2",
        "ascon-128/small",
    ]


def test_verify_reports_passed_and_failed_implementations(run: Command) -> None:
    wrong = PACKAGES / "crypto_hash" / "sha256" / "wrong"
    done = run("verify", "sha-256/small", wrong, "--board", "stm32f030", "--format", "json")
    assert done.status == 1
    good, bad = done.rows
    assert good["status"] == "ok" and "records" in good["verified"] and good["reason"] == ""
    assert bad["status"] == "wrong answer" and bad["reason"]
    alone = run("verify", "sha-256/small", "--board", "stm32f030", "--flags", "-Os")
    assert alone.status == 0 and "sha-256/small: ok on stm32f030\n" in alone.out


def test_verify_all_tries_everything_where_there_is_a_compiler(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import shutil

    from pennyweight.catalogue import data_root

    root = data_root()
    for name in ("algorithms", "cores", "firmware"):
        (tmp_path / name).symlink_to(root / name)
    for name in ("sha2", "util"):
        shutil.copytree(root / "implementations" / name, tmp_path / "implementations" / name)
    manifest = tmp_path / "implementations" / "sha2" / "manifest.toml"
    first = 'algorithms = ["sha-256"]\n'
    manifest.write_text(
        manifest.read_text().replace(first, f'{first}representations = ["small"]\n')
    )
    text = (root / "boards" / "stm32f030.toml").read_text()
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "stm32f030.toml").write_text(text)
    (tmp_path / "boards" / "slow.toml").write_text(text.replace('id = "stm32f030"', 'id = "slow"'))
    monkeypatch.setenv("PENNYWEIGHT_ROOT", str(tmp_path))
    monkeypatch.setattr("pennyweight.progress._LINE_SECONDS", 0)

    done = run("verify", "--all")
    assert (done.status, done.out) == (0, "2 of 2 verifications passed.\n")
    assert "pennyweight: 1/2 jobs" in done.err  # a line a minute, where it runs by itself
    source = tmp_path / "implementations" / "sha2" / "sha256.c"
    source.write_text(source.read_text() + "\n#error broken\n")
    broken = run("verify", "--all")
    assert broken.status == 1
    assert "build failed on slow, stm32f030\n" in broken.out
    assert broken.out.count("#error broken") == 1
    assert broken.out.endswith("0 of 2 verifications passed.\n")

    monkeypatch.setattr("pennyweight.toolchains.missing", lambda board: f"{board.id} lacks a gcc")
    assert "no compiler is installed for any board" in run("verify", "--all").err
    assert "remove 'sha-256' or --all" in run("verify", "--all", "sha-256").refused()


def test_the_api_says_the_same_as_the_command_line() -> None:
    assert "stm32f030" in pennyweight.boards()["board"].to_pylist()
    assert "sha-256" in pennyweight.algorithms()["algorithm"].to_pylist()
    small = pennyweight.implementations("sha-256")
    assert set(small["algorithm"].to_pylist()) == {"sha-256"}
    verdicts = pennyweight.verify("sha-256/small", "stm32f030")
    assert verdicts["status"].to_pylist() == ["ok"]
    with pytest.raises(UserError, match="unknown board"):
        pennyweight.measure("sha-256", "stm32f031")
    with pytest.raises(UserError, match="names: at least one is required"):
        pennyweight.measure([], "stm32f030")
    api: Any = pennyweight
    for wrong, reported in (
        ({"names": 3}, "names: 3 is not a name"),
        ({"boards": ["stm32f030", None]}, "boards: None is not a name"),
        ({"flags": 2}, "flags: 2 is not a name"),
        ({"op": 1}, "op: 1 is not a name"),
        ({"lengths": 16}, "lengths: 16 is not a list of pairs"),
        ({"jobs": 0}, "jobs: 0 is not an integer"),
        ({"budget": "much"}, "budget: 'much' is not an integer"),
    ):
        with pytest.raises(UserError, match=reported):
            api.measure(**{"names": "sha-256/small", "boards": "stm32f030", **wrong})


def test_rooms_and_functions_live_under_one_name() -> None:
    import inspect

    from pennyweight.measure import run_job

    package: Any = pennyweight
    assert package.measure.run_job is run_job
    assert list(inspect.signature(package.measure).parameters)[:2] == ["names", "boards"]
    assert set(dir(pennyweight)) >= {"boards", "measure", "report", "run", "verify"}
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = package.nothing


def test_a_bad_folder_among_several_is_a_row_and_the_others_are_measured(
    run: Command, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "LICENSE").write_text("free")
    bad = (tmp_path / "empty", tmp_path / "LICENSE")
    words = ("--board", "stm32f030", "--lengths", "0:16", "--op", "enc", "--format", "json")
    done = run("measure", TOY / "ref", *bad, *words)
    assert done.status == 1
    assert [row["status"] for row in done.rows] == ["ok", "skipped", "skipped"]
    assert (
        "no api.h (nor FELICS's constants.h) in it" in done.rows[1]["reason"]
        and "not a folder" in done.rows[2]["reason"]
    )
    assert [row["algorithm"] for row in done.rows[1:]] == ["empty", "license"]
    assert "no api.h" in run("measure", bad[0], *words).refused()


@pytest.fixture
def no_building(monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler is missing, and building it a failure."""

    def build(*_: object) -> None:
        raise AssertionError("a compiler was going to be built")

    monkeypatch.setattr(Msp430ElfGcc, "locate", lambda _: None)
    monkeypatch.setattr(compilers, "_build", build)


@pytest.mark.parametrize(
    "command",
    [
        ("measure", "no-such-cipher"),
        ("measure", "ascon-aead128", "--lengths", "1:x"),
        ("measure", "ascon-hash256", "--op", "enc"),
        ("verify", "no-such-cipher"),
        ("profile", "no-such-cipher"),
        ("choose", "no-such-cipher", "--message", "16"),
        ("time", "nowhere.c", "--function", "f"),
    ],
)
def test_no_compiler_is_built_for_a_request_that_makes_no_sense(
    run: Command, no_building: None, command: tuple[str, ...]
) -> None:
    run(*command, "--board", "msp430f1611").refused()


@pytest.mark.parametrize(
    "wrong", [{"names": "no-such-cipher"}, {"by": "beauty"}, {"battery": -1}, {"op": "dance"}]
)
def test_no_compiler_is_built_to_choose_what_makes_no_sense(
    no_building: None, wrong: dict[str, Any]
) -> None:
    with pytest.raises(UserError):
        pennyweight.choose("msp430f1611", **wrong)


def test_more_calls_may_precede_the_measured_one(run: Command) -> None:
    case = ("--board", "fe310-g002", "--lengths", "0:16", "--op", "enc")
    words = ("measure", TOY / "ref", *case, "--verify", "none", "--format", "json")
    [once] = run(*words).rows
    done = run(*words, "--warm", "4")
    [more] = done.rows
    assert more["cycles"] <= once["cycles"] < once["cycles_cold"] == more["cycles_cold"]
    assert once["notes"] == "" and "after 4 others (--warm)" in more["notes"]
    assert "--warm: 0 is less than 1" in run(*words, "--warm", "0").refused()
