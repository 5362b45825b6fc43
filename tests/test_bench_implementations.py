"""`make bench-implementations`: ratios, copies in C alone, what counts against ours, the tables."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from scripts.bench_implementations import c_alone, text
from scripts.bench_implementations.assembly import has_assembly
from scripts.bench_implementations.comparison import C_ALONE, CONSTANT_TIME, compare, judge
from scripts.bench_implementations.measured import PLAIN, Call, Figures, LeftOut
from scripts.bench_implementations.summary import markdown

import pennyweight
from packages_for_tests import side_by_side
from pennyweight import catalogue
from pennyweight.catalogue.implementations import at_path
from pennyweight.model import Case, Kind, Operation
from tracked_files import tracked
from verdicts import cached_by_project

pytestmark = cached_by_project("comparisons with other packages")

ROOT = Path(__file__).parents[1]
MODULE = "scripts.bench_implementations"
ONE = ("--boards", "atmega328p", "--algorithms", "sha-256")


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command in `folder`, where it keeps its results."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "src"), *filter(None, sys.path)])
    return subprocess.run(
        [sys.executable, "-m", MODULE, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def place(folder: Path) -> Path:
    """Where a clone in `folder` has its implementations of SHA-256."""
    return folder / "clone" / "implementations" / "_reference_" / "crypto_hash" / "sha256"


def package(into: Path, name: str, of: str = "sha-256") -> None:
    """One of ours as a third-party package: no manifest, and nothing but C."""
    side_by_side(f"{of}/{name}", into)
    for header in into.glob("*.h"):
        content = header.read_text().replace("defined(__AVR__)", "0")
        content = content.replace("PENNYWEIGHT_", "THEIRS_")
        header.write_text(re.sub(r"__asm__.*", "", content))


def with_assembly(folder: Path) -> None:
    """Has SHA-256's entry ask a function in assembly, on AVR alone."""
    (folder / "zero.S").write_text(
        "#if defined(__AVR__)\n.global zero\nzero:\n clr r24\n ret\n#endif\n"
    )
    (folder / "zero.c").write_text(
        "#if !defined(__AVR__)\nunsigned char zero(void) { return 0; }\n#endif\n"
    )
    hash_c = folder / "sha256.c"
    start, body, rest = hash_c.read_text().partition("int crypto_hash(")
    body += rest.replace("{", "{\n    if (zero()) return -1;\n", 1)
    hash_c.write_text(f"{start}unsigned char zero(void);\n{body}")


def test_no_process_at_a_time_is_refused(tmp_path: Path) -> None:
    result = run(tmp_path, str(tmp_path), "--jobs", "0")
    assert result.returncode == 2
    assert "--jobs 0: give 1 or more" in result.stderr and "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--op", "decrypt"), "--op decrypt: give enc or dec"),
        (("--op", "hash"), "--op hash: give enc or dec"),
        (("--ad", "-1"), "--ad -1: give bytes of associated data, from 0 to 1048576"),
        (("--ad", "16k"), "--ad 16k: give bytes of associated data, from 0 to 1048576"),
        (("--ad", "1048577"), "--ad 1048577: give bytes of associated data, from 0 to 1048576"),
        (("--ad=",), "--ad : give bytes of associated data, from 0 to 1048576"),
    ],
)
def test_what_cannot_be_called_is_refused(
    words: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    result = run(tmp_path, str(tmp_path), *words)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.endswith(f" error: {told}\n") and "Traceback" not in result.stderr


def test_decryption_and_associated_data_are_of_aeads() -> None:
    call = Call(Operation.DEC, 16)
    assert call.cases(Kind.AEAD) == [Case(Operation.DEC, 16, size) for size in (16, 128)]
    assert call.has(Kind.AEAD) and not call.has(Kind.HASH)
    assert not Call(ad=1).has(Kind.HASH)
    assert PLAIN.cases(Kind.AEAD) == [Case(Operation.ENC, 0, size) for size in (16, 128)]
    assert PLAIN.has(Kind.HASH)
    assert PLAIN.cases(Kind.HASH) == [Case(Operation.HASH, 0, size) for size in (16, 128)]
    assert str(call) == "to decrypt with 16 bytes of associated data"
    assert str(Call(ad=1)) == "to encrypt with 1 byte of associated data"
    assert str(Call(Operation.DEC)) == "to decrypt without associated data"


def test_the_call_that_is_asked_for_is_compared(tmp_path: Path) -> None:
    """Against what `measure` says of the same calls of ours."""
    package(place(tmp_path) / "theirs", "small")
    aead = tmp_path / "clone" / "implementations" / "ascon" / "crypto_aead" / "ascon128v12"
    package(aead / "theirs", "small", of="ascon-128")
    board, flags = "samd21", "-O2"
    asked = ("--boards", board, "--flags", flags, "--algorithms", "ascon-128,sha-256")
    before = tracked()
    done = run(tmp_path, "clone", *asked, "--op", "dec", "--ad", "16")
    assert tracked() == before

    assert done.returncode == 0, done.stderr
    assert "Cycles to decrypt with 16 bytes of associated data:\n" in done.stdout
    [line] = [x for x in done.stdout.splitlines() if x.startswith("ascon-128 ")]
    assert not re.search("^sha-256", done.stdout, re.MULTILINE)
    assert "Left out of theirs:\n  sha-256/theirs: a hash, which has neither" in done.stdout
    found = re.findall(r"(\d+) (\S+) / (\d+) theirs", line)[:2]
    for (cycles, name, _), length in zip(found, (16, 128), strict=True):
        rows = pennyweight.measure(
            f"ascon-128/{name}",
            [board],
            flags=flags,
            lengths=[(16, length)],
            op="dec",
            verify=False,
        )
        assert rows.column("cycles").to_pylist() == [int(cycles)]

    done = run(tmp_path, "clone", *asked, "--flags=-O3,-Os", "--ad", "16", "--markdown")
    assert done.stdout.startswith("Cycles to encrypt with 16 bytes of associated data, at `-O3`:")
    done = run(tmp_path, "clone", *ONE, "--op", "dec")
    assert (done.returncode, done.stdout) == (2, "")
    assert "sha-256: none that both sides have but hashes, of which there is no" in done.stderr


def test_ratios_are_those_of_the_best_of_either_side(tmp_path: Path) -> None:
    package(place(tmp_path) / "theirs", "fast8")
    done = run(tmp_path, "clone", *ONE, "--flags", "-O2")

    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    [line] = [x for x in lines if x.startswith("sha-256")]
    found = re.findall(r"(\d\.\d\d)([ !])(\d+) (\S+) / (\d+) theirs", line)
    assert [name for *_, name, _ in found] == ["fast8", "fast8", "fast8"]
    for ratio, mark, mine, _, other in found:
        assert (f"{int(mine) / int(other):.2f}", mark) == (ratio, " ")
    # Theirs is ours without what asks for AVR; the copy of ours is without assembly alone.
    [alone] = [x for x in lines if x.startswith("  C alone")]
    copies = re.findall(r" (0\.9\d) (\d+) fast8-c / (\d+) theirs", alone)
    assert len(copies) == 3
    assert all(f"{int(mine) / int(other):.2f}" == ratio for ratio, mine, other in copies)
    assert "0 ratios above 1.10" in done.stdout


def test_what_has_assembly_counts_in_c_alone_if_it_has_c(tmp_path: Path) -> None:
    for name in ("mixed", "assembly"):
        package(place(tmp_path) / name, "small")
    with_assembly(place(tmp_path) / "mixed")
    order = place(tmp_path) / "assembly" / "order.c"
    order.write_text('void f(void);\nvoid f(void) { __asm__ volatile("nop"); }\n')
    done = run(tmp_path, "clone", *ONE, "--flags=-O2")

    assert done.returncode == 0, done.stderr
    assert "fast8 / " in done.stdout
    assert "mixed-c" in done.stdout
    assert "  sha-256/assembly: assembly, and no C in its place\n" in done.stdout

    # What only keeps the compiler from moving something is C.
    order.write_text('void f(void);\nvoid f(void) { __asm__ volatile("" ::: "memory"); }\n')
    shutil.rmtree(place(tmp_path) / "mixed")
    done = run(tmp_path, "clone", *ONE, "--flags=-O2")
    assert done.returncode == 0, done.stderr
    assert re.search(r"fast8 / \d+ assembly ", done.stdout)
    assert "Left out of theirs" not in done.stdout


def test_where_nothing_of_ours_runs_the_command_fails(tmp_path: Path) -> None:
    # Takes the content of our headers away.
    flags = "--flags=-O3 -DPENNYWEIGHT_SHA256_H"
    package(place(tmp_path) / "theirs", "small")
    for more in ((), ("--markdown",)):
        done = run(tmp_path, "clone", *ONE, flags, *more)
        assert done.returncode == 1, done.stderr
        told = done.stderr if more else done.stdout
        assert re.search(
            r"Left out of ours:\n  sha-256/fast32, sha-256/fast8, sha-256/small, .*: build failed",
            told,
        )
        assert "1 where nothing of ours runs, 3 of ours that fail" in told
        assert more or "nothing of ours runs !" in told

    (place(tmp_path) / "theirs" / "broken.c").write_text("#error no\n")
    done = run(tmp_path, "clone", *ONE, flags)
    assert done.returncode == 1
    assert "nothing of ours or of theirs runs !" in done.stdout
    assert "sha-256/theirs: build failed" in done.stdout


def test_folders_that_cannot_be_used_are_told(tmp_path: Path) -> None:
    package(place(tmp_path) / "theirs", "small")
    (place(tmp_path) / "empty").mkdir()
    (place(tmp_path) / "empty" / "hash.c").write_text("int x;\n")
    done = run(tmp_path, "clone", *ONE, "--flags=-O2")

    assert done.returncode == 0, done.stderr
    assert re.search(r"Left out of theirs:\n  \S+/empty: .*has sources but no api.h", done.stdout)


def test_a_folder_that_is_no_clone_is_told(tmp_path: Path) -> None:
    done = run(tmp_path, str(tmp_path))

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "give the path of a clone of usnistgov" in done.stderr


def test_an_algorithm_that_theirs_lack_is_told(tmp_path: Path) -> None:
    package(place(tmp_path) / "theirs", "small")
    done = run(tmp_path, "clone", "--algorithms", "ascon-*")

    assert (done.returncode, done.stdout) == (2, "")
    assert "--algorithms ascon-*: none that both sides have" in done.stderr


ASM = '__asm__("nop");'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # A branch for a core with assembly is not taken; the #else is.
        (f"#if defined(__AVR__)\n{ASM}\n#else\nc();\n#endif", f"#if 0\n{ASM}\n#else\nc();\n#endif"),
        ("#ifdef __AVR__\n#define X_ASM 1\n#endif", "#if 0\n#define X_ASM 1\n#endif"),
        (
            "#if 1\n#elif __ARM_ARCH == 7\n#define X_ASM 1\n#endif",
            "#if 1\n#elif 0\n#define X_ASM 1\n#endif",
        ),
        ("#if defined(__AVR__)\nf(x);\n#endif", "#if 0\nf(x);\n#endif"),
        ("#if A \\\n  && __thumb__\n" + ASM + "\n#endif", "#if 0\n\n" + ASM + "\n#endif"),
        ("#if defined(__arm__) && defined(ASSEMBLER)\n#endif", "#if 0\n#endif"),
        # Of conditions in each other the innermost for a core.
        (
            f"#if defined(__AVR__)\n#if __AVR_HAVE_MUL__\n{ASM}\n#endif\n#endif",
            f"#if defined(__AVR__)\n#if 0\n{ASM}\n#endif\n#endif",
        ),
        (
            f"#ifndef H_H\n#if __AVR__\n{ASM}\n#endif\n#endif",
            f"#ifndef H_H\n#if 0\n{ASM}\n#endif\n#endif",
        ),
        # What is left out for AVR alone is in the files of assembly, if there are any.
        ("#if !defined(__AVR__)\nc();\n#endif", "#if 1\nc();\n#endif"),
        (f"#ifndef __AVR__\nc();\n#else\n{ASM}\n#endif", f"#if 1\nc();\n#else\n{ASM}\n#endif"),
    ],
)
def test_conditions_that_choose_assembly_are_answered(before: str, after: str) -> None:
    assert c_alone.in_c(before, frozenset({"f"}), True) == after


@pytest.mark.parametrize(
    "kept",
    [
        "#if defined(__AVR__)\nstatic_inline(c);\n#else\nc();\n#endif",
        "#if !defined(__AVR__)\n#define SLICED 1\n#else\n#define SLICED 0\n#endif",
        '#if defined(__AVR__)\n__asm__ volatile("" ::: "memory");\n#endif',
        f"#if defined(__AVR__)\n/* {ASM} */ c(); // {ASM}\n#endif",
        f"#if defined(__GNUC__)\n{ASM}\n#endif",
        "#if defined(__AVR__)\n#define X_ASM 0\n#endif",
    ],
)
def test_other_conditions_stay(kept: str) -> None:
    assert c_alone.in_c(kept, frozenset({"f"}), True) == kept


def test_c_that_avr_lacks_stays_out_where_no_file_is_in_assembly() -> None:
    kept = "#if !defined(__AVR__)\nc();\n#endif"
    assert c_alone.in_c(kept) == kept


def test_assembly_is_what_the_board_compiles(tmp_path: Path) -> None:
    known = catalogue.load()
    package(tmp_path / "theirs", "small")
    [theirs] = at_path(tmp_path / "theirs", known.algorithms)

    def boards_with_it() -> list[str]:
        names = ("atmega328p", "samd21", "nrf52840")
        return [name for name in names if has_assembly(theirs, known.board(name))]

    assert boards_with_it() == []
    order = tmp_path / "theirs" / "a_order.c"
    order.write_text(f"#if defined(__AVR__)\nvoid f(void) {{ {ASM} }}\n#endif\n")
    assert boards_with_it() == ["atmega328p"]
    order.write_text(f"#if __ARM_ARCH == 7\n#define MOVE() {ASM}\n#endif\n")
    assert boards_with_it() == ["nrf52840"]
    # What is in avr-libc's macros is not theirs.
    order.write_text(
        "#if defined(__AVR__)\n#include <avr/pgmspace.h>\n"
        "int f(const int *p) { return pgm_read_word(p); }\n#endif\n"
    )
    assert boards_with_it() == []
    (tmp_path / "theirs" / "b.S").write_text("#if defined(__thumb__)\n nop\n#endif\n")
    assert boards_with_it() == ["samd21", "nrf52840"]


KEY = ("a", "atmega328p", "-O3")


def figures(name: str, cycles: int, is_constant_time: bool = True, flash: int = 100) -> Figures:
    return Figures(name, is_constant_time, cycles, 2 * cycles, flash)


def test_lines_of_some_of_ours_tell_more_and_do_not_count() -> None:
    mine = [figures("table", 100, False), figures("ct", 150)]
    in_c = [figures("table-c", 200), figures("ct", 150)]
    lines = compare([KEY], {KEY: mine}, {KEY: in_c}, {KEY: [figures("theirs", 100)]})

    assert [(line.among, line.ratio("16 bytes")) for line in lines] == [
        ("", 1.0),
        (CONSTANT_TIME, 1.5),
        (C_ALONE, 1.5),
    ]
    assert judge(lines, 0).is_good
    assert not judge(lines, 1).is_good


def test_what_is_above_or_absent_counts() -> None:
    theirs = {KEY: [figures("theirs", 100)]}
    slow = judge(compare([KEY], {KEY: [figures("slow", 111)]}, {}, theirs), 0)
    large = judge(compare([KEY], {KEY: [figures("large", 1, flash=111)]}, {}, theirs), 0)
    just = judge(compare([KEY], {KEY: [figures("just", 110)]}, {}, theirs), 0)
    assert (slow.above, slow.is_good) == (2, False)
    assert (large.above, large.is_good) == (1, False)
    assert just.is_good
    for others in (theirs, {}):
        assert judge(compare([KEY], {}, {}, others), 0).absent == [KEY]


def test_what_is_compared_with_nothing_is_named() -> None:
    keys = [("gcm", "avr", flags) for flags in ("-O2", "-Os")]
    verdict = judge(compare(keys, {key: [figures("mine", 1)] for key in keys}, {}, {}), 0)
    assert verdict.is_good
    assert str(verdict).endswith("as nothing of theirs runs: gcm on avr (-O2, -Os).")

    beside = {key: [figures("theirs", 1)] for key in keys}
    assert "nothing of theirs" not in str(judge(compare(keys, beside, {}, beside), 0))


def test_a_second_way_answers_equal_conditions_alike() -> None:
    data = "#if defined(__AVR__)\nreversed();\n#else\nc();\n#endif\n"
    other = "#if defined(__AVR_TINY__)\nreversed();\n#endif\n"
    before = f"{data}#if defined(__AVR__)\n{ASM}\n#else\nc();\n#endif\n{other}"
    assert c_alone.in_c(before).count("#if 0") == 1
    alike = c_alone.in_c(before, alike=True)
    assert alike == before.replace("#if defined(__AVR__)", "#if 0")
    assert c_alone.in_c(data, alike=True) == data


@pytest.mark.parametrize("suffix", [".c", ".cpp", ".cc", ".cxx", ".h", ".hpp", ".inc"])
def test_a_copy_in_c_alone_rewrites_all_that_is_compiled(tmp_path: Path, suffix: str) -> None:
    source = tmp_path / "theirs" / f"f{suffix}"
    source.parent.mkdir()
    source.write_text(f"#if defined(__AVR__)\n{ASM}\n#else // !__AVR__\nc();\n#endif\n")
    c_alone.copy_tree(source.parent, tmp_path / "copy")
    assert (tmp_path / "copy" / source.name).read_text().startswith("#if 0\n")


def test_the_tables_have_cycles_at_o3_and_flash_at_os() -> None:
    def keys(name: str) -> list[tuple[str, str, str]]:
        return [(name, board, some) for board in ("avr", "arm") for some in ("-Os", "-O3")]

    mine = {key: [figures("mine", 100 if key[2] == "-O3" else 1)] for key in keys("a")}
    mine[("a", "arm", "-Os")] = [figures("mine", 1, flash=120)]
    mine[("b", "avr", "-O3")] = [figures("mine", 100)]
    in_c = {**mine, ("a", "avr", "-O3"): [figures("mine-c", 200)]}
    theirs = {key: [figures("theirs", 160)] for key in keys("a")}
    lines = compare([*keys("a"), *keys("b")], mine, in_c, theirs)

    assert markdown(lines, {"avr": "AVR", "arm": "M0"}).splitlines() == [
        "Cycles at `-O3`:",
        "",
        "| algorithm | AVR | AVR, C alone | M0 |",
        "| --- | --- | --- | --- |",
        "| a | 0.62 0.62 | **1.25** **1.25** | 0.62 0.62 |",
        "| b | – | – | **fails** |",
        "",
        "Flash at `-Os`:",
        "",
        "| algorithm | AVR | AVR, C alone | M0 |",
        "| --- | --- | --- | --- |",
        "| a | 1.00 | 1.00 | **1.20** |",
        "| b | **fails** | **fails** | **fails** |",
    ]


def test_what_was_left_out_is_told_once_for_each_reason() -> None:
    found = [
        *(LeftOut("x/a", "wrong answer", board, some) for board in ("b1", "b2") for some in "12"),
        *(LeftOut(name, "does not fit", "b1", "2") for name in ("x/b", "x/c")),
        LeftOut("x/d", "assembly", "b2"),
        LeftOut("x/e", "no algorithm of the catalogue"),
    ]
    assert list(text.left_out("theirs", found, ["b1", "b2"], "12")) == [
        "\nLeft out of theirs:",
        "  x/d: assembly [b2]",
        "  x/b, x/c: does not fit [b1 2]",
        "  x/e: no algorithm of the catalogue",
        "  x/a: wrong answer",
    ]
