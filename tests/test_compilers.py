"""`--compiler`: compilers that a user chooses instead of a board's own."""

from __future__ import annotations

import csv
import re
import shutil
from pathlib import Path

import pytest

import cli_runs
from pennyweight import catalogue, toolchains
from pennyweight.analysis.compilers import is_chosen, label, versioned
from pennyweight.build.failure import BuildError, for_gcc_only
from pennyweight.campaign.plan import plan_study
from pennyweight.model import Status
from pennyweight.studies import read_study
from pennyweight.toolchains import clang as llvm
from pennyweight.toolchains import identity

SHORT = ("--lengths", "0:8", "--no-verify")
STUDY = """
id = "two-compilers"
title = "Two compilers"
boards = ["stm32f030"]
algorithms = ["sha-256"]
flags = ["-Os"]
verify = "quick"
compilers = ["gcc", "clang"]

[[implementations]]
bits = [32]
names = ["sha-256/small"]

[[cases]]
name = "block"
kind = "hash"
m = [8, 64]
"""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> cli_runs.Command:
    return cli_runs.runner(capsys)


@pytest.fixture(scope="module")
def clang() -> Path:
    """The setup installs it."""
    found = toolchains.clang_driver("clang")
    assert found is not None
    return found


def script(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def study(folder: Path, text: str = STUDY) -> Path:
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "board"),
    [
        ("chacha20-poly1305/fast32", "stm32f407-24mhz"),
        ("chacha20-poly1305/fast32", "fe310-g002"),
        ("chacha20-poly1305/fast32", "msp430f1611"),
        # Rotations, and sums of them, have inline assembly for avr-gcc and C for Clang.
        ("chacha20-poly1305/fast32", "atmega328p"),
        ("chacha20-poly1305/fast8", "atmega328p"),
        ("grain-128aeadv2/fast8", "atmega328p"),
        ("ascon-aead128/fast8", "atmega328p"),
        ("schwaemm256-128/asm8", "atmega328p"),
        ("xoodyak/small", "atmega328p"),
        ("gift-cofb/fast8", "atmega328p"),
        ("gimli-24-cipher/fast8", "atmega328p"),
        ("wage-ae-128/table8", "atmega328p"),
        ("grain-128aeadv2/fast32", "atmega328p"),
        ("norx32-4-1/small", "atmega328p"),
        ("hmac-sha256/small", "atmega328p"),
    ],
)
def test_builds_of_clang_pass_all_known_answers(
    run: cli_runs.Command, clang: Path, name: str, board: str
) -> None:
    asked = ("measure", name, "--board", board, "--lengths", "16:64")
    rows = run(*asked, "--compiler", "gcc,clang", "--flags", "-O2", "--format", "json").rows
    assert {row["status"] for row in rows} == {"ok"}
    own, other = rows[: len(rows) // 2], rows[len(rows) // 2 :]
    identity = f"clang-{llvm.version_of(llvm.version_line(clang) or '')}"
    assert {row["compiler"] for row in other} == {identity}
    assert {row["compiler"] for row in own} == {
        catalogue.load().board(board).file.compiler.toolchain
    }
    assert own[0]["compiler_sha256"] != other[0]["compiler_sha256"]
    assert own[0]["job"] != other[0]["job"]
    assert own[0]["cycles"] != other[0]["cycles"]
    assert "not verified" not in other[0]["verified"]


def test_the_table_has_a_row_for_each_compiler(run: cli_runs.Command, clang: Path) -> None:
    done = run(
        "measure", "sha-256/small", "--board", "stm32f030", *SHORT, "--compiler", "gcc,clang"
    )
    assert done.status == 0
    heading, *lines = done.out.splitlines()
    assert heading.startswith("sha-256/small, stm32f030, ")
    assert sum(re.search(r"gcc-\d+\.\d+", line) is not None for line in lines) == 1
    assert sum("clang-" in line for line in lines) == 1
    alone = run("measure", "sha-256/small", "--board", "stm32f030", *SHORT, "--compiler", "clang")
    assert alone.out.startswith("stm32f030, clang-")


def test_algorithms_are_chosen_by_their_best_compiler(run: cli_runs.Command, clang: Path) -> None:
    name = "chacha20-poly1305/fast32"
    asked = ("choose", name, "--board", "fe310-g002", "--message", "64", "--flags", "-O2")
    costs = {}
    for compiler in ("gcc", "clang", "gcc,clang"):
        [row] = run(*asked, "--compiler", compiler, "--format", "json").rows
        costs[compiler] = row["cycles"], row["flags"]
    assert costs["gcc"][1] == "-O2"
    assert re.fullmatch(r"clang-\d[\d.]* -O2", costs["clang"][1])
    assert costs["gcc"][0] != costs["clang"][0]
    assert costs["gcc,clang"] == min(costs["gcc"], costs["clang"])
    assert "unknown compiler 'tcc'" in run(*asked, "--compiler", "tcc").refused()


def test_a_program_that_does_not_answer_is_waited_for_once(
    run: cli_runs.Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identity, "ANSWER_LIMIT_S", 0.5)
    asked = tmp_path / "asked"
    other = script(tmp_path / "gcc", f"echo x >> {asked}; sleep 20")
    words = ("measure", "sha-256/small", "--board", "stm32f030", *SHORT, "--compiler", other)
    assert "is neither a GNU compiler nor Clang" in run(*words).refused()
    assert asked.read_text() == "x\n"


def test_the_boards_own_compiler_has_the_same_jobs_under_each_of_its_names(
    run: cli_runs.Command,
) -> None:
    asked = ("measure", "sha-256/small", "--board", "stm32f030", *SHORT, "--format", "json")
    own = run(*asked).rows
    path = shutil.which("arm-none-eabi-gcc")
    major = str(toolchains.find("arm-none-eabi-gcc").identity.version).split()[-2].split(".")[0]
    for name in ("gcc", f"gcc-{major}", path, "arm-none-eabi-gcc"):
        assert run(*asked, "--compiler", name).rows == own


def test_a_compiler_by_path_has_its_version_in_its_name(
    run: cli_runs.Command, tmp_path: Path
) -> None:
    """A copy at another place with another behaviour: here, one that changes the flags."""
    real = shutil.which("arm-none-eabi-gcc")
    other = script(tmp_path / "arm-none-eabi-gcc", f'exec {real} "$@"')
    asked = ("measure", "sha-256/small", "--board", "stm32f030", *SHORT, "--format", "json")
    [row] = run(*asked, "--compiler", other).rows
    assert row["status"] == "ok"
    assert row["compiler"].startswith("arm-none-eabi-gcc-")
    assert row["cycles"] == run(*asked).rows[0]["cycles"]
    assert row["compiler_sha256"] != run(*asked).rows[0]["compiler_sha256"]


@pytest.mark.parametrize(
    ("compiler", "message"),
    [
        ("tcc", "unknown compiler 'tcc': use clang, clang-VERSION, gcc, gcc-VERSION, or the path"),
        ("gcc,", "compiler"),
        ("clang-3", "compiler 'clang-3' is not installed; install it with `pennyweight toolchain"),
        ("gcc-3", "no arm-none-eabi-gcc of version 3 is on PATH for board 'stm32f030'"),
        ("/no/gcc", "compiler '/no/gcc': there is no such file; give the path of a compiler"),
        ("/bin/ls", "compiler '/bin/ls' is neither a GNU compiler nor Clang"),
        ("/etc", "compiler '/etc' is a folder; give the path of a compiler in it"),
        ("/etc/passwd", "compiler '/etc/passwd' is not executable; give the path of a compiler"),
        (
            "avr-gcc",
            "'avr-gcc' does not build for board 'stm32f030', which needs arm-none-eabi-gcc",
        ),
    ],
)
def test_a_wrong_compiler_is_one_sentence(
    run: cli_runs.Command, compiler: str, message: str
) -> None:
    asked = ("measure", "sha-256/small", "--board", "stm32f030", *SHORT, "--compiler", compiler)
    assert message in run(*asked).refused()


def test_a_compiler_for_another_machine_is_refused(run: cli_runs.Command) -> None:
    wrong = shutil.which("riscv64-unknown-elf-gcc")
    asked = ("measure", "sha-256/small", "--board", "stm32f030", *SHORT, "--compiler", wrong)
    assert "compiles for riscv64-unknown-elf, not for board 'stm32f030'" in run(*asked).refused()
    asked = ("measure", "sha-256/small", "--board", "esp32", *SHORT, "--compiler", "clang")
    assert "does not build for board 'esp32': Clang is supported for" in run(*asked).refused()


def test_of_several_boards_those_without_the_compiler_are_skipped(
    run: cli_runs.Command, clang: Path
) -> None:
    done = run(
        "measure", "sha-256/small", "--board", "esp32,stm32f030", *SHORT, "--compiler", "clang",
        "--format", "json",
    )  # fmt: skip
    assert done.status == 1
    assert [row["status"] for row in done.rows] == ["skipped", "ok"]
    assert "does not build for board 'esp32'" in done.rows[0]["reason"]


def test_link_time_optimisation_by_clang_is_skipped_with_a_reason(
    run: cli_runs.Command, clang: Path
) -> None:
    done = run(
        "measure", "sha-256/small", "--board", "stm32f030", *SHORT, "--compiler", "clang",
        "--flags", "-O2 -flto", "--format", "json",
    )  # fmt: skip
    assert [row["status"] for row in done.rows] == ["skipped"]
    assert "cannot read Clang's files for link-time optimisation" in done.rows[0]["reason"]


def test_inline_assembly_for_gcc_only_is_skipped() -> None:
    message = "rotate.h:32:13: error: couldn't allocate output register for constraint 'r'"
    found = for_gcc_only(BuildError(Status.BUILD_FAILED, message))
    assert found.status == Status.SKIPPED and found.reason.startswith("its inline assembly is for")
    other = BuildError(Status.BUILD_FAILED, "a.c:1:1: error: expected ';'")
    assert for_gcc_only(other) is other


def test_a_study_builds_with_each_of_its_compilers(tmp_path: Path, clang: Path) -> None:
    plan = plan_study(read_study(study(tmp_path)), catalogue.load())
    assert [job.compiler for job in plan.jobs] == ["", "clang"]
    assert plan.jobs[0].key != plan.jobs[1].key


@pytest.mark.parametrize(
    ("name", "message"),
    [("tcc", "unknown compiler 'tcc'"), ("clang-3", "compiler 'clang-3' is not installed")],
)
def test_a_study_with_an_unknown_compiler_is_refused(
    run: cli_runs.Command, tmp_path: Path, name: str, message: str
) -> None:
    path = study(tmp_path, STUDY.replace('"clang"', f'"{name}"'))
    output = run("run", "--study", path, "--results", tmp_path / "results").refused()
    assert f"study 'two-compilers': field 'compilers': {message}" in output
    assert not (tmp_path / "results").exists()


def test_a_wrong_compiler_of_the_option_is_not_a_fault_of_the_study(
    run: cli_runs.Command, tmp_path: Path
) -> None:
    words = ("run", "--study", study(tmp_path), "--results", tmp_path / "results")
    output = run(*words, "--compiler", "tcc").refused()
    assert output.startswith("pennyweight: --compiler: unknown compiler 'tcc': use clang,")
    assert "two-compilers" not in output
    assert not (tmp_path / "results").exists()


def test_the_report_compares_the_compilers(
    run: cli_runs.Command, tmp_path: Path, clang: Path
) -> None:
    results, pages = tmp_path / "results", tmp_path / "report"
    done = run("run", "--study", study(tmp_path), "--results", results, "--report", pages)
    assert done.status == 0, done
    page = (pages / "implementation-sha-256--small.html").read_text(encoding="utf-8")
    name = f"clang-{llvm.version_of(llvm.version_line(clang) or '')}"
    assert "<h2>Compilers compared</h2>" in page
    assert f"{name} compared with arm-none-eabi-gcc: " in page
    with (pages / "data" / "sha-256--small-compilers.csv").open(encoding="utf-8") as file:
        own, other = csv.DictReader(file)
    assert own["compiler"] == "arm-none-eabi-gcc"
    assert other["compiler"] == name
    first, second = int(own["cycles"]), int(other["cycles"])
    assert float(other["cycles_ratio"]) == pytest.approx(second / first, rel=1e-6)

    # Each build is a figure of its own in a comparison too.
    pins = ("--a", "flags=-Os", "--b", f"flags={name} -Os")
    rows = run("compare", results, results, *pins, "--metric", "cycles", "--format", "json").rows
    assert {(row["before"], row["after"]) for row in rows if row["m"] == 64} == {(first, second)}


def test_one_compiler_gives_no_comparison(run: cli_runs.Command, tmp_path: Path) -> None:
    text = STUDY.replace('["gcc", "clang"]', '["gcc"]')
    pages = tmp_path / "report"
    asked = ("--results", tmp_path / "results", "--report", pages)
    assert run("run", "--study", study(tmp_path, text), *asked).status == 0
    page = (pages / "implementation-sha-256--small.html").read_text(encoding="utf-8")
    assert "Compilers compared" not in page


def test_flags_are_labelled_with_a_chosen_compiler_only() -> None:
    assert label("arm-none-eabi-gcc", "-O2") == "-O2"
    assert label("xtensa-lx6", "-O2") == "-O2"
    assert label("clang-14.0.6", "-O2") == "clang-14.0.6 -O2"
    assert is_chosen("arm-none-eabi-gcc-14.2.1") and is_chosen("gcc-14") and is_chosen("/opt/x")
    assert not any(is_chosen(name) for name in toolchains.FAMILIES)


@pytest.mark.parametrize(
    ("compiler", "identity", "expected"),
    [
        ("avr-gcc", "avr-gcc (GCC) 7.3.0", "gcc-7.3.0"),
        (
            "arm-none-eabi-gcc",
            "arm-none-eabi-gcc (15:12.2.rel1-1) 12.2.1 20221205",
            "gcc-12.2.1",
        ),
        ("arm-none-eabi-gcc-14.2.1", "arm-none-eabi-gcc (GNU) 14.2.1", "gcc-14.2.1"),
        ("clang-14.0.6", "Debian clang version 14.0.6", "clang-14.0.6"),
        ("/opt/gcc", "", "/opt/gcc"),
        ("avr-gcc", "", "gcc"),
    ],
)
def test_tables_name_a_gnu_compiler_by_its_version(
    compiler: str, identity: str, expected: str
) -> None:
    assert versioned(compiler, identity) == expected


def test_clang_installs_by_its_version(
    run: cli_runs.Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path / "apt-get", f'touch "{tmp_path}/installed"')
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("os.geteuid", lambda: 0)
    done = run("toolchain", "install", "clang-19", "--dry-run")
    assert done.out.strip() == "apt-get install -y --no-install-recommends clang-19"
    assert not (tmp_path / "installed").exists()
