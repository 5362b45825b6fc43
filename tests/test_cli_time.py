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


CALLED = """#include <stddef.h>
#include <stdint.h>

void add(uint8_t *out, const uint8_t *in, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        out[i] += in[i];
    }
}

void spin(uint8_t *out, unsigned long long turns, int more)
{
    for (unsigned long long i = 0; i < turns + (unsigned)-more; i++) {
        ((volatile uint8_t *)out)[0] += 1;
    }
}

void depend(uint8_t *out, const uint8_t *bits)
{
    for (int i = 0; i < 16; i++) {
        out[i] = 0;
        for (volatile uint8_t n = bits[i]; n > 0; n--) {
            out[i]++;
        }
    }
}

void zero(uint8_t *bits)
{
    for (int i = 0; i < 16; i++) {
        bits[i] = 0;
    }
}
"""


@pytest.fixture
def called(tmp_path: Path) -> Path:
    path = tmp_path / "called.c"
    path.write_text(CALLED)
    return path


def cycles(run: Command, source: Path, board: str, call: str, *more: str) -> int:
    words = ("--board", board, "--call", call, "--format", "json")
    [row] = run("time", source, *words, *more).rows
    assert (row["status"], row["reason"], row["remark"]) == ("ok", "", "")
    return int(row["cycles"])


@pytest.mark.parametrize("board", BOARDS)
def test_a_call_has_buffers_and_numbers(run: Command, called: Path, board: str) -> None:
    short, long = (cycles(run, called, board, f"add(out:32, in:32, {n})") for n in (16, 32))
    assert 1.7 * short < long < 2.1 * short
    short, long = (cycles(run, called, board, f"spin(out:1, {n}ull, -8)") for n in (8, 0x18))
    assert 1.7 * short < long < 2.1 * short


def test_set_up_and_function_share_buffers_of_a_name(run: Command, called: Path) -> None:
    filled = cycles(run, called, "stm32f030", "depend(out:16, bits:16)")
    assert filled == cycles(run, called, "stm32f030", "depend(out:16, bits:16)")
    zeroed = cycles(run, called, "stm32f030", "depend(out:16, bits:16)", "--setup", "zero(bits:16)")
    assert 5 * zeroed < filled


def test_a_call_may_not_leave_its_buffers(run: Command, called: Path) -> None:
    words = ("--board", "stm32f030", "--call", "add(out:16, in:16, 17)", "--format", "json")
    [row] = run("time", called, *words).rows
    assert row["status"] == "read outside its buffer"
    assert row["reason"].startswith("read 1 byte past the end of the in of 16 bytes, in add")


@pytest.mark.parametrize(
    ("words", "reported"),
    [
        (("--call", "add(out16)"), "--call: the argument 'out16' is neither a buffer nor a number"),
        (("--call", "add(out:0)"), "--call: the buffer 'out:0' is empty or larger than any"),
        (("--call", "add(out:16,)"), "--call: the argument '' is neither"),
        (("--call", "add(out:16"), "--call: 'add(out:16' is not a call; write"),
        (("--call", "add(0x100000000)"), "--call: the number 0x100000000 is too large; end it in"),
        (("--call", "add(out:16, in:16, 3)", "--setup", "zero(in:8)"), "has 16 bytes in one call"),
        (("--call", "add()", "--function", "add"), "with its arguments with --call"),
        ((), "give the function to measure with --function, or with its arguments with --call"),
    ],
)
def test_a_call_that_makes_no_sense_is_refused(
    run: Command, called: Path, words: tuple[str, ...], reported: str
) -> None:
    output = run("time", called, "--board", "stm32f030", *words).refused()
    assert reported in " ".join(output.split())


def test_buffers_that_do_not_fit_are_reported(run: Command, called: Path) -> None:
    words = ("--board", "stm32f030", "--call", "zero(bits:5000)", "--format", "json")
    [row] = run("time", called, *words).rows
    assert row["status"] == "does not fit"
    assert "no RAM for buffers and stack" in row["reason"]


def test_code_below_its_stack_pointer_is_measured_on_request(run: Command, tmp_path: Path) -> None:
    below = tmp_path / "below.S"
    below.write_text(
        ".syntax unified\n.thumb\n.thumb_func\n.global below\n.type below, %function\n"
        "below:\n    mov r1, sp\n    subs r1, #8\n    str r0, [r1]\n    bx lr\n"
    )
    words = ("time", below, "--board", "stm32f030", "--call", "below(out:16)")
    [row] = run(*words, "--format", "json").rows
    assert (
        row["status"] == "wrote outside its buffer" and "below the stack pointer" in row["reason"]
    )
    allowed = run(*words, "--allow-below-stack", "--format", "json")
    [row] = allowed.rows
    assert (allowed.status, row["status"], row["cycles"], row["stack"]) == (0, "ok", 7, 8)
    assert row["remark"].startswith(
        "it accesses memory below its stack pointer, which an interrupt"
    )
    table = run(*words, "--allow-below-stack")
    assert "below on stm32f030, -O2: it accesses memory below" in " ".join(table.out.split())


def test_a_word_in_a_comment_does_not_refuse_assembly(run: Command, tmp_path: Path) -> None:
    source = tmp_path / "one.S"
    source.write_text(
        "@ with a single dependency on the external memcpy()\n.syntax unified\n.thumb\n"
        ".thumb_func\n.global one\none:\n    bx lr\n"
    )
    words = ("--board", "stm32f030", "--function", "one", "--format", "json")
    [row] = run("time", source, *words).rows
    assert (row["status"], row["reason"]) == ("ok", "")


@pytest.mark.parametrize(
    ("board", "core", "instruction"),
    [
        ("stm32f030", ".cpu cortex-m3", "udiv r0, r0, r1"),
        ("sam3x8e", ".cpu cortex-m4", "uadd8 r0, r0, r1"),
    ],
)
def test_an_instruction_that_the_core_lacks_is_a_crash_with_its_place(
    run: Command, tmp_path: Path, board: str, core: str, instruction: str
) -> None:
    path = tmp_path / "lacking.S"
    path.write_text(
        f".syntax unified\n{core}\n.thumb\n.global lacking\n.thumb_func\n"
        f".type lacking, %function\nlacking:\n    {instruction}\n    bx lr\n"
    )
    [row] = run("time", path, "--board", board, "--function", "lacking", "--format", "json").rows
    assert row["status"] == "crashed"
    assert "instruction 0xf" in row["reason"]
    assert row["reason"].endswith(", in lacking (lacking.S:8)")


def test_assembly_with_instructions_that_the_core_lacks_is_skipped(
    run: Command, tmp_path: Path
) -> None:
    path = tmp_path / "product.S"
    path.write_text(".global product\n.type product, @function\nproduct:\n  mul r24, r22\n  ret\n")
    words = ("time", path, "--function", "product", "--format", "json", "--board")
    [row] = run(*words, "atmega328p").rows
    assert row["status"] == "ok"
    [row] = run(*words, "attiny85").rows
    assert row["status"] == "skipped"
    assert row["reason"] == (
        "product.S:4: 'mul r24, r22' is for a larger AVR core than the avre; replace it, or choose "
        "a board with another core"
    )


@pytest.mark.parametrize(
    ("board", "code", "status", "reason"),
    [
        (
            "ch32v003-24mhz",
            "add a0, a6, a1",
            "skipped",
            "lacking.S:3: 'add a0,a6,a1' uses the register a6, which RV32E does not have; use x0 "
            "to x15 only, or choose a board with RV32I",
        ),
        (
            "ch32v003-24mhz",
            ".word 0x01280533",  # add a0, a6, s2
            "crashed",
            "instruction 0x1280533 with a register above x15, which RV32E does not have, in ",
        ),
        (
            "ch32v003-24mhz",
            "mul a0, a0, a1",
            "skipped",
            "lacking.S:3: 'mul a0,a0,a1' is of the extension m or zmmul, which the qingke-v2a does "
            "not have; replace it, or choose a board with another core",
        ),
        (
            "stm32f407-24mhz",
            "vadd.f32 s0, s1, s2",
            "skipped",
            "lacking.S:3: 'vadd.f32 s0,s1,s2' uses the floating-point unit, which is not "
            "simulated; use integer instructions",
        ),
        (
            "stm32f407-24mhz",
            ".hword 0xee30, 0x0a81",  # vadd.f32 s0, s1, s2
            "crashed",
            "floating-point instruction 0xee300a81: the floating-point unit is not simulated, in ",
        ),
    ],
)
def test_what_a_core_lacks_is_named(
    run: Command, tmp_path: Path, board: str, code: str, status: str, reason: str
) -> None:
    arm = ".syntax unified\n.thumb_func\n" if board.startswith("stm32") else ""
    head = f"{arm}.global lacking; .type lacking, %function\nlacking:\n"
    back = "bx lr" if arm else "ret"
    path = tmp_path / "lacking.S"
    path.write_text(f"{head.replace(chr(10), ' ; ')}\n\n    {code}\n    {back}\n")
    [row] = run("time", path, "--board", board, "--function", "lacking", "--format", "json").rows
    assert row["status"] == status
    assert row["reason"].startswith(reason)


@pytest.mark.parametrize(
    ("store", "expected"),
    [
        ("str r1, [r0]", "write 4 bytes past the end of the out of 8 bytes"),
        ("strh r1, [r0]", "write 2 bytes past the end of the out of 8 bytes"),
        ("ldr r1, [r0]", "read 4 bytes past the end of the out of 8 bytes"),
        ("str r1, [r0, #4]", "write 8 bytes past the end of the out of 8 bytes"),
    ],
)
def test_the_bytes_of_an_access_past_a_buffer_are_counted(
    run: Command, tmp_path: Path, store: str, expected: str
) -> None:
    path = tmp_path / "past.S"
    path.write_text(
        ".syntax unified\n.thumb\n.global past\n.thumb_func\npast:\n"
        f"    adds r0, #8\n    {store}\n    bx lr\n"
    )
    words = ("--board", "stm32f030", "--call", "past(out:8)", "--format", "json")
    [row] = run("time", path, *words).rows
    assert row["reason"].startswith(expected)


LOOP = """
    .text
    .global loop
    .type loop, @function
loop:
    addi sp, sp, -16
    sw ra, 0(sp)
    li a5, 8
1:  call leaf
    addi a5, a5, -1
    andi a4, a5, 1
    beqz a4, 2f
    nop
2:  bnez a5, 1b
    lw ra, 0(sp)
    addi sp, sp, 16
    ret
leaf:
    andi a3, a5, 2
    beqz a3, 3f
    ret
3:  ret
"""


def test_branch_prediction_learns_from_more_calls(run: Command, tmp_path: Path) -> None:
    path = tmp_path / "loop.S"
    path.write_text(LOOP)
    words = ("time", path, "--function", "loop", "--format", "json", "--board", "fe310-g002")
    once, twice, often = (
        run(*words, *more).rows[0] for more in ((), ("--warm", "2"), ("--warm", "20"))
    )
    assert (once["warm"], twice["warm"], often["warm"]) == (1, 2, 20)
    assert once["cycles"] > twice["cycles"] == often["cycles"]
    assert once["cycles_cold"] == twice["cycles_cold"] == often["cycles_cold"]
    assert "calls" in run(*words[:4], *words[6:], "--warm", "2").out


def test_no_warm_call_at_all_is_refused(run: Command, called: Path) -> None:
    done = run("time", called, "--board", "stm32f030", "--function", "f", "--warm", "0")
    assert done.status == 2 and "--warm" in done.err
