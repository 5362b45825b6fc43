"""The scheduler of assembly: dependences, equivalence, search, and runs on simulated boards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from scripts.schedule.__main__ import main
from scripts.schedule.dependences import Step, edges
from scripts.schedule.equivalence import check_outputs, check_regions, summary
from scripts.schedule.instructions import REGISTERS, Text
from scripts.schedule.job import Progress
from scripts.schedule.program import Call, Image, Instruction, Setting, Use
from scripts.schedule.regions import Region, regions
from scripts.schedule.search import Budget, Costs, search, starts, window
from scripts.schedule.source import Source

from pennyweight import catalogue
from pennyweight.catalogue.root import data_root
from pennyweight.measure.disassembly import without_remarks
from pennyweight.measure.function_call import parse_call
from pennyweight.model import UserError

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


def test_comments_of_arm_do_not_end_a_block() -> None:
    source = Source(
        "\tmov\tr0, r1\t@ first; then\n@ alone\n\tmov\tr1, r2\n.Lnext_\\@:\n\tmov\tr2, r3\n"
    )
    assert [block.lines for block in source.blocks()] == [(1, 3)]
    assert source.lines[1].statement == "mov\tr0, r1"
    assert source.lines[4].statement == ".Lnext_\\@:"


def test_long_words_are_read() -> None:
    word = "a" * 60
    assert Source(f"\t{word} r0\n{word}:\t{word}\n").lines[2].has_code


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ("ldr\tr0, [r1, #4]", "ldr r0, [r1, #4]"),
        ("mov.w\tr0, r0, ror #3", "mov.w r0, r0, ror #3"),
        ("ldr\tr0, [pc, #8]\t; (800010c <f+0xc>)", "ldr r0, [pc, #8]"),
        ("ldr\tr0, [pc, #8]\t@ (800010c <f+0xc>)", "ldr r0, [pc, #8]"),
        ("bne.n\t8000104 <f+0x4>  // b.any", "bne.n 8000104 <f+0x4>"),
        ("addi\ta0,a0,16 # 80000010 <table>", "addi a0,a0,16"),
    ],
)
def test_remarks_of_the_disassembler_are_removed(printed: str, shown: str) -> None:
    assert without_remarks(printed) == shown


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
    turns = [step(f"ror.w r0, r0, #{by}", "r0", "r0", family="arm") for by in (3, 7)]
    assert summary(turns[:1], 0, "arm") != summary(turns[1:], 0, "arm")


def test_values_in_other_registers_are_the_same() -> None:
    def through(register: str) -> list[Step]:
        return [
            step(f"lw {register},0(s0)", "s0", register, "l"),
            step(f"sw {register},4(s0)", f"s0 {register}", "", "s"),
            step("li a0,0", "", "a0"),
            step("li a1,0", "", "a1"),
        ]

    assert summary(through("a0"), 0, "riscv") == summary(through("a1"), 0, "riscv")
    # At the end of a region the registers count.
    assert summary(through("a0")[:2], 0, "riscv") != summary(through("a1")[:2], 0, "riscv")
    both = step("umull r0, r1, r2, r3", "r2 r3", "r0 r1", family="arm")
    low, high = (step(f"mov r4, {r}", r, "r4", family="arm") for r in ("r0", "r1"))
    assert summary([both, low], 0, "arm") != summary([both, high], 0, "arm")


def test_lines_move_between_what_they_need_and_what_needs_them() -> None:
    region = Region((1, 2, 3, 4), {(1, 3), (3, 4)})
    assert window((3,), (1, 2, 4), region) == (1, 2)
    assert window((2,), (1, 3, 4), region) == (0, 3)
    orders = list(starts(region))
    assert all(region.allows(order) for order in orders)
    assert (1, 2, 3, 4) in orders
    assert not region.allows((3, 1, 2, 4))


def test_no_gain_outweighs_a_slower_call() -> None:
    settings = [SimpleNamespace(weight=weight) for weight in (9999, 1)]
    costs = Costs(cast("Any", settings), [], [], Budget(1), [[1000], [1000]])
    assert costs.cost([[999], [1000]]) < costs.cost(costs.before)
    assert costs.cost([[1], [1001]]) > costs.cost(costs.before)


def test_lines_move_back_after_the_last_second() -> None:
    budget = Budget(10_000, 3600)

    def cost(orders: Sequence[tuple[int, ...]]) -> int:
        budget.spend()
        better = orders[0].index(5) < orders[0].index(4)
        if better and orders[0] != (1, 2, 3, 5, 4, 6):
            budget.seconds = None if budget.seconds is None else -1
        return 0 if better else 1

    region = Region((1, 2, 3, 4, 5, 6), executed=1)
    found = search(cast("Any", SimpleNamespace(of=cost)), [region], 1, budget)
    assert budget.seconds is None
    assert found == [(1, 2, 3, 5, 4, 6)]


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
BRANCH = LOADS.replace("\tlw\ta2, 4", "\tbeqz\ta0, .+8\n\tlw\ta2, 4").replace(
    "\tsw\ta2", "\taddi\ta3, a3, 1\n\taddi\ta4, a4, 1\n\tsw\ta2"
)
E31 = ("--board", "fe310-g002", "--call", "f(x:64)", "--evaluations", "400")


def rows(printed: str) -> list[list[str]]:
    """The rows of the printed table, as words."""
    found = [line.split() for line in printed.splitlines()]
    return [row for row in found if row[0] == "all" or row[0].replace("-", "").isdigit()]


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
    # The lines are those of the source: the second and the third call.
    text = macro + LOADS[:start] + "\tincrease a3, 8\n" + body + LOADS[end:]
    code, result = scheduled(tmp_path, text, *E31, "--expand", "--lines", "11-12")
    assert code == 0
    lines = [line.strip() for line in result.read_text().splitlines()]
    given = lines.index("lw\ta3,8(a0)")
    assert lines[given + 2] == "sw\ta3,8(a0)"
    assert lines.index("lw\ta2,4(a0)") < lines.index("sw\ta1,0(a0)")


ROTATIONS = """\t.syntax unified
\t.thumb
\t.macro\tturn r, at, by
\tldr\t\\r, [r0, #\\at]
\tror\t\\r, \\r, #\\by
\tadds\t\\r, \\r, #1
\tstr\t\\r, [r0, #\\at]
\t.endm
\t.globl f
\t.type f, %function
\t.section .text.f, "ax", %progbits
f:
\tturn\tr1, 0, 3
\tturn\tr2, 4, 7
\tbx\tlr
\t.size f, . - f
"""


def test_expanded_instructions_of_arm_are_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("--board", "rp2350", "--call", "f(x:64)", "--evaluations", "200", "--expand")
    code, result = scheduled(tmp_path, ROTATIONS, *arguments)
    assert code == 0
    total = rows(capsys.readouterr().out)[-1]
    assert int(total[5]) < int(total[4])
    lines = [" ".join(line.split()) for line in result.read_text().splitlines()]
    assert any(line.endswith("r2, [r0, #4]") and line.startswith("ldr") for line in lines)
    assert any(line.endswith(("r2, ror #7", "r2, r2, #7")) for line in lines)
    # Loads pass a store to another word.
    places = [
        lines.index(f"{word} r{r}, [r0, #{at}]") for word, r, at in (("ldr", 2, 4), ("str", 1, 0))
    ]
    assert places[0] < places[1]


WAITING = """\tlw\ta1, 0(a0)
\taddi\ta1, a1, 1
\tsw\ta1, 0(a0)
\tlw\ta1, 4(a0)
\taddi\ta1, a1, 2
\tsw\ta1, 4(a0)
\tlw\ta1, 8(a0)
\taddi\ta1, a1, 3
\tsw\ta1, 8(a0)
\tmv\ta1, a0
\tmv\ta2, a0
"""


def with_body(body: str) -> str:
    """The function `f` with other instructions."""
    return LOADS[: LOADS.index("\tlw")] + body + LOADS[LOADS.index("\tret") :]


def test_values_get_other_registers_if_that_helps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    after = []
    for option in ([], ["--rename"]):
        code, result = scheduled(tmp_path, with_body(WAITING), *E31, *option)
        assert code == 0
        printed = capsys.readouterr()
        after.append(int(rows(printed.out)[-1][5]))
    assert after[1] < after[0]
    assert "values got other registers" in printed.err
    assert "\tsw\ta2, " in result.read_text()


def test_a_region_is_cut_at_the_given_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, result = scheduled(tmp_path, LOADS, *E31, "--lines", "5-9")
    assert code == 0
    total = rows(capsys.readouterr().out)[-1]
    assert total[0] == "5-9"
    assert int(total[5]) < int(total[4])
    assert "\tsw\ta2, 4(a0)\n\tret\n" in result.read_text()
    # A branch to an excluded line is allowed.
    assert scheduled(tmp_path, BRANCH, *E31, "--lines", "5-7", "--least", "3")[0] == 0


BOARDS = ("--board", "fe310-g002,rp2350-hazard3", "--evaluations", "300")


def test_a_function_without_a_call_keeps_its_order_on_all_boards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # In the same section, so that the linker keeps it.
    other = LOADS.replace(" f", " g").replace("f:", "g:")
    code, result = scheduled(tmp_path, LOADS + other, *BOARDS, "--call", "f(x:64)")
    assert code == 0
    found = rows(capsys.readouterr().out)
    assert {row[0] for row in found} == {"5-10"}
    assert {row[3] for row in found} == {"fe310-g002", "rp2350-hazard3"}
    assert all(int(row[5]) < int(row[4]) for row in found)
    assert result.read_text().endswith(other)


def test_a_board_that_is_named_twice_counts_twice(tmp_path: Path) -> None:
    path = data_root() / "boards/fe310-g002.toml"
    board = ("--board", f"fe310-g002,{path}")
    code, result = scheduled(tmp_path, LOADS, *board, "--call", "f(x:64)", "--evaluations", "50")
    assert code == 0
    assert result.exists()


def test_the_file_itself_changes_for_all_flags(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "#if A\n\t.equ\tstep, 1\n#else\n\t.equ\tstep, 2\n#endif\n" + LOADS.replace(
        "a1, 1", "a1, step"
    )
    flags = ("--flags=-O2 -DA=0", "--flags=-O2 -DA=1")
    code, result = scheduled(tmp_path, text, *E31, *flags, "--in-place")
    assert code == 0
    assert not result.exists()
    changed = (tmp_path / "kernel.S").read_text()
    assert changed != text
    assert sorted(changed.splitlines()) == sorted(text.splitlines())
    printed = capsys.readouterr().out
    assert "-DA=0" in printed
    assert "-DA=1" in printed


def test_no_time_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, result = scheduled(tmp_path, LOADS, *E31, "--seconds", "0")
    assert code == 0
    assert not result.exists()
    assert "no better order was found" in capsys.readouterr().out


def test_calls_are_checked_behind_their_set_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Without its set-up, `f` reads from an address without memory.
    text = (
        LOADS.replace("\tlw\ta1", "\tlw\ta3, 8(a0)\n\tlw\ta3, 0(a3)\n\tlw\ta1")
        + '\t.globl g\n\t.section .text.g, "ax", @progbits\ng:\n\tsw\ta0, 8(a0)\n\tret\n'
    )
    arguments = ("--board", "fe310-g002", "--evaluations", "100", "--call")
    assert scheduled(tmp_path, text, *arguments, "f(x:64)")[0] == 2
    assert "f on fe310-g002" in capsys.readouterr().err
    code, result = scheduled(tmp_path, text, *arguments, "g(x:64); f(x:64)")
    assert code == 0
    assert result.exists()


def setting(tmp_path: Path, text: str, board: str = "fe310-g002") -> Setting:
    path = tmp_path / "kernel.S"
    path.write_text(text)
    call = Call(parse_call("f(x:64)", "--call"))
    return Setting(path, [], [tmp_path], catalogue.load().board(board), "-O2", [call])


def observed(given: Setting, text: str) -> Image:
    image = given.image(Source(text))
    given.observe(image)
    return image


def test_another_computation_is_detected(tmp_path: Path) -> None:
    given = setting(tmp_path, LOADS)
    before = observed(given, LOADS)
    lines = tuple(range(5, 11))

    def check(text: str) -> None:
        check_regions(given, before, observed(given, text), [(lines, lines)])

    check(LOADS)
    exchanged = LOADS.splitlines(keepends=True)
    exchanged[5], exchanged[6] = exchanged[6], exchanged[5]
    for text in ("".join(exchanged), LOADS.replace("a2, 2", "a2, 3")):
        with pytest.raises(UserError, match="does not compute the same"):
            check(text)


def test_other_results_and_times_are_detected(tmp_path: Path) -> None:
    given = setting(tmp_path, LOADS)

    def check(text: str) -> None:
        check_outputs(given, given.build(LOADS), given.build(text), 1)

    check(LOADS)
    with pytest.raises(UserError, match="the result differs"):
        check(LOADS.replace("a2, 2", "a2, 3"))
    with pytest.raises(UserError, match="depends on its buffers more than before"):
        check(LOADS.replace("\tret", "\tbeqz\ta2, 1f\n1:\tret"))


def test_macros_with_labels_do_not_move(tmp_path: Path) -> None:
    (tmp_path / "label.h").write_text("\t.macro\tlabel name\n\\name:\n\t.endm\n")
    body = "\taddi\ta3, a0, 1\n\tbegin\tg\n\taddi\ta4, a0, 1\n\taddi\ta5, a0, 1\n"
    for label in ("\\name:", "\tlabel\t\\name"):
        macro = f'#include "label.h"\n\t.macro\tbegin name\n{label}\n\taddi\ta1, a0, 1\n\t.endm\n'
        text = macro + with_body(body)
        source = Source(text)
        given = setting(tmp_path, text)
        found = regions(source, [given], [observed(given, text)])
        lines = [[source.lines[line].statement for line in each.lines] for each in found]
        assert lines == [["addi\ta4, a0, 1", "addi\ta5, a0, 1"]]


@pytest.mark.parametrize(
    ("text", "arguments", "sentence"),
    [
        (LOADS, ("--board", "atmega328p", "--call", "f(x:64)"), "--board: atmega328p: the order"),
        (LOADS, ("--board", "fe310-g002", "--call", "g(x:64)"), "'g'"),
        (LOADS, ("--board", "fe310-g002", "--call", "f(x:4)"), "--call: f on fe310-g002"),
        (LOADS, ("--board", "fe310-g002", "--call", "f(x 4)"), "--call: the argument 'x 4'"),
        (LOADS, ("--board", "fe310-g002", "--call", "f(x:4); f(x:8)"), "--call: the buffer 'x'"),
        (LOADS, ("--board", "fe310-g002", "--call", "f(x:100000)"), "no RAM for buffers"),
        (LOADS, (*E31, "--output", "/dev/null/x.S"), "/dev/null/x.S: cannot be written"),
        (ROTATIONS, E31, "its assembly is for Arm"),
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
            BRANCH,
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


INVOCATIONS = """\t.syntax unified
\t.thumb
#include "entry.h"
#define DOUBLED(register, by) double register, by
\t.macro\tdouble r, by
\tadds\t\\r, \\r, \\r
\tadd\tr3, r3, \\r, ror #\\by
\tadd\tr3, r3, \\r, ror #5
\t.endm
\tbegin\tf
\tDOUBLED(r0, 3)
\tDOUBLED(r1, 7)
\tmov\tr0, r3
\tbx\tlr
\t.size f, . - f
"""


def test_invocations_of_the_preprocessor_are_lines_of_their_own(tmp_path: Path) -> None:
    header = (
        '\t.macro\tbegin name\n\t.section .text.f, "ax", %progbits\n\t.globl \\name\n'
        "\t.type \\name, %function\n\\name:\n\tmovs r3, #0\n\t.endm\n"
    )
    (tmp_path / "entry.h").write_text(header)
    arguments = ("--board", "rp2350", "--call", "f(1, 2)", "--least", "2", "--expand")

    code, _ = scheduled(tmp_path, INVOCATIONS, *arguments, "--evaluations", "20")

    assert code == 0


def test_other_sources_may_follow_options(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "g.c"
    other.write_text("int g(int x);\nint g(int x)\n{\n    return x;\n}\n")

    code, _ = scheduled(tmp_path, LOADS, *E31, "--call", "g(1)", str(other))

    assert code == 0
    assert "g" in {row[2] for row in rows(capsys.readouterr().out)}


def test_calls_of_one_function_are_distinguished(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _ = scheduled(tmp_path, LOADS, *E31, "--call", "f(y:64)")

    assert code == 0
    printed = capsys.readouterr().out
    assert "f(x:64)" in printed
    assert "f(y:64)" in printed


def test_a_long_search_reports_its_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    reported: list[str] = []
    now = 0.0
    monkeypatch.setattr("scripts.schedule.job.time.monotonic", lambda: now)
    progress = Progress(reported.append, 1000)

    now = 9.0
    progress.evaluated(1)
    assert reported == []
    now = 10.0
    progress.evaluated(2)
    progress.evaluated(3)
    assert reported == ["2 evaluations: cost 100.00 % of that before"]
    progress.gain(900, 4)
    assert reported[1:] == ["4 evaluations: cost 90.00 % of that before"]


def test_a_missing_file_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["none.S", *E31]) == 2
    assert "none.S: there is no such assembly file" in capsys.readouterr().err


def test_a_bundled_kernel_keeps_its_instructions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = IMPLEMENTATIONS / "tinyjambu/native/armv7m/permute.S"
    output = tmp_path / "permute.S"
    arguments = [
        *(str(path), "--include", str(IMPLEMENTATIONS / "util"), "--board", "rp2350"),
        *("--call", "tinyjambu_permute(s:16, key:16, 8)", "--evaluations", "150"),
        *("--output", str(output)),
    ]
    assert main(arguments) == 0
    last = rows(capsys.readouterr().out)[-1]
    assert last[2:4] == ["tinyjambu_permute", "rp2350"]
    assert int(last[5].replace(",", "")) < int(last[4].replace(",", ""))
    # It has the lines of the source behind a comment of its own.
    text = output.read_text().partition(" */\n")[2]
    assert text != path.read_text()
    assert sorted(text.splitlines()) == sorted(path.read_text().splitlines())
