"""`pennyweight accuracy --on`: the simulator against a connected board."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_runs import Command, runner
from emulators.running import avr_gdb
from packages_for_tests import AVR, board, files
from pennyweight.accuracy.board_errors import CallError, by_class, factor, page, pair
from pennyweight.accuracy.instruction_classes import (
    BRANCHES,
    CLASSES,
    LOADS,
    MULTIPLIES,
    OTHER,
    STORES,
    shares,
)
from pennyweight.job import Job
from pennyweight.measure.call_analysis import profile_case
from pennyweight.model import Case, Measurement, Operation
from pennyweight.store import open_store
from pennyweight.store.reading import open_results
from pennyweight.target import Failure
from pennyweight.toolchains import FAMILIES, family


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


@pytest.mark.parametrize(
    ("family", "names", "expected"),
    [
        ("avr-gcc", "ld ldd lds lpm pop", LOADS),
        ("avr-gcc", "st std sts push", STORES),
        ("avr-gcc", "mul muls fmul", MULTIPLIES),
        ("avr-gcc", "jmp rjmp ijmp call rcall icall ret brne cpse sbrc sbis", BRANCHES),
        ("avr-gcc", "ldi sbc sbci sbiw sub swap movw eor bst bld in out", OTHER),
        ("arm-none-eabi-gcc", "ldr ldrb ldrd ldm pop", LOADS),
        ("arm-none-eabi-gcc", "str strh strd stm push", STORES),
        ("arm-none-eabi-gcc", "mul muls mla umull umlal smlaxy udiv", MULTIPLIES),
        ("arm-none-eabi-gcc", "b bl blx bx beq bls cbz cbnz tbb", BRANCHES),
        ("arm-none-eabi-gcc", "bic bics bfi sub subs sbc ubfx uxtb lsl it", OTHER),
        ("msp430-elf-gcc", "jne jmp call ret br", BRANCHES),
        ("msp430-elf-gcc", "mov add.b rrc bis", OTHER),
        ("riscv64-unknown-elf-gcc", "lw lbu lh", LOADS),
        ("riscv64-unknown-elf-gcc", "sw sb sh", STORES),
        ("riscv64-unknown-elf-gcc", "mul mulhu divu rem", MULTIPLIES),
        ("riscv64-unknown-elf-gcc", "beq bnez bltu j jal jalr jr ret", BRANCHES),
        ("riscv64-unknown-elf-gcc", "li sub slli sltu sh1add lui", OTHER),
        ("xtensa-lx106-elf-gcc", "l8ui l16si l32i l32r", LOADS),
        ("xtensa-lx106-elf-gcc", "s8i s16i s32i s32c1i", STORES),
        ("xtensa-lx106-elf-gcc", "mull mul16u muluh quou rems", MULTIPLIES),
        (
            "xtensa-lx106-elf-gcc",
            "beq beqz bnei bltu bgeui bnone bnall bbci j jx call0 callx8 ret",
            BRANCHES,
        ),
        ("xtensa-lx106-elf-gcc", "movi addi addx4 ssai src extui moveqz nop rsr", OTHER),
        ("mipsel-linux-gnu-gcc", "LW LBU LHU LWL LWPC", LOADS),
        ("mipsel-linux-gnu-gcc", "SW SB SWR SC", STORES),
        ("mipsel-linux-gnu-gcc", "MUL MULTU MADDU DIV MFLO", MULTIPLIES),
        (
            "mipsel-linux-gnu-gcc",
            "BEQ BNEL BGEZAL BLTZALL B BTEQZ BNEZ J JAL JALX JR JRC JALRC",
            BRANCHES,
        ),
        ("mipsel-linux-gnu-gcc", "LI LUI ADDIU SLL SLTU SEB EXT BREAK MOVE", OTHER),
    ],
)
def test_instructions_have_classes(family: str, names: str, expected: str) -> None:
    for name in names.split():
        assert shares(FAMILIES[family], [(name, 1, 3)])[expected] == 1, name


@pytest.mark.parametrize("name", ["atmega328p", "esp32", "esp8266", "pic32mx340", "fe310-g002"])
def test_a_programs_loads_stores_and_branches_are_recognised(name: str) -> None:
    [implementation] = files().find("ascon-aead128/small")
    profile = profile_case(Job(implementation, board(name), "-O2", [Case(Operation.ENC, 0, 16)]))
    assert not isinstance(profile, Failure), profile
    found = shares(family(board(name)), profile.profile.mix)
    assert min(found[LOADS], found[STORES], found[BRANCHES], found[OTHER]) > 0.01


def test_every_instruction_set_has_classes() -> None:
    for each in FAMILIES.values():
        assert shares(each, [("nothing", 1, 1)])[OTHER] == 1


def test_shares_are_those_of_cycles() -> None:
    found = shares(FAMILIES["avr-gcc"], [("ld", 10, 20), ("eor", 60, 60)])
    assert (found[LOADS], found[OTHER], found[STORES]) == (0.25, 0.75, 0)


def row(name: str, cycles: int | None, **more: object) -> Measurement:
    status = "ok" if cycles is not None else "crashed"
    spread = more.get("spread")
    assert spread is None or isinstance(spread, int)
    reason = "" if cycles is not None else "the part was reset"
    return Measurement(
        "x",
        name,
        "b",
        "-O2",
        "enc",
        0,
        16,
        cycles,
        status=status,
        cycles_spread=spread,
        reason=reason,
    )


def test_rows_are_paired_and_missing_ones_have_a_reason() -> None:
    mixes = {(name, "enc"): dict.fromkeys(CLASSES, 0.2) for name in ("x/a", "x/b", "x/c")}
    errors, reasons = pair(
        [row("a", 110), row("b", 50), row("c", 70)],
        [row("a", 100, spread=4), row("b", None)],
        mixes,
    )
    [error] = errors
    assert (error.what, error.spread) == ("enc 0:16", 4)
    assert error.error == pytest.approx(0.1)
    assert [each.partition(":")[0] for each in reasons] == ["x/b, enc 0", "x/c, enc 0"]
    assert reasons[0].endswith("the part was reset")


def call(name: str, error: float, loads: float) -> CallError:
    mix = dict.fromkeys(CLASSES, 0.1) | {LOADS: loads}
    return CallError(name, "enc 0:16", int(1000 * (1 + error)), 1000, 0, mix)


def test_errors_that_grow_with_loads_point_to_loads() -> None:
    errors = [call("a", 0, 0.1), call("b", 0.01, 0.2), call("c", -0.08, 0.3), call("d", -0.1, 0.4)]
    [loads] = by_class(errors)
    assert loads.name == LOADS
    assert loads.more == pytest.approx(0.09) and loads.less == pytest.approx(0.005)
    text = page("A board", "a part", errors, [])
    assert "| loads | 25.00 % | 9.00 % | 0.50 % | wait states of data reads" in text
    worst = "| d | enc 0:16 | 900 | 1,000 | 0 | -10.00 % | loads: wait states of data reads"
    assert text.index(worst) < text.index("| c | ")
    assert "| a | enc 0:16 | 1,000 | 1,000 | 0 | +0.00 % |  |" in text
    assert "maximum 10.00 %" in text


def test_errors_of_one_factor_point_to_the_counter() -> None:
    """As on an emulator whose counter counts something else."""
    errors = [
        call(name, error, loads)
        for name, error, loads in (("a", 9, 0.1), ("b", 9.5, 0.2), ("c", 10, 0.3), ("d", 10.5, 0.4))
    ]
    assert factor(errors) == pytest.approx(1 / 10.75, rel=0.01)
    text = page("A board", "a part", errors, [])
    assert "Nearly all calls take 0.09 times the simulated cycles" in text
    assert "check device.counter and the clock in the board file" in text
    assert "wait states" not in text
    assert factor(errors[:1]) is None
    assert factor([call("a", 0, 0.1), call("b", 0.01, 0.2)]) is None


def test_a_class_that_cannot_explain_the_errors_is_not_named() -> None:
    similar = [call("a", -0.05, 0.2), call("b", -0.05, 0.2), call("c", -0.053, 0.3)]
    assert "wait states" not in page("A board", "a part", [*similar, call("d", -0.054, 0.3)], [])
    rare = [call("a", 0, 0.001), call("b", 0, 0.001), call("c", -0.09, 0.002)]
    assert "wait states" not in page("A board", "a part", [*rare, call("d", -0.09, 0.002)], [])


def test_an_emulated_board_that_counts_cycles_has_no_errors(run: Command, tmp_path: Path) -> None:
    with avr_gdb() as emulator:
        words = ("accuracy", "--on", emulator.place, "--board", AVR, "--yes")
        only = ("--only", "tinyjambu-128/small", "--only", "sha-256/small")
        places = ("--output", tmp_path, "--results", tmp_path / "results")
        done = run(*words, *only, *places)
        stored = sorted((tmp_path / "results" / "jobs").rglob("*.parquet"))
        again = run(*words, *only, *places)
    assert done.status == 0, done.err
    assert again.out == done.out
    assert len(stored) == 4
    assert sorted((tmp_path / "results" / "jobs").rglob("*.parquet")) == stored
    with open_results(open_store(tmp_path / "results")) as found:
        rows = found.query("SELECT board, op, m, cycles FROM latest ORDER BY ALL").to_pylist()
    both = [
        [tuple(row.values())[1:] for row in rows if row["board"] == name]
        for name in (AVR, f"{AVR}-device")
    ]
    assert len(both[0]) == 6 and both[0] == both[1]
    report = run("report", "--results", tmp_path / "results", "--output", tmp_path / "report")
    assert report.status == 0, report.err
    assert "6 calls: the median absolute error is 0.00 %" in " ".join(done.out.split())
    text = (tmp_path / f"accuracy-{AVR}.md").read_text(encoding="utf-8")
    assert "the median absolute error is 0.00 %" in text and "maximum 0.00 %" in text
    assert "| sha-256/small | hash 0:128 |" in text
    assert "Measured on: ATmega328P, identity not read, unknown debug server" in text


def test_either_nist_or_a_board_is_required(run: Command) -> None:
    assert "give either --nist PATH or --on PLACE" in run("accuracy").refused()
    printed = run("accuracy", "--on", "probe", "--every", "3").refused()
    assert "--every works with --nist only" in printed
    assert (
        "--results works with --on only"
        in run("accuracy", "--nist", "x", "--results", "y").refused()
    )
    assert "--yes requires --on" in run("accuracy", "--nist", "x", "--yes").refused()
