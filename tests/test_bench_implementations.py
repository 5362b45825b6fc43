"""`make bench-implementations`: ratios, copies in C alone, failures, the tables."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from scripts.bench_implementations import c_copies, text_table
from scripts.bench_implementations.assembly import has_assembly
from scripts.bench_implementations.comparison import C_ALONE, CONSTANT_TIME, compare, judge
from scripts.bench_implementations.measurements import PLAIN, Call, Exclusion, Figures
from scripts.bench_implementations.summary import markdown

import pennyweight
from bench_clone import package, place, run
from pennyweight import catalogue
from pennyweight.catalogue.implementations import at_path
from pennyweight.model import Case, Kind, Operation
from tracked_files import tracked
from verdicts import cached_by_project

pytestmark = cached_by_project("comparisons with other packages")

ONE = ("--boards", "atmega328p", "--algorithms", "sha-256")


def with_assembly(folder: Path) -> None:
    """Makes SHA-256 call a function that is in assembly on AVR, and in C elsewhere."""
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


def test_zero_processes_are_rejected(tmp_path: Path) -> None:
    result = run(tmp_path, str(tmp_path), "--jobs", "0")
    assert result.returncode == 2
    assert "--jobs 0: give 1 or more" in result.stderr and "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--op", "decrypt"), "--op decrypt: give enc or dec"),
        (("--op", "hash"), "--op hash: give enc or dec"),
        (("--ad", "-1"), "--ad -1: give bytes of associated data, from 0 to 1048576"),
        (("--ad", "16k"), "--ad 16k: give bytes of associated data, from 0 to 1048576"),
        (("--ad", "1048577"), "--ad 1048577: give bytes of associated data, from 0 to 1048576"),
        (("--ad=",), "--ad : give bytes of associated data, from 0 to 1048576"),
    ],
)
def test_invalid_calls_are_rejected(words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    result = run(tmp_path, str(tmp_path), *words)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.endswith(f" error: {message}\n") and "Traceback" not in result.stderr


def test_only_aeads_have_decryption_and_associated_data() -> None:
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


def test_the_requested_call_is_compared(tmp_path: Path) -> None:
    """Compares with the output of `measure` for the same calls of the bundled implementation."""
    package(place(tmp_path) / "rival", "small")
    aead = tmp_path / "clone" / "implementations" / "ascon" / "crypto_aead" / "ascon128v12"
    package(aead / "rival", "small", of="ascon-128")
    board, flags = "samd21", "-O2"
    asked = ("--boards", board, "--flags", flags, "--algorithms", "ascon-128,sha-256")
    before = tracked()
    done = run(tmp_path, "clone", *asked, "--op", "dec", "--ad", "16")
    assert tracked() == before

    assert done.returncode == 0, done.stderr
    assert "Cycles to decrypt with 16 bytes of associated data:\n" in done.stdout
    [line] = [x for x in done.stdout.splitlines() if x.startswith("ascon-128 ")]
    assert not re.search("^sha-256", done.stdout, re.MULTILINE)
    assert "Excluded implementations of NIST:\n  sha-256/rival: a hash, which has" in done.stdout
    found = re.findall(r"(\d+) (\S+) +(\d+) rival", line)[:2]
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
    assert "sha-256: no algorithm is in both collections and has such a call" in done.stderr


def test_ratios_compare_the_best_of_each_side(tmp_path: Path) -> None:
    package(place(tmp_path) / "rival", "fast8")
    done = run(tmp_path, "clone", *ONE, "--flags", "-O2")

    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    [line] = [x for x in lines if x.startswith("sha-256")]
    assert re.search("^algorithm +board +flags +ratio +Pennyweight +NIST", done.stdout, re.M)
    found = re.findall(r"(\d\.\d\d)([ !]) +(\d+) (\S+) +(\d+) rival", line)
    assert [name for *_, name, _ in found] == ["fast8", "fast8", "fast8"]
    for ratio, mark, mine, _, other in found:
        assert (f"{int(mine) / int(other):.2f}", mark) == (ratio, " ")
    # The rival is the bundled code without its AVR branches; the copy only has no assembly.
    [alone] = [x for x in lines if x.startswith("  C alone")]
    copies = re.findall(r" (0\.9\d) +(\d+) fast8-c +(\d+) rival", alone)
    assert len(copies) == 3
    assert all(f"{int(mine) / int(other):.2f}" == ratio for ratio, mine, other in copies)
    assert "0 ratios above 1.10" in done.stdout


def test_code_with_assembly_is_compared_in_c_alone(tmp_path: Path) -> None:
    for name in ("mixed", "assembly"):
        package(place(tmp_path) / name, "small")
    with_assembly(place(tmp_path) / "mixed")
    order = place(tmp_path) / "assembly" / "order.c"
    order.write_text('void f(void);\nvoid f(void) { __asm__ volatile("nop"); }\n')
    done = run(tmp_path, "clone", *ONE, "--flags=-O2")

    assert done.returncode == 0, done.stderr
    assert re.search(r"fast8 +\d+ mixed-c", done.stdout)
    assert "  sha-256/assembly: assembly, and no C in its place\n" in done.stdout

    # Assembly without an instruction, which only restrains the compiler, counts as C.
    order.write_text('void f(void);\nvoid f(void) { __asm__ volatile("" ::: "memory"); }\n')
    shutil.rmtree(place(tmp_path) / "mixed")
    done = run(tmp_path, "clone", *ONE, "--flags=-O2")
    assert done.returncode == 0, done.stderr
    assert re.search(r"fast8 +\d+ assembly\b", done.stdout)
    assert "Excluded implementations of NIST" not in done.stdout


def test_the_command_fails_if_no_bundled_implementation_runs(tmp_path: Path) -> None:
    # Empties the bundled headers.
    flags = "--flags=-O3 -DPENNYWEIGHT_SHA256_H"
    package(place(tmp_path) / "rival", "small")
    for more in ((), ("--markdown",)):
        done = run(tmp_path, "clone", *ONE, flags, *more)
        assert done.returncode == 1, done.stderr
        output = done.stderr if more else done.stdout
        assert re.search(
            r"Excluded implementations of Pennyweight:\n"
            r"  sha-256/fast32, sha-256/fast8, sha-256/small, .*: build failed",
            output,
        )
        assert (
            "1 where no bundled implementation runs, 3 bundled implementations that fail" in output
        )
        assert more or "no implementation of Pennyweight runs !" in output

    (place(tmp_path) / "rival" / "broken.c").write_text("#error no\n")
    done = run(tmp_path, "clone", *ONE, flags)
    assert done.returncode == 1
    assert "no implementation of either side runs !" in done.stdout
    assert "sha-256/rival: build failed" in done.stdout


def test_unusable_folders_are_listed(tmp_path: Path) -> None:
    package(place(tmp_path) / "rival", "small")
    (place(tmp_path) / "empty").mkdir()
    (place(tmp_path) / "empty" / "hash.c").write_text("int x;\n")
    done = run(tmp_path, "clone", *ONE, "--flags=-O2")

    assert done.returncode == 0, done.stderr
    assert re.search(
        r"Excluded implementations of NIST:\n  \S+/empty: .*has sources but no api.h", done.stdout
    )


def test_a_folder_that_is_not_a_clone_is_reported(tmp_path: Path) -> None:
    done = run(tmp_path, str(tmp_path))

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "give the path of a clone of usnistgov" in done.stderr


def test_an_algorithm_without_a_rival_is_reported(tmp_path: Path) -> None:
    package(place(tmp_path) / "rival", "small")
    done = run(tmp_path, "clone", "--algorithms", "ascon-*")

    assert (done.returncode, done.stdout) == (2, "")
    assert "--algorithms ascon-*: no algorithm is in both collections" in done.stderr


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
        # Of nested conditions, the innermost one for a core.
        (
            f"#if defined(__AVR__)\n#if __AVR_HAVE_MUL__\n{ASM}\n#endif\n#endif",
            f"#if defined(__AVR__)\n#if 0\n{ASM}\n#endif\n#endif",
        ),
        (
            f"#ifndef H_H\n#if __AVR__\n{ASM}\n#endif\n#endif",
            f"#ifndef H_H\n#if 0\n{ASM}\n#endif\n#endif",
        ),
        # Code that is excluded only for AVR is in the assembly files, if any exist.
        ("#if !defined(__AVR__)\nc();\n#endif", "#if 1\nc();\n#endif"),
        (f"#ifndef __AVR__\nc();\n#else\n{ASM}\n#endif", f"#if 1\nc();\n#else\n{ASM}\n#endif"),
    ],
)
def test_conditions_that_select_assembly_are_evaluated(before: str, after: str) -> None:
    assert c_copies.in_c(before, frozenset({"f"}), True) == after


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
def test_other_conditions_are_kept(kept: str) -> None:
    assert c_copies.in_c(kept, frozenset({"f"}), True) == kept


def test_c_excluded_on_avr_stays_excluded_without_assembly_files() -> None:
    kept = "#if !defined(__AVR__)\nc();\n#endif"
    assert c_copies.in_c(kept) == kept


def test_assembly_is_what_the_board_compiles(tmp_path: Path) -> None:
    known = catalogue.load()
    package(tmp_path / "rival", "small")
    [rival] = at_path(tmp_path / "rival", known.algorithms)

    def boards_with_it() -> list[str]:
        names = ("atmega328p", "samd21", "nrf52840")
        return [name for name in names if has_assembly(rival, known.board(name))]

    assert boards_with_it() == []
    order = tmp_path / "rival" / "a_order.c"
    order.write_text(f"#if defined(__AVR__)\nvoid f(void) {{ {ASM} }}\n#endif\n")
    assert boards_with_it() == ["atmega328p"]
    order.write_text(f"#if __ARM_ARCH == 7\n#define MOVE() {ASM}\n#endif\n")
    assert boards_with_it() == ["nrf52840"]
    # Assembly in avr-libc's macros does not count.
    order.write_text(
        "#if defined(__AVR__)\n#include <avr/pgmspace.h>\n"
        "int f(const int *p) { return pgm_read_word(p); }\n#endif\n"
    )
    assert boards_with_it() == []
    (tmp_path / "rival" / "b.S").write_text("#if defined(__thumb__)\n nop\n#endif\n")
    assert boards_with_it() == ["samd21", "nrf52840"]


KEY = ("a", "atmega328p", "-O3")


def figures(name: str, cycles: int, is_constant_time: bool = True, flash: int = 100) -> Figures:
    return Figures(name, is_constant_time, cycles, 2 * cycles, flash)


def test_lines_about_subsets_do_not_count() -> None:
    mine = [figures("table", 100, False), figures("ct", 150)]
    in_c = [figures("table-c", 200), figures("ct", 150)]
    lines = compare([KEY], {KEY: mine}, {KEY: in_c}, {KEY: [figures("rival", 100)]})

    assert [(line.among, line.ratio("16 bytes")) for line in lines] == [
        ("", 1.0),
        (CONSTANT_TIME, 1.5),
        (C_ALONE, 1.5),
    ]
    assert judge(lines, 0).is_good
    assert not judge(lines, 1).is_good


def test_high_ratios_and_absent_implementations_count() -> None:
    rivals = {KEY: [figures("rival", 100)]}
    slow = judge(compare([KEY], {KEY: [figures("slow", 111)]}, {}, rivals), 0)
    large = judge(compare([KEY], {KEY: [figures("large", 1, flash=111)]}, {}, rivals), 0)
    just = judge(compare([KEY], {KEY: [figures("just", 110)]}, {}, rivals), 0)
    assert (slow.above, slow.is_good) == (2, False)
    assert (large.above, large.is_good) == (1, False)
    assert just.is_good
    for others in (rivals, {}):
        assert judge(compare([KEY], {}, {}, others), 0).absent == [KEY]


def test_algorithms_without_a_comparison_are_named() -> None:
    keys = [("gcm", "avr", flags) for flags in ("-O2", "-Os")]
    verdict = judge(compare(keys, {key: [figures("mine", 1)] for key in keys}, {}, {}), 0)
    assert verdict.is_good
    assert str(verdict).endswith("because none of NIST's runs: gcm on avr (-O2, -Os).")

    found = {key: [figures("rival", 1)] for key in keys}
    assert "none of NIST's" not in str(judge(compare(keys, found, {}, found), 0))


def test_the_second_copy_evaluates_equal_conditions_alike() -> None:
    data = "#if defined(__AVR__)\nreversed();\n#else\nc();\n#endif\n"
    other = "#if defined(__AVR_TINY__)\nreversed();\n#endif\n"
    before = f"{data}#if defined(__AVR__)\n{ASM}\n#else\nc();\n#endif\n{other}"
    assert c_copies.in_c(before).count("#if 0") == 1
    alike = c_copies.in_c(before, alike=True)
    assert alike == before.replace("#if defined(__AVR__)", "#if 0")
    assert c_copies.in_c(data, alike=True) == data


@pytest.mark.parametrize("suffix", [".c", ".cpp", ".cc", ".cxx", ".h", ".hpp", ".inc"])
def test_a_copy_in_c_alone_rewrites_every_kind_of_source(tmp_path: Path, suffix: str) -> None:
    source = tmp_path / "rival" / f"f{suffix}"
    source.parent.mkdir()
    source.write_text(f"#if defined(__AVR__)\n{ASM}\n#else // !__AVR__\nc();\n#endif\n")
    c_copies.copy_tree(source.parent, tmp_path / "copy")
    assert (tmp_path / "copy" / source.name).read_text().startswith("#if 0\n")


def test_the_tables_have_cycles_at_o3_and_flash_at_os() -> None:
    def keys(name: str) -> list[tuple[str, str, str]]:
        return [(name, board, some) for board in ("avr", "arm") for some in ("-Os", "-O3")]

    mine = {key: [figures("mine", 100 if key[2] == "-O3" else 1)] for key in keys("a")}
    mine[("a", "arm", "-Os")] = [figures("mine", 1, flash=120)]
    mine[("b", "avr", "-O3")] = [figures("mine", 100)]
    in_c = {**mine, ("a", "avr", "-O3"): [figures("mine-c", 200)]}
    rivals = {key: [figures("rival", 160)] for key in keys("a")}
    lines = compare([*keys("a"), *keys("b")], mine, in_c, rivals)

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


def test_exclusions_are_grouped_by_reason() -> None:
    found = [
        *(Exclusion("x/a", "wrong answer", board, some) for board in ("b1", "b2") for some in "12"),
        *(Exclusion(name, "does not fit", "b1", "2") for name in ("x/b", "x/c")),
        Exclusion("x/d", "assembly", "b2"),
        Exclusion("x/e", "no algorithm of the catalogue"),
    ]
    assert list(text_table.exclusions("NIST", found, ["b1", "b2"], "12")) == [
        "\nExcluded implementations of NIST:",
        "  x/d: assembly [b2]",
        "  x/b, x/c: does not fit [b1 2]",
        "  x/e: no algorithm of the catalogue",
        "  x/a: wrong answer",
    ]
