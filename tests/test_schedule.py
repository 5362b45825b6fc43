"""The scheduler of assembly: dependences, equivalence, search, and runs on simulated boards."""

from __future__ import annotations

from pathlib import Path

import pytest
from scripts.schedule.__main__ import main
from scripts.schedule.dependences import Step, edges
from scripts.schedule.equivalence import summary
from scripts.schedule.instructions import REGISTERS, Text
from scripts.schedule.program import Instruction, Use
from scripts.schedule.regions import Region
from scripts.schedule.search import starts, window
from scripts.schedule.source import Source

from pennyweight.catalogue.root import data_root

IMPLEMENTATIONS = data_root() / "implementations"
Z = 1 << 17
"""Arm's zero flag."""


def bits(names: str, family: str) -> int:
    return sum(1 << REGISTERS[family][name] for name in names.split())


def step(
    text: str, reads: str, writes: str, memory: str = "", family: str = "riscv", flags: str = ""
) -> Step:
    """An instruction; `memory` has l for a load and s for a store, `flags` r and w of Z."""
    use = Use(
        bits(reads, family) | (Z if "r" in flags else 0),
        bits(writes, family) | (Z if "w" in flags else 0),
        "l" in memory,
        "s" in memory,
    )
    return Step(Instruction(0, 4, Text.of(text, family), text), use)


LOAD = step("lw a0,0(s0)", "s0", "a0", "l")
STORE = step("sw a1,4(s0)", "s0 a1", "", "s")


def test_blocks_end_at_labels_directives_and_the_preprocessor() -> None:
    source = Source(
        "/* a comment of\n two lines */\n"
        "\t.macro\tm a\n\tadd\t\\a, \\a, \\a\n\t/* about xor */\n\txor\t\\a, \\a, a1\n\t.endm\n"
        "f:\tlw\ta0, 0(a1)\n\tm\ta0\n#if A\n\tli\ta0, 1\n#endif\n\tmv\ta1, a0\n1:\n\tret\n"
    )
    assert [block.lines for block in source.blocks()] == [(4, 6)]
    assert source.reordered([(6, 4)]).splitlines()[3:6] == [
        "\t/* about xor */",
        "\txor\t\\a, \\a, a1",
        "\tadd\t\\a, \\a, \\a",
    ]
    assert "\t.loc 1 8\nf:\tlw" in source.marked()


@pytest.mark.parametrize(
    ("first", "second", "ordered"),
    [
        # Read after write, write after read, write after write.
        (LOAD, step("addi a2,a0,1", "a0", "a2"), True),
        (step("addi a2,a0,1", "a0", "a2"), LOAD, True),
        (LOAD, step("li a0,1", "", "a0"), True),
        (LOAD, step("addi a2,a3,1", "a3", "a2"), False),
        # Disjoint, overlapping and unknown accesses.
        (LOAD, STORE, False),
        (step("sw a2,0(s0)", "s0 a2", "", "s"), LOAD, True),
        (step("sb a2,3(s0)", "s0 a2", "", "s"), LOAD, True),
        (step("sb a2,4(s0)", "s0 a2", "", "s"), LOAD, False),
        (step("sw a2,8(s1)", "s1 a2", "", "s"), LOAD, True),
        (LOAD, step("lw a2,0(s0)", "s0", "a2", "l"), False),
    ],
)
def test_dependences_of_registers_and_memory(first: Step, second: Step, ordered: bool) -> None:
    assert bool(edges([first, second], 0, "riscv")) == ordered
    swapped = summary([first, second], 0, "riscv") != summary([second, first], 0, "riscv")
    assert swapped == ordered


def test_a_changed_base_register_is_another_one() -> None:
    moved = step("addi s0,s0,4", "s0", "s0")
    assert (0, 2) in edges([STORE, moved, LOAD], 0, "riscv")


def test_only_flags_that_are_read_order_instructions() -> None:
    def arm(text: str, reads: str, writes: str, flags: str) -> Step:
        return step(text, reads, writes, "", "arm", flags)

    one, two = arm("eors r0, r1", "r0 r1", "r0", "w"), arm("eors r2, r3", "r2 r3", "r2", "w")
    compare, use = arm("cmp r4, r5", "r4 r5", "", "w"), arm("adc r6, r6, r7", "r6 r7", "r6", "r")
    assert edges([one, two], 0, "arm") == set()
    assert edges([one, two], Z, "arm") == {(0, 1)}
    assert edges([one, compare, use, two], 0, "arm") == {(0, 1), (1, 2), (2, 3)}
    given = summary([one, compare, use, two], 0, "arm")
    assert summary([compare, use, one, two], 0, "arm") == given
    assert summary([compare, one, use, two], 0, "arm") != given


def test_summaries_distinguish_operands() -> None:
    orders = [step(f"sub a0,{a},{b}", "a1 a2", "a0") for a, b in (("a1", "a2"), ("a2", "a1"))]
    assert summary(orders[:1], 0, "riscv") != summary(orders[1:], 0, "riscv")


def test_lines_move_between_what_they_need_and_what_needs_them() -> None:
    region = Region((1, 2, 3, 4), {(1, 3), (3, 4)})
    assert window((3,), (1, 2, 4), region) == (1, 2)
    assert window((2,), (1, 3, 4), region) == (0, 3)
    orders = list(starts(region))
    assert all(region.allows(order) for order in orders)
    assert (1, 2, 3, 4) in orders
    assert not region.allows((3, 1, 2, 4))


LOADS = """\t.globl f
\t.type f, @function
\t.section .text.f, "ax", @progbits
f:
\tlw\ta1, 0(a0)
\taddi\ta1, a1, 1
\tsw\ta1, 0(a0)
\tlw\ta2, 4(a0)
\taddi\ta2, a2, 2
\tsw\ta2, 4(a0)
\tret
\t.size f, . - f
"""
E31 = ("--board", "fe310-g002", "--call", "f(x:64)", "--evaluations", "400")


def rows(printed: str) -> list[list[str]]:
    """The rows of the printed table, as words."""
    found = [line.split() for line in printed.splitlines()]
    return [row for row in found if row[0].replace("-", "").isdigit()]


def scheduled(tmp_path: Path, text: str, *arguments: str) -> tuple[int, Path]:
    path = tmp_path / "kernel.S"
    path.write_text(text)
    return main([str(path), *arguments]), tmp_path / "kernel.scheduled.S"


def test_loads_are_separated_from_their_use_on_the_e31(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, result = scheduled(tmp_path, LOADS, *E31)
    assert code == 0
    lines = [line.strip() for line in result.read_text().splitlines()]
    loads, adds = lines.index("lw\ta2, 4(a0)"), lines.index("addi\ta1, a1, 1")
    assert loads < adds
    # The result of a load can be used after an instruction between them (E31 manual, 4.4).
    total = rows(capsys.readouterr().out)[-1]
    assert int(total[4]) - int(total[5]) == 2
    # The same arguments give the same result, and the result has no better order.
    text = result.read_text()
    assert scheduled(tmp_path, LOADS, *E31)[1].read_text() == text
    result.unlink()
    code, again = scheduled(tmp_path, text, *E31)
    assert code == 0
    assert not again.exists()
    assert "no better order was found" in capsys.readouterr().out


def test_a_macro_has_one_order_and_expansion_more(tmp_path: Path) -> None:
    macro = (
        "\t.macro\tincrease r, at\n\tlw\t\\r, \\at(a0)\n\taddi\t\\r, \\r, 1\n"
        "\tsw\t\\r, \\at(a0)\n\t.endm\n"
    )
    body = "\tincrease a1, 0\n\tincrease a2, 4\n"
    start, end = LOADS.index("\tlw"), LOADS.index("\tret")
    text = macro + LOADS[:start] + body + LOADS[end:]
    code, result = scheduled(tmp_path, text, *E31, "--least", "2")
    assert code == 0
    assert not result.exists()
    code, result = scheduled(tmp_path, text, *E31, "--least", "2", "--expand")
    assert code == 0
    assert "\tsw\ta1,0(a0)" in result.read_text()


@pytest.mark.parametrize(
    ("text", "arguments", "sentence"),
    [
        (LOADS, ("--board", "atmega328p", "--call", "f(x:64)"), "--board: atmega328p: the order"),
        (LOADS, ("--board", "fe310-g002", "--call", "g(x:64)"), "g"),
        (LOADS, ("--board", "fe310-g002", "--call", "f(x:4)"), "--call: f on fe310-g002"),
        (LOADS, ("--board", "fe310-g002", "--call", "f(x 4)"), "--call: the argument 'x 4'"),
        (LOADS, ("--board", "fe310-g002=x", "--call", "f(x:64)"), "the weight in"),
        (LOADS, (*E31, "--lines", "7"), "--lines: '7' is not a range"),
        (LOADS, (*E31, "--lines", "90-99"), "lines 90 to 99 has no 4 consecutive lines"),
        (LOADS, (*E31, "--in-place", "--output", "x"), "--output: cannot be combined"),
        (
            LOADS,
            ("--board", "fe310-g002,rp2350", "--call", "f(x:64)"),
            "different instruction sets",
        ),
        (
            LOADS.replace("\tlw\ta2, 4", "\tbeqz\ta0, .+8\n\tlw\ta2, 4").replace(
                "\tsw\ta2", "\taddi\ta3, a3, 1\n\taddi\ta4, a4, 1\n\tsw\ta2"
            ),
            E31,
            "a branch leads to this line",
        ),
    ],
)
def test_mistakes_are_explained(
    text: str,
    arguments: tuple[str, ...],
    sentence: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, _ = scheduled(tmp_path, text, *arguments)
    printed = capsys.readouterr().err
    assert code == 2
    assert sentence in printed
    assert "Traceback" not in printed


def test_a_missing_file_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["none.S", *E31]) == 2
    assert "none.S: there is no such assembly file" in capsys.readouterr().err


def test_a_bundled_kernel_keeps_its_instructions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = IMPLEMENTATIONS / "chacha/native/armv7m/chacha20.S"
    output = tmp_path / "chacha20.S"
    arguments = [
        *(str(path), "--include", str(IMPLEMENTATIONS / "util"), "--board", "rp2350"),
        *("--call", "chacha20_block(out:64, state:64)", "--evaluations", "150"),
        *("--output", str(output)),
    ]
    assert main(arguments) == 0
    last = rows(capsys.readouterr().out)[-1]
    assert last[2:4] == ["chacha20_block", "rp2350"]
    assert int(last[5].replace(",", "")) < int(last[4].replace(",", ""))
    # It has the lines of the source behind a comment of its own.
    text = output.read_text().partition(" */\n")[2]
    assert text != path.read_text()
    assert sorted(text.splitlines()) == sorted(path.read_text().splitlines())
