"""`pennyweight profile` and `pennyweight constant-time`."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_runs import Command, runner
from packages_for_tests import ARM, AVR, PACKAGES, copied
from verdicts import cached_by_project

pytestmark = cached_by_project("measurements")

TOYS = PACKAGES / "crypto_aead" / "toy"

CONSTANT_TIME = {
    AVR: "aes-128-gcm/ct8",
    ARM: "aes-128-gcm/ct32",
    "fe310-g002": "aes-128-gcm/ct32",
    "esp8266": "aes-128-gcm/ct32",
    # Its multiplications take longer for larger factors, and GHASH there is multiplications.
    "pic32mx340": "ascon-aead128/fast32",
}
"""What is constant-time on a board of each kind of core."""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


@pytest.mark.parametrize("board", [AVR, ARM])
def test_a_profile_adds_up_to_the_measured_cycles(run: Command, board: str) -> None:
    call = (TOYS / "ref", "--board", board, "--op", "enc")
    [measured] = run("measure", *call, "--lengths", "4:20", "--no-verify", "--format", "json").rows
    [profile] = run("profile", *call, "--length", "4:20", "--format", "json").rows
    for name in ("cycles", "instructions", "stack"):
        assert profile[name] == measured[name]
    for table in ("functions", "stacks", "mix"):
        assert sum(row["cycles"] for row in profile[table]) == measured["cycles"]
    assert {stack["functions"][0] for stack in profile["stacks"]} == {"crypto_aead_encrypt"}
    memory = {part["memory"]: part for part in profile["memory"]}
    assert (memory["message"]["read"], memory["message"]["written"]) == (20, 0)
    assert (memory["associated data"]["read"], memory["key"]["read"]) == (4, 16)
    assert memory["ciphertext"]["written"] == 36
    folded = run("profile", *call, "--length", "4:20", "--format", "folded").out.splitlines()
    assert sum(int(line.rsplit(" ", 1)[1]) for line in folded) == measured["cycles"]
    assert all(line.startswith("crypto_aead_encrypt") for line in folded)


def test_a_profile_is_readable(run: Command) -> None:
    printed = run("profile", TOYS / "ref", "--board", AVR)
    assert printed.status == 0
    for word in ("cycles", "with callees", "instruction", "bytes written", "stack"):
        assert word in printed.out
    assert max(map(len, printed.out.splitlines())) <= 80


@pytest.mark.parametrize("board", CONSTANT_TIME)
def test_tables_show_secrets_and_bitslicing_does_not(run: Command, board: str) -> None:
    call = ("--board", board, "--length", "0:16")
    table = run("constant-time", "aes-128-gcm/table", *call, "--format", "json")
    assert table.status == 1
    assert {row["kind"] for row in table.rows} == {"address"}
    assert all(row["times"] > 0 and row["pc"] > 0 for row in table.rows)
    assert any("aes_expand_key (" in row["location"] for row in table.rows)
    sound = run("constant-time", CONSTANT_TIME[board], *call)
    assert (sound.status, sound.err) == (0, "")
    assert sound.out == f"{CONSTANT_TIME[board]} on {board}, enc 0:16: no secret-dependent timing\n"


@pytest.mark.parametrize("name", ["aes-128-eax/ct32", "wage-ae-128/fast32"])
def test_what_states_that_it_is_constant_time_shows_nothing(run: Command, name: str) -> None:
    """EAX counts from a secret; WAGE's S-box WGP asks for a table."""
    sound = run("constant-time", name, "--board", ARM, "--length", "0:37")
    assert sound.out == f"{name} on {ARM}, enc 0:37: no secret-dependent timing\n"


def test_a_branch_on_a_secret_is_reported_with_its_line(run: Command) -> None:
    call = ("constant-time", TOYS / "ref", "--board", ARM, "--op", "dec")
    [row] = run(*call, "--format", "json").rows
    assert (row["kind"], row["times"]) == ("branch", 1)
    assert row["location"].startswith("crypto_aead_decrypt (encrypt.c:")
    printed = run(*call)
    assert printed.status == 1
    assert "branch: a branch depends on a secret." in printed.out


LEAKING = {
    ("msp430f1611", "-Os"): "tst.b @r12; jz 1f; nop; 1: ret",
    # Assembly stays MIPS32, and so do the start-up code and the C library.
    ("pic32mx340", "-Os -mips16"): (
        ".set noreorder; lbu $t0, 0($a0); beqz $t0, 1f; nop; 1: jr $ra; nop"
    ),
}
"""A function in assembly, an instruction a line, with a branch on the byte that it is given."""


@pytest.mark.parametrize(("board", "flags"), LEAKING)
def test_assembly_is_reported_with_its_line(
    run: Command, tmp_path: Path, board: str, flags: str
) -> None:
    folder = copied(tmp_path)
    lines = [".text", ".global toy_leak", ".type toy_leak, @function", "toy_leak:"]
    lines += LEAKING[board, flags].split("; ")
    lines.append(".size toy_leak, . - toy_leak")
    (folder / "leak.S").write_text("\n".join(lines) + "\n")
    source = folder / "encrypt.c"
    call = "(void)nsec; toy_leak(k);"
    source.write_text(
        "void toy_leak(const unsigned char *byte);\n"
        + source.read_text().replace("(void)nsec;", call, 1)
    )
    command = ("constant-time", folder, "--board", board, "--flags", flags, "--op", "enc")
    rows = run(*command, "--format", "json").rows
    branch = 1 + next(number for number, line in enumerate(lines) if "1f" in line)
    assert f"toy_leak (leak.S:{branch})" in {row["location"] for row in rows}


def test_code_of_16_bits_is_measured_and_profiled_as_any_other(run: Command) -> None:
    call = ("ascon-aead128/fast32", "--board", "pic32mx340", "--op", "enc")
    short = (*call, "--flags", "-Os -mips16")
    [measured] = run("measure", *short, "--lengths", "0:8", "--format", "json").rows
    [wide] = run("measure", *call, "--flags", "-Os", "--lengths", "0:8", "--format", "json").rows
    assert (measured["status"], wide["status"]) == ("ok", "ok")
    assert measured["flash"] < 0.8 * wide["flash"]
    assert measured["instructions"] > wide["instructions"]
    [profile] = run("profile", *short, "--length", "0:8", "--format", "json").rows
    assert (profile["cycles"], profile["stack"]) == (measured["cycles"], measured["stack"])
    names = {row["instruction"] for row in profile["mix"]}
    assert {"SAVE", "RESTORE", "LWPC", "MOVE"} <= names
    functions = {row["function"]: row for row in profile["functions"]}
    assert functions["ascon_permute"]["cycles"] > profile["cycles"] / 2
    assert profile["stacks"][0]["functions"][0] == "crypto_aead_encrypt"
    sound = run("constant-time", "ascon-aead128/fast32", *call[1:], "--flags", "-Os -mips16")
    assert (sound.status, sound.err) == (0, "")


def test_what_fails_is_reported(run: Command) -> None:
    for command in ("profile", "constant-time"):
        failed = run(command, TOYS / "loops", "--board", AVR, "--budget", 500_000)
        assert failed.status == 1
        assert "loops on atmega328p, enc 16:64: " in failed.err
        assert "did not return within 500000 cycles, in crypto_aead_encrypt" in failed.err
    lengths = run("profile", "aes-128-gcm", "--board", AVR, "--length", "0:0-8")
    assert "give one, such as 16:64" in lengths.refused()
    wrong = run("profile", "sha-256", "--board", AVR, "--length", "x")
    assert "--length: 'x'" in wrong.refused()
    operations = run("constant-time", "aes-128-gcm", "--board", AVR, "--op", "enc,dec")
    assert "give one, such as enc" in operations.refused()
