"""`pennyweight leakage` on AVR cores: where shares meet by their model, and where they do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cli_runs import Command, runner
from packages_for_tests import AVR, copied
from verdicts import cached_by_project

pytestmark = cached_by_project("leakage on AVR")

AVRE, AVRXT = AVR, "atmega4809"

_CALLER = """
#include "pennyweight/random.h"
void toy_clear(uint8_t share0, uint8_t share1, uint8_t *memory);
static void toy_shares(const unsigned char *k)
{
    uint8_t memory[4] = {0, 0, 0, 0}, mask = (uint8_t)pw_random32();
    toy_clear((uint8_t)(k[0] ^ mask), mask, memory);
}
"""

_ZEROS = (18, 19, 20, 21, 23, 25, 26, 27)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


def with_shares(tmp_path: Path, code: str) -> tuple[Path, list[str]]:
    """A package with a function `toy_leak` in assembly that gets a byte of the key in two shares,
    R24 and R22, and four bytes of memory at Z; latches, bus, the neighbours of both and R18 to R21
    are 0. Returns its folder and the lines of the assembly.
    """
    folder = copied(tmp_path)
    lines = [".text", ".global toy_clear", ".global toy_leak", ".type toy_clear, @function"]
    lines += ["toy_clear:", "movw r30, r20", *(f"ldi r{number}, 0" for number in _ZEROS)]
    # It runs into the next function.
    lines += ["eor r18, r18", "st Z, r18", ".size toy_clear, . - toy_clear"]
    lines += [".type toy_leak, @function", "toy_leak:", *code.split("; "), "ret"]
    lines += [".size toy_leak, . - toy_leak"]
    (folder / "leak.S").write_text("\n".join(lines) + "\n")
    source = folder / "encrypt.c"
    text = source.read_text()
    text = text.replace("static void toy_absorb", _CALLER + "static void toy_absorb", 1)
    source.write_text(text.replace("(void)nsec;", "(void)nsec; toy_shares(k);", 1))
    return folder, lines


def in_leak(run: Command, folder: Path, board: str) -> list[dict[str, Any]]:
    """The rows with a finding."""
    call = ("leakage", folder, "--board", board, "--length", "0:4", "--traces", 1000)
    printed = run(*call, "--function", "toy_leak", "--format", "json")
    return [row for row in printed.rows if row["pc"] is not None]


MEETINGS = {
    "mov r24, r22": {("r24", "mov r24, r22")},
    # Something between them: nothing meets.
    "mov r24, r18; mov r24, r22": set(),
    "st Z, r24; std Z+1, r22": {("data bus", "std Z+1, r22")},
    "st Z, r24; std Z+1, r18; std Z+2, r22": set(),
    "st Z, r24; std Z+1, r18; st Z, r22": {("memory", "st Z, r22")},
    # A load follows a store.
    "st Z, r24; std Z+1, r18; std Z+2, r22; ld r20, Z": {("data bus", "ld r20, Z")},
    "push r24; push r18; push r22; pop r26; pop r27; pop r20": set(),
    "push r24; push r22; pop r26; push r18; pop r18; pop r20": {("data bus", "push r22")},
    "eor r24, r18; eor r22, r18": {("operand 1", "eor r22, r18")},
    "eor r24, r18; eor r18, r18; eor r22, r18": set(),
    "eor r18, r24; ldi r18, 0; eor r18, r22": set(),
    # Neighbours.
    "mov r20, r24; mov r19, r18; mov r21, r22": {("r21 by r20", "mov r21, r22")},
    "mov r20, r24; mov r19, r18; mov r26, r22": set(),
    "mov r0, r24": {("r0 by r22", "mov r0, r24")},
    "cp r24, r22": {("result", "cp r24, r22")},
    "cp r24, r18": set(),
}
"""Code, and where shares meet: place and instruction."""


@pytest.mark.parametrize("board", [AVRE, AVRXT])
@pytest.mark.parametrize("code", MEETINGS)
def test_shares_leak_where_they_meet(run: Command, tmp_path: Path, board: str, code: str) -> None:
    folder, lines = with_shares(tmp_path, code)
    rows = in_leak(run, folder, board)
    assert {(row["place"], row["instruction"]) for row in rows} == MEETINGS[code]
    for row in rows:
        assert row["location"] == f"toy_leak (leak.S:{lines.index(row['instruction']) + 1})"
        assert (row["unmasked"], row["new_words"]) == (False, [0])
        assert abs(row["t"]) > 4.5 and row["times"] == 1
        if row["place"] != "result":  # The shares' difference; all others are distances.
            assert (row["kind"], row["old_words"]) == ("change", [0])
            assert row["old_input"] != row["new_input"]


def test_values_are_named_by_their_registers(run: Command, tmp_path: Path) -> None:
    code = "eor r24, r18; eor r18, r18; mov r20, r24; mov r19, r18; mov r21, r22"
    folder, _ = with_shares(tmp_path, code)
    [row] = in_leak(run, folder, AVRE)
    assert (row["old_from"], row["new_from"]) == ("r20", "r21")
    assert (row["old_instruction"], row["old_input"]) == ("mov r20, r24", True)
    call = ("leakage", folder, "--board", AVRE, "--length", "0:4", "--function", "toy_leak")
    printed = run(*call, "--traces", 1000)
    words = " ".join(printed.out.split())
    assert "r21 by r20" in words and "of the ones of a 8-bit value" not in words
    assert "of the ones of an 8-bit value may be missed" in words
    assert "COSADE 2017" in words


def test_an_unmasked_cipher_leaks_at_its_substitution(run: Command) -> None:
    call = ("leakage", "aes-128-gcm/table", "--board", AVRE, "--length", "0:16", "--traces", 1000)
    rows = run(*call, "--function", "aes_encrypt", "--format", "json").rows
    loads = [row for row in rows if row["pc"] is not None and row["instruction"].startswith("l")]
    assert any(row["kind"] == "value" and row["unmasked"] for row in loads)


@pytest.mark.parametrize("board", [AVRE, "attiny1614"])
def test_two_shares_in_c_meet_and_three_do_not(run: Command, board: str) -> None:
    call = ("--board", board, "--function", "masked_permute", "--traces", 1000, "--format", "json")
    two = run("leakage", "tinyjambu-128/masked2", *call)
    assert two.status == 1 and {row["kind"] for row in two.rows} == {"change"}
    assert run("leakage", "tinyjambu-128/masked3", *call).status == 0


def test_three_shares_of_ascon_do_not_meet_what_the_stack_keeps(run: Command) -> None:
    call = ("--board", AVRE, "--function", "masked_permute", "--traces", 1000, "--format", "json")
    [row] = run("leakage", "ascon-aead128/masked3", *call).rows
    assert (row["pc"], row["status"], row["random_words"] > 0) == (None, "ok", True)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("ascon-aead128", ()),
        ("ascon-hash256", ("--vary", "data", "--length", 16)),
        ("tinyjambu-128", ()),
    ],
)
def test_two_shares_in_assembly_do_not_meet(
    run: Command, name: str, options: tuple[object, ...]
) -> None:
    call = ("--board", AVRE, "--function", "masked_permute", "--traces", 1000, "--format", "json")
    printed = run("leakage", f"{name}/masked2-asm", *call, *options)
    assert [row["place"] for row in printed.rows] == [None] and printed.status == 0


def test_a_result_does_not_depend_on_the_threads(run: Command, tmp_path: Path) -> None:
    folder, _ = with_shares(tmp_path, "mov r24, r22")
    call = ("leakage", folder, "--board", AVRE, "--length", "0:4", "--traces", 1000)
    one, two = (run(*call, "--jobs", jobs, "--format", "json").rows for jobs in (1, 2))
    assert one == two and one
