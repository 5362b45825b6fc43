"""`pennyweight leakage`: textbook cases, what is reported, and what is refused."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

import pytest

from cli_runs import Command, Run, runner
from packages_for_tests import ARM, PACKAGES, copied, side_by_side
from pennyweight.api import leaking
from pennyweight.api.requests import LeakageRequest
from pennyweight.measure import leakage as measuring
from pennyweight.progress import Silent
from verdicts import cached_by_project

pytestmark = cached_by_project("leakage")

M3, M4, M33 = "sam3x8e", "stm32f407-24mhz", "rp2350"
TOY = PACKAGES / "crypto_aead" / "toy" / "ref"

_CALLER = """
#include "pennyweight/random.h"
#include <string.h>
void toy_clear(uint32_t share0, uint32_t share1, uint32_t *memory);
static void toy_shares(const unsigned char *k)
{
    uint32_t memory[2] = {0, 0}, word, mask = pw_random32();
    memcpy(&word, k, 4);
    toy_clear(word ^ mask, mask, memory);
}
"""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


def with_shares(tmp_path: Path, code: str) -> tuple[Path, list[str]]:
    """A package with a function `toy_leak` in assembly that gets a key word in two shares, R0 and
    R1, and two words of memory at R2; latches, write bus and R3 are 0. Returns its folder and the
    lines of the assembly.
    """
    folder = copied(tmp_path)
    lines = [".syntax unified", ".thumb", ".text", ".global toy_clear", ".global toy_leak"]
    lines += [".type toy_clear, %function", "toy_clear:", "movs r3, #0", "eors r3, r3"]
    # It runs into the next function.
    lines += ["str r3, [r2]", ".size toy_clear, . - toy_clear", ".type toy_leak, %function"]
    lines += ["toy_leak:", *code.split("; "), "bx lr", ".size toy_leak, . - toy_leak"]
    (folder / "leak.S").write_text("\n".join(lines) + "\n")
    source = folder / "encrypt.c"
    text = source.read_text()
    text = text.replace("static void toy_absorb", _CALLER + "static void toy_absorb", 1)
    source.write_text(text.replace("(void)nsec;", "(void)nsec; toy_shares(k);", 1))
    return folder, lines


def found(run: Command, folder: object, *more: object, board: str = ARM) -> Run:
    call = ("leakage", folder, "--board", board, "--length", "0:4", "--traces", 1000)
    return run(*call, *more, "--format", "json")


def findings(printed: Run) -> list[dict[str, Any]]:
    """The rows with a finding; a call without one has a row of its own."""
    return [row for row in printed.rows if row["pc"] is not None]


def in_leak(run: Command, folder: Path, board: str) -> list[dict[str, Any]]:
    return findings(found(run, folder, "--function", "toy_leak", board=board))


@pytest.mark.parametrize(
    ("board", "code"),
    [
        *((ARM, f"{each} r0, r1") for each in ("cmp", "tst")),
        *((M3, f"{each} r0, r1") for each in ("cmp", "tst", "teq")),
    ],
)
def test_comparisons_of_shares_are_values(
    run: Command, tmp_path: Path, board: str, code: str
) -> None:
    """Their result is in no register."""
    folder, _ = with_shares(tmp_path, code)
    rows = in_leak(run, folder, board)
    assert ("result", code, "value") in {(r["place"], r["instruction"], r["kind"]) for r in rows}
    sound, _ = with_shares(tmp_path / "sound", code.replace("r0, r1", "r0, r3"))
    assert not [row for row in in_leak(run, sound, board) if row["place"] == "result"]


MEETINGS = {
    "mov r0, r1": {("register", "mov r0, r1")},
    # Something between them: nothing meets.
    "mov r0, r3; mov r0, r1": set(),
    "str r0, [r2, #0]; str r3, [r2, #4]; str r1, [r2, #4]": set(),
    "str r0, [r2, #0]; str r3, [r2, #4]; str r1, [r2, #0]": {("memory", "str r1, [r2, #0]")},
    "eors r0, r3; eors r3, r3; eors r1, r3": set(),
    "eors r3, r0; movs r3, #0; eors r3, r1": set(),
}
"""Code, and where shares meet on all cores: place and instruction."""


@pytest.mark.parametrize("board", [ARM, M3, M4, M33])
@pytest.mark.parametrize("code", MEETINGS)
def test_shares_leak_where_they_meet(run: Command, tmp_path: Path, board: str, code: str) -> None:
    folder, lines = with_shares(tmp_path, code)
    rows = in_leak(run, folder, board)
    seen = {(row["place"].replace("r0", "register"), row["instruction"]) for row in rows}
    # The Cortex-M0 takes the old content of memory as an operand of a store.
    if any(place == "memory" for place, _ in MEETINGS[code]):
        seen.discard(("operand 1", "str r1, [r2, #0]"))
    assert seen == MEETINGS[code]
    for row in rows:
        assert (row["kind"], row["unmasked"], row["old_words"], row["new_words"]) == (
            "change",
            False,
            [0],
            [0],
        )
        assert row["old_input"] != row["new_input"]
        assert row["location"] == f"toy_leak (leak.S:{lines.index(row['instruction']) + 1})"
        assert abs(row["t"]) > 4.5 and row["times"] == 1


@pytest.mark.parametrize("board", [ARM, M3])
def test_operands_of_one_instruction_meet_those_of_the_next(
    run: Command, tmp_path: Path, board: str
) -> None:
    folder, _ = with_shares(tmp_path, "eors r0, r3; eors r1, r3")
    [row] = in_leak(run, folder, board)
    assert (row["place"], row["instruction"], row["kind"]) == ("operand 1", "eors r1, r3", "change")
    assert (row["old_from"], row["new_from"]) == ("r0", "r1")


@pytest.mark.parametrize("board", [ARM, M3])
def test_words_meet_on_the_buses(run: Command, tmp_path: Path, board: str) -> None:
    code = "str r0, [r2, #0]; str r1, [r2, #4]; movs r0, #0; movs r1, #0; "
    code += "ldr r0, [r2, #0]; movs r0, #0; mov r12, r3; ldr r1, [r2, #4]"
    folder, _ = with_shares(tmp_path, code)
    places = {(row["place"], row["instruction"]) for row in in_leak(run, folder, board)}
    assert {("write bus", "str r1, [r2, #4]"), ("read bus", "ldr r1, [r2, #4]")} <= places
    # Only the Cortex-M0's latches hold what is loaded and stored.
    assert (("operand 2", "str r1, [r2, #4]") in places) == (board == ARM)


def test_the_second_order_finds_what_the_first_does_not(run: Command, tmp_path: Path) -> None:
    """Both shares in one word, 16 bits each: means do not differ, variances do."""
    code = "uxth r0, r0; lsls r1, r1, #16; orrs r0, r1"
    folder, _ = with_shares(tmp_path, code)
    call = ("--function", "toy_leak", "--traces", 16_000)
    first = [row for row in found(run, folder, *call).rows if row["instruction"] == "orrs r0, r1"]
    assert [row for row in first if row["kind"] == "value"] == []
    again = found(run, folder, *call, "--order", 2).rows
    assert ("orrs r0, r1", "value") in {(row["instruction"], row["kind"]) for row in again}


def test_an_unmasked_cipher_leaks_at_its_substitution(run: Command) -> None:
    printed = found(run, "aes-128-gcm/table", "--function", "aes_encrypt")
    assert printed.status == 1
    rows = printed.rows
    assert any(row["kind"] == "value" and row["unmasked"] for row in rows)
    assert any("table" in row["location"] and row["instruction"].startswith("ldr") for row in rows)


def test_a_result_repeats_and_does_not_depend_on_the_threads(run: Command, tmp_path: Path) -> None:
    folder, _ = with_shares(tmp_path, "mov r0, r1")
    one, two = (found(run, folder, "--jobs", jobs).rows for jobs in (1, 2))
    assert one == two and one
    other = found(run, folder, "--seed", 2).rows
    key = ("pc", "place")
    assert {tuple(row[k] for k in key) for row in other} & {tuple(r[k] for k in key) for r in one}
    assert [row["t"] for row in other] != [row["t"] for row in one]


IMPLEMENTATIONS = Path(__file__).parents[1] / "implementations"

BROKEN = {
    "const uint32_t random = pw_random32();": "const uint32_t random = 0;",
}


def test_masked_ascon_without_fresh_words_leaks_in_its_products(
    run: Command, tmp_path: Path
) -> None:
    folder = side_by_side("ascon-aead128/masked2", tmp_path / "crypto_aead" / "masked" / "ref")
    own = IMPLEMENTATIONS / "ascon-masked" / "native" / "native.h"
    (folder / "native").mkdir()
    (folder / "native" / own.name).write_bytes(own.read_bytes())
    call = ("--function", "masked_permute", "--flags", "-O2")
    source = folder / "permutation.c"
    text = source.read_text()
    sound = {(row["location"], row["place"]) for row in found(run, folder, *call).rows}
    for old, new in BROKEN.items():
        assert old in text
        text = text.replace(old, new)
    source.write_text(text)
    broken = found(run, folder, *call).rows
    values = [row for row in broken if row["kind"] == "value" and not row["unmasked"]]
    assert any("(permutation.c:" in row["location"] for row in values)
    assert {(row["location"], row["place"]) for row in values} - sound


def test_a_table_fits_and_lists_what_was_tested(run: Command, tmp_path: Path) -> None:
    folder, _ = with_shares(tmp_path, "mov r0, r1")
    call = ("leakage", folder, "--board", ARM, "--length", "0:4", "--traces", 1000)
    printed = run(*call, "--long")
    assert printed.status == 1
    assert max(map(len, printed.out.splitlines())) <= 80
    words = " ".join(printed.out.split())
    for text in (
        "Tested:",
        "seed 1",
        "A real part can leak where its model does not.",
        "old: ",
        "made of the secret and random words 0",
    ):
        assert text in words, text
    assert "a minute)" in printed.reasons
    assert "secure" not in printed.out.lower()


def test_nothing_found_exits_with_0(run: Command, tmp_path: Path) -> None:
    folder, _ = with_shares(tmp_path, "mov r0, r3")
    call = ("leakage", folder, "--board", ARM, "--length", "0:4", "--function", "toy_leak")
    printed = run(*call)
    assert (printed.status, "nothing beyond 4.5" in printed.out) == (0, True)
    assert "A real part can leak where its model does not." in " ".join(printed.out.split())


def test_a_call_without_random_words_is_named(run: Command, tmp_path: Path) -> None:
    folder, _ = with_shares(tmp_path, "mov r0, r3")
    call = ("leakage", folder, "--board", ARM, "--length", "0:4", "--function", "toy_leak")
    assert "draws no random word" not in run(*call).out
    [row] = found(run, folder, "--function", "toy_leak").rows
    assert row["random_words"] == 1
    source = folder / "encrypt.c"
    source.write_text(source.read_text().replace("mask = pw_random32()", "mask = 0x12345678"))
    words = " ".join(run(*call).out.split())
    assert "draws no random word" in words and "0 random words a trace" in words
    rows = found(run, folder, "--function", "toy_leak").rows
    assert {row["random_words"] for row in rows} == {0}


def test_registers_of_the_generator_are_refused(run: Command, tmp_path: Path) -> None:
    folder, _ = with_shares(tmp_path, "mov r0, r3")
    source = folder / "encrypt.c"
    register = "*(volatile uint32_t *)0x400BC01Cu"
    source.write_text(source.read_text().replace("mask = pw_random32()", f"mask = {register}"))
    printed = found(run, folder, board=M3)
    words = printed.reasons
    assert printed.status == 1
    assert "accesses a register of the random number generator, 0x400bc01c" in words
    assert "call pw_random32()" in words


@pytest.mark.parametrize(
    ("samples", "unconfirmed", "by_chance"),
    [(1000, 4, True), (1000, 5, False), (60_000_000, 440, True), (60_000_000, 500, False)],
)
def test_many_more_samples_than_by_chance_call_for_more_traces(
    samples: int, unconfirmed: int, by_chance: bool
) -> None:
    """Of 60 million samples, 408 are expected, with a standard deviation of 20."""
    asked = measuring.Question("key", 1000)
    report = measuring.Report(asked, "", samples=samples, unconfirmed=unconfirmed)
    assert report.unconfirmed_by_chance is by_chance


def test_only_instructions_of_the_examined_part_count(run: Command, tmp_path: Path) -> None:
    folder, _ = with_shares(tmp_path, "mov r0, r3; nop")
    clear = 3  # It runs into the other one.
    for function, count in (("toy_leak", 3), ("toy_clear", clear + 3)):
        [row] = found(run, folder, "--function", function).rows
        assert row["instructions"] == count
    whole = found(run, folder).rows
    assert whole[0]["instructions"] > clear + 3


@pytest.mark.parametrize("form", ["json", "csv"])
def test_nothing_found_is_a_row_with_what_was_tested(
    run: Command, tmp_path: Path, form: str
) -> None:
    folder, _ = with_shares(tmp_path, "mov r0, r3")
    call = ("leakage", folder, "--board", ARM, "--length", "0:4", "--function", "toy_leak")
    printed = run(*call, "--seed", 7, "--traces", 1000, "--format", form)
    assert printed.status == 0
    if form == "json":
        [row] = printed.rows
    else:
        [row] = csv.DictReader(printed.out.splitlines())
    stated = {name: str(row[name]) for name in ("status", "seed", "traces", "repeated", "findings")}
    assert stated == {
        "status": "ok",
        "seed": "7",
        "traces": "1000",
        "repeated": "0",
        "findings": "0",
    }
    assert "ELMO" in row["model"] and int(row["samples"]) > 0 and not row["pc"]
    failed = run(*call[:-1], "toy_nothing", "--format", "json")
    [row] = failed.rows
    assert (row["status"], "no function 'toy_nothing'" in row["reason"]) == ("skipped", True)


def test_too_few_traces_decide_nothing(run: Command, tmp_path: Path) -> None:
    folder, _ = with_shares(tmp_path, "mov r0, r3")
    call = ("leakage", folder, "--board", ARM, "--length", "0:4", "--function", "toy_leak")
    printed = run(*call, "--traces", 999)
    assert printed.status == 1
    assert "999 traces are too few to decide; use --traces 1000 or more" in printed.reasons
    assert "nothing found so far" in printed.out


def test_variances_need_more_traces(run: Command, tmp_path: Path) -> None:
    folder, _ = with_shares(tmp_path, "mov r0, r3")
    call = ("leakage", folder, "--board", ARM, "--length", "0:4", "--function", "toy_leak")
    printed = run(*call, "--order", 2, "--traces", 15_999)
    assert printed.status == 1
    assert (
        "15999 traces are too few to decide by their variances; use --traces 16000"
        in printed.reasons
    )
    assert "nothing found so far" in printed.out
    decided = run(*call, "--order", 2)
    assert decided.status == 0
    # 4.5 * sqrt(2 * 124 / 10,000)
    assert "less than about 0.7 in the variance" in " ".join(decided.out.split())


@pytest.mark.parametrize("bits", [8, 32])
def test_the_spread_of_ones_is_that_of_random_words(bits: int) -> None:
    """By enumeration: how many words have each number of ones."""
    chances = [math.comb(bits, ones) / 2**bits for ones in range(bits + 1)]
    moments = [sum(p * (n - bits / 2) ** power for n, p in enumerate(chances)) for power in (2, 4)]
    expected = {1: moments[0], 2: moments[1] - moments[0] ** 2}
    for order, spread in expected.items():
        asked = measuring.Question("key", 1000, order)  # type: ignore[arg-type]
        report = measuring.Report(asked, "", bits, traces=1000)
        assert report.smallest_difference == pytest.approx(4.5 * math.sqrt(2 * spread / 500))


def test_a_single_trace_is_one(run: Command, tmp_path: Path) -> None:
    folder, _ = with_shares(tmp_path, "mov r0, r3")
    printed = run("leakage", folder, "--board", ARM, "--length", "0:4", "--traces", 1)
    assert "1 trace is too few" in printed.reasons and "1 traces" not in printed.out + printed.err


def test_a_branch_on_a_secret_ends_the_comparison(run: Command, tmp_path: Path) -> None:
    folder, _ = with_shares(tmp_path, "lsls r0, r0, #31; beq 1f; movs r0, #1; 1: nop")
    printed = found(run, folder)
    assert printed.status == 1
    assert (
        "executes other instructions than the first one after toy_leak (leak.S:" in printed.reasons
    )
    assert "samples cannot be compared" in printed.reasons


def test_conditional_instructions_end_it_too(run: Command, tmp_path: Path) -> None:
    folder, _ = with_shares(tmp_path, "lsls r0, r0, #31; ite eq; moveq r0, #1; movne r0, #2")
    printed = found(run, folder, board=M3)
    assert "executes other instructions than the first one" in printed.reasons


@pytest.mark.parametrize("vary", ["key", "data"])
def test_a_decryption_is_tested_as_a_whole(run: Command, vary: str) -> None:
    """The tag is wrong in both groups, so that all traces reject it in the same instructions."""
    call = ("leakage", "ascon-aead128/masked3", "--board", ARM, "--traces", 1000, "--op", "dec")
    rows = run(*call, "--vary", vary, "--format", "json").rows
    assert any(row["location"].startswith("aead_verify") for row in rows)
    assert any(row["location"].startswith("aead_decrypt") for row in rows)
    if vary == "key":  # The permutation, before and after, has three shares.
        assert not any(row["location"].startswith("masked_permute") for row in rows)


def test_a_verification_is_tested_as_a_whole(run: Command) -> None:
    printed = found(run, "siphash-2-4", "--op", "auth-verify")
    assert printed.err == "" and printed.rows


def test_a_diverging_call_prints_no_result(run: Command, tmp_path: Path) -> None:
    folder, _ = with_shares(tmp_path, "lsls r0, r0, #31; beq 1f; movs r0, #1; 1: nop")
    printed = run("leakage", folder, "--board", ARM, "--length", "0:4")
    assert (printed.status, printed.out) == (1, "")


def test_what_has_no_model_is_refused(run: Command) -> None:
    printed = run("leakage", "ascon-aead128/masked2", "--board", "fe310-g002")
    assert (printed.status, printed.out) == (1, "")
    assert "has no leakage model; use a board with a Cortex-M or an AVR core" in printed.reasons


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("ascon-aead999", "--board", ARM), "ascon-aead999"),
        (("ascon-aead128", "--board", ARM, "--traces", "2000000"), "use at most 1000000"),
        (("ascon-aead128", "--board", ARM, "--traces", "0"), "--traces"),
        (("ascon-aead128", "--board", ARM, "--seed", str(2**64)), f"use at most {2**64 - 1}"),
        (("ascon-aead128", "--board", ARM, "--length", "0:4,0:8"), "lists 2 pairs"),
        (("ascon-aead128", "--board", ARM, "--calls", "7"), "add --function"),
        (("ascon-aead128", "--board", ARM, "--function", ""), "the name is empty"),
    ],
)
def test_wrong_options_are_one_sentence(
    run: Command, arguments: tuple[str, ...], sentence: str
) -> None:
    assert sentence in run("leakage", *arguments).refused()


def test_calls_that_cannot_be_traced_are_reported(run: Command) -> None:
    missing = found(run, TOY, "--function", "toy_nothing")
    assert missing.status == 1
    assert "no function 'toy_nothing'" in missing.reasons
    often = found(run, "ascon-aead128/masked2", "--function", "masked_permute", "--calls", 99999)
    assert "the call enters 'masked_permute' 2 times; use --calls 2 or fewer" in often.reasons
    both = ("--function", "masked_permute", "--calls", 2)
    assert found(run, "ascon-aead128/masked2", *both).err == ""
    no_key = found(run, "ascon-hash256/fast32", "--vary", "key")
    assert "the call has no key to vary; use --vary data" in no_key.reasons
    assert found(run, "ascon-hash256/fast32", "--vary", "data").status == 1


def test_an_interruption_keeps_the_traces_so_far(run: Command, tmp_path: Path) -> None:
    folder, _ = with_shares(tmp_path, "mov r0, r1")
    steps = iter(range(1500))

    class Interrupted(Silent):
        def step(self) -> None:
            if next(steps, None) is None:
                raise KeyboardInterrupt

    request = LeakageRequest(str(folder), ARM, length="0:4", traces=5000, function="toy_leak")
    [(job, report)] = leaking.checks(request, Interrupted())
    assert isinstance(report, measuring.Report)
    assert report.interrupted and 1500 <= report.traces < 5000 and not report.repeated
    assert [row["instruction"] for row in leaking.rows_of(job, report)] == ["mov r0, r1"]
