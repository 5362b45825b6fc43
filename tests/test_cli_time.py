"""`pennyweight time`: one function of any source files."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_runs import Command, runner
from packages_for_tests import BOARDS

SOURCE = """#include <stdint.h>
#include "rounds.h"

static volatile uint32_t state[4];
const uint8_t table[200] = {1, 2, 3};

void fill(void)
{
    state[0] = 7;
}

void permute(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        state[i % 4] += state[(i + 1) % 4] ^ (state[i % 4] >> 3);
    }
}

void endless(void)
{
    for (;;) {
    }
}

void wild(void)
{
    ((void (*)(void))(uintptr_t)0xfff0)();
}

unsigned look(void)
{
    return table[state[0] % 200];
}

void broken(void)
{
    state[0] = look();
}
"""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "rounds.h").write_text("#define ROUNDS 10\n")
    path = tmp_path / "core.c"
    path.write_text(SOURCE)
    return path


def test_a_function_has_cycles_stack_and_bytes(run: Command, source: Path) -> None:
    words = ("time", source, "--board", ",".join(BOARDS), "--function", "permute")
    once = run(*words, "--setup", "fill", "--format", "json")
    assert once.status == 0
    (source.parent / "rounds.h").write_text("#define ROUNDS 20\n")
    twice = run(*words, "--setup", "fill", "--format", "json")
    for short, long in zip(once.rows, twice.rows, strict=True):
        assert short["status"] == "ok"
        assert 1.7 * short["cycles"] < long["cycles"] < 2.1 * short["cycles"]
        assert 0 < short["instructions"] <= short["cycles"] <= short["cycles_cold"] * 2
        assert short["stack"] < 100
        assert 30 < short["flash"] < 400
        assert short["ram"] == 16
    assert {row["board"] for row in once.rows} == set(BOARDS)


def test_flash_is_that_of_the_function_and_what_it_needs(run: Command, source: Path) -> None:
    words = ("--board", "stm32f030", "--format", "json", "--flags", "-Os")
    [small] = run("time", source, "--function", "fill", *words).rows
    [large] = run("time", source, "--function", "broken", *words).rows
    assert small["flash"] + 200 < large["flash"] < small["flash"] + 700
    [with_setup] = run("time", source, "--function", "fill", "--setup", "broken", *words).rows
    assert with_setup["flash"] == small["flash"]


@pytest.mark.parametrize("board", BOARDS)
def test_what_goes_wrong_is_a_status_with_a_reason(run: Command, source: Path, board: str) -> None:
    words = ("--board", board, "--budget", "100000", "--format", "json")
    missing = run("time", source, "--function", "permutes", *words)
    assert missing.status == 1
    [row] = missing.rows
    assert (row["status"], row["cycles"]) == ("build failed", None)
    assert row["reason"] == "no source defines the symbol 'permutes'"
    [row] = run("time", source, "--function", "endless", *words).rows
    assert row["status"] == "ran out of cycles"
    assert row["reason"].startswith("did not return within 100000 cycles, in endless (core.c:")
    assert row["reason"].endswith(": it hangs there in a jump to itself, as abort() does")
    [row] = run("time", source, "--function", "fill", "--setup", "endless", *words).rows
    assert row["reason"].startswith("the set-up function 'endless': did not return within")
    source.write_text("void permute(void) { nonsense }\n")
    [row] = run("time", source, "--function", "permute", *words).rows
    assert row["status"] == "build failed" and "core.c:1" in row["reason"]


def test_a_table_for_people_shows_reasons_only_where_there_are_some(
    run: Command, source: Path
) -> None:
    good = run("time", source, "--board", "stm32f030", "--function", "permute")
    assert good.status == 0
    assert "cycles" in good.out and "permute on stm32f030" not in good.out
    bad = run("time", source, "--board", "stm32f030", "--function", "nothing")
    assert bad.status == 1 and "nothing on stm32f030, -O2: no source defines" in bad.out


def test_files_that_are_not_there_or_no_sources_are_refused(run: Command, source: Path) -> None:
    words = ("--board", "stm32f030", "--function", "permute")
    assert "there is no such file" in run("time", source.parent / "x.c", *words).refused()
    assert "not a source" in run("time", source.parent / "rounds.h", *words).refused()
    assert "selects the part" in run("time", source, *words, "--flags", "-mcpu=x").refused()


def test_assembly_and_c_together(run: Command, source: Path) -> None:
    other = source.parent / "elsewhere" / "rotate.S"
    other.parent.mkdir()
    other.write_text(
        ".syntax unified\n.thumb\n.thumb_func\n.global rotate\n.type rotate, %function\n"
        "rotate:\n    movs r0, #1\n    bx lr\n.size rotate, . - rotate\n"
    )
    words = ("--board", "stm32f030", "--format", "json", "--flags", "-O2")
    [row] = run("time", source, other, "--function", "rotate", "--setup", "fill", *words).rows
    assert (row["status"], row["cycles"], row["instructions"]) == ("ok", 4, 2)


def test_assembly_of_another_machine_is_reported_as_that(run: Command, source: Path) -> None:
    arm = source.parent / "rotate.S"
    arm.write_text(".syntax unified\n.thumb\n.global rotate\nrotate:\n    bx lr\n")
    words = ("--board", "atmega328p", "--function", "rotate", "--format", "json")
    [row] = run("time", arm, *words).rows
    assert row["status"] == "skipped"
    assert row["reason"].startswith("its assembly is for Arm (rotate.S): ")


def test_headers_may_lie_elsewhere(run: Command, source: Path) -> None:
    headers = source.parent / "headers"
    headers.mkdir()
    (source.parent / "rounds.h").rename(headers / "rounds.h")
    words = ("--board", "stm32f030", "--function", "permute", "--format", "json")
    [row] = run("time", source, *words).rows
    assert row["status"] == "build failed" and "rounds.h: No such file" in row["reason"]
    [row] = run("time", source, *words, "--include", headers).rows
    assert row["status"] == "ok"
    output = run("time", source, *words, "--include", headers / "none").refused()
    assert "--include" in output and "there is no such folder" in output
