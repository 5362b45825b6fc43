"""`make bench-implementations`: `--best`, `--small` and `--primitives`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from scripts.bench_implementations.best import tables
from scripts.bench_implementations.best.results import LENGTHS, Result, cases_of
from scripts.bench_implementations.best.rows import TABLES, Row, means_of, rows_of
from scripts.bench_implementations.best.sizes import sizes_of
from scripts.bench_implementations.best.timing import Timing, TimingChecks
from scripts.bench_implementations.primitives import data
from scripts.bench_implementations.primitives.measuring import Compared, compared
from scripts.bench_implementations.primitives.table import table
from scripts.bench_implementations.rivals import everywhere

import pennyweight
from bench_clone import package, place, run
from packages_for_tests import at, board, files, side_by_side
from pennyweight.job import Job
from pennyweight.model import Case, Operation, UserError
from tracked_files import tracked
from verdicts import cached_by_project

pytestmark = cached_by_project("comparisons with other packages")

CONSTANT, TABLE = Timing(), Timing("T", "enc: address in sbox")
ENC = [Case(Operation.ENC, 0, length) for length in LENGTHS]
DEC = Case(Operation.DEC, 0, 16)


def result(name: str, cycles: Mapping[Case, int], size: int = 100, flags: str = "-O2") -> Result:
    [some] = files().find("aes-128-gcm/ct32")
    return Result(replace(some, name=name), "samd21", flags, cycles, size, 0, 0)


def rows(
    own: Iterable[Result], rivals: Iterable[Result], tabled: tuple[str, ...] = ()
) -> list[Row]:
    def judge(rival: Result) -> Timing:
        return TABLE if rival.name in tabled else CONSTANT

    return rows_of("aes-128-gcm", "samd21", list(own), list(rivals), judge)


def test_calls_without_associated_data_in_both_directions() -> None:
    [aead], [hashed] = files().find("aes-128-gcm/ct32"), files().find("sha-256/small")
    assert [(case.op, case.ad, case.m) for case in cases_of(aead, (16, 128))] == [
        (op, 0, length) for op in ("enc", "dec") for length in (16, 128)
    ]
    assert [(case.op, case.m) for case in cases_of(hashed, (16,))] == [("hash", 16)]


def test_the_fastest_of_all_flags_are_compared() -> None:
    own = [result("a", {ENC[0]: 90}), result("a", {ENC[0]: 80}, flags="-O3")]
    rivals = [result("b", {ENC[0]: 100}), result("c", {ENC[0]: 200})]
    [row] = rows(own, rivals)
    [match] = row.matches
    assert (match.own.flags, match.rival.name, match.ratio) == ("-O3", "b", 0.8)
    assert row.is_constant and not match.misses


def test_a_faster_rival_with_tables_has_its_own_row_and_target() -> None:
    own = [result("a", {ENC[0]: 125, ENC[1]: 126, DEC: 50})]
    rivals = [
        result("table", {ENC[0]: 100, ENC[1]: 100, DEC: 100}),
        result("slow-table", {ENC[0]: 110, ENC[1]: 110, DEC: 110}),
        result("even", {ENC[0]: 124, ENC[1]: 126, DEC: 60}),
    ]
    constant, other = rows(own, rivals, ("table", "slow-table"))
    assert [match.rival.name for match in constant.matches] == ["even"] * 3
    assert [match.misses for match in constant.matches] == [True, False, False]
    # 1.26 exceeds 1.25. Decryption has a constant-time rival that is the fastest.
    assert [(match.case, match.misses) for match in other.matches] == [
        (ENC[0], False),
        (ENC[1], True),
    ]
    assert {match.target for match in other.matches} == {TABLES}


def test_a_length_that_does_not_fit_is_not_compared() -> None:
    own = [result("a", {ENC[0]: 1, ENC[1]: 2})]
    [row] = rows(own, [result("b", {ENC[0]: 2, ENC[2]: 9})])
    assert [match.case for match in row.matches] == [ENC[0]]
    assert rows(own, [result("b", {ENC[2]: 9})]) == []
    assert rows([], [result("b", {ENC[0]: 2})]) == []


def test_means_are_of_algorithms_and_of_constant_time_rivals() -> None:
    own = [result("a", dict.fromkeys(ENC, 100))]
    found = rows(own, [result("t", dict.fromkeys(ENC, 50)), result("c", dict.fromkeys(ENC, 400))])
    assert means_of("samd21", found).constant == pytest.approx(2.0)
    assert means_of("samd21", found).misses
    found = rows(own, [result("t", {ENC[0]: 50}), result("c", dict.fromkeys(ENC, 400))], ("t",))
    mean = means_of("samd21", found)
    assert mean.constant == pytest.approx(0.25)
    assert mean.any_rival == pytest.approx(2.0)
    assert not mean.misses
    assert means_of("nrf52840", found).constant is None


def test_ratios_above_their_targets_are_marked_and_counted() -> None:
    own = [result("a", {ENC[0]: 101, ENC[1]: 100})]
    found = rows(own, [result("c", {ENC[0]: 100, ENC[1]: 100, ENC[2]: 5})])
    mean = means_of("samd21", found)
    text = "\n".join(tables.best(found, [mean], {"samd21": "A part"}, False))
    assert re.search(r"^aes-128-gcm  1\.01! 1\.00 – +a +c +constant$", text, re.M)
    assert "Above 1.00 against constant-time rivals: aes-128-gcm 1.01." in text
    assert "1.00 (target: 0.70, missed)" in text
    assert tables.missed(found, [mean]) == 2
    marked = "\n".join(tables.best(found, [mean], {"samd21": "A part"}, True))
    assert "| aes-128-gcm | **1.01** 1.00 – |  | a | c | constant |" in marked


def test_the_smallest_of_both_sides_are_compared() -> None:
    own = [result("a", {}, 96), result("b", {}, 97)]
    rivals = [result("table", {}, 80), result("c", {}, 100), result("d", {}, 90)]
    tabled, constant = sizes_of(
        own, rivals, lambda each: TABLE if each.name == "table" else CONSTANT
    )
    assert (tabled.rival.name, tabled.ratio, tabled.misses) == ("table", 1.2, True)
    assert (constant.rival.name, constant.own.name, constant.misses) == ("d", "a", True)
    [size] = sizes_of([result("a", {}, 95)], [result("c", {}, 100)], lambda _: CONSTANT)
    assert not size.misses


def test_rivals_are_judged_by_tracking_their_secrets(tmp_path: Path) -> None:
    side_by_side("aes-128-gcm/table", tmp_path / "looks-up")
    side_by_side("aes-128-gcm/ct8", tmp_path / "bitsliced")
    side_by_side("aes-128-gcm/ct8", tmp_path / "states")
    (tmp_path / "states" / "implementation.toml").write_text("constant_time = false\n")
    jobs = [
        Job(at(tmp_path / name), board("samd21"), "-O2")
        for name in ("looks-up", "bitsliced", "states")
    ]
    kept = tmp_path / "results" / "timing.jsonl"
    verdicts = TimingChecks(kept).verdicts(jobs)
    assert [each.letter for each in verdicts] == ["T", "", "T"]
    assert verdicts[0].rule.startswith("enc: address in ")
    assert "constant_time = false" in verdicts[2].rule
    # The manifest needs no check, and found verdicts are kept.
    lines = kept.read_text()
    assert lines.count("\n") == 2
    assert TimingChecks(kept).verdicts(jobs) == verdicts and kept.read_text() == lines


def test_a_branch_on_the_tag_is_not_a_leak_but_one_on_the_key_is(tmp_path: Path) -> None:
    folder = side_by_side("ascon-128/small", tmp_path / "branches")
    job = Job(at(folder), board("samd21"), "-O2")
    assert TimingChecks(tmp_path / "a").verdicts([job]) == [CONSTANT]
    source = next(path for path in folder.glob("*.c") if "crypto_aead_encrypt" in path.read_text())
    start, name, rest = source.read_text().partition("int crypto_aead_encrypt(")
    head, body = rest.split("{", 1)
    key = re.findall(r"(\w+)\)\s*$", head)[0]
    source.write_text(f"{start}volatile int seen;\n{name}{head}{{ if ({key}[0] & 1) seen++;{body}")
    [verdict] = TimingChecks(tmp_path / "b").verdicts([Job(at(folder), board("samd21"), "-O2")])
    assert verdict.letter == "B"


def test_rivals_are_found_in_several_clones(tmp_path: Path) -> None:
    package(place(tmp_path) / "rival", "small")
    package(tmp_path / "other" / "crypto_hash" / "sha256" / "rival", "fast8")
    (tmp_path / "other" / "crypto_hash" / "sha256" / "none").mkdir()
    (tmp_path / "other" / "crypto_hash" / "sha256" / "none" / "hash.c").write_text("int x;\n")
    found, excluded = everywhere(
        tmp_path / "clone", [str(tmp_path / "other")], files(), ["sha-256"]
    )
    assert [each.name for each in found] == ["rival", "other:rival"]
    [one] = excluded
    assert one.id.startswith("other:") and "no api.h" in one.reason
    with pytest.raises(UserError, match=r"--algorithms ascon-\*: no rival has such an algorithm"):
        everywhere(tmp_path / "clone", [], files(), ["ascon-*"])


def test_assembly_is_compared_as_its_authors_wrote_it(tmp_path: Path) -> None:
    """A rival with assembly is compiled unchanged, where the ordinary mode replaces it by C."""
    package(place(tmp_path) / "rival", "small")
    source = place(tmp_path) / "rival" / "order.c"
    source.write_text('void f(void);\nvoid f(void) { __asm__ volatile("nop"); }\n')
    before = tracked()
    asked = ("--boards", "samd21", "--algorithms", "sha-256", "--libraries=")
    done = run(tmp_path, "clone", "--best", "--small", *asked)
    assert tracked() == before
    assert done.returncode in (0, 1), done.stderr
    lines = done.stdout.splitlines()
    [row, size] = [line for line in lines if line.startswith("sha-256 ")]
    assert row.split()[-3:] == ["fast32", "rival", "constant"]
    fast = _fastest("sha-256", 1024)
    small = _fastest("sha-256/small", 1024)
    assert row.split()[3].rstrip("!") == f"{fast / small:.2f}"
    cells = re.fullmatch(r"sha-256 +(0\.\d\d) +([\d,]+) +small +([\d,]+) +rival +constant", size)
    assert cells, size
    mine, rival = (int(each.replace(",", "")) for each in cells.groups()[1:])
    [row_of_small] = pennyweight.measure(
        "sha-256/small", ["samd21"], flags="-Os", lengths=[(0, 128)], verify=False
    ).to_pylist()
    assert mine == sum(row_of_small[name] for name in ("flash", "ram", "stack"))
    assert cells[1] == f"{mine / rival:.2f}"
    assert "of 1 ratios are above 0.95" in done.stdout

    done = run(tmp_path, "clone", "--best", *asked, "--markdown")
    assert done.stdout.startswith("\n### SAMD21")
    assert "| sha-256 |" in done.stdout and "Excluded" not in done.stdout


def _fastest(names: str, length: int) -> int:
    found = pennyweight.measure(
        names, ["samd21"], flags=["-O2", "-O3"], lengths=[(0, length)], verify=False
    )
    return int(min(found.column("cycles").to_pylist()))


def published(tmp_path: Path, **changes: str) -> Path:
    text = """
[source.paper]
text = "A paper, table 1"
[own.xoodoo]
sources = ["xoodoo/native/armv6m/xoodoo.S"]
call = "xoodoo_permute(s:48)"
[own.hash]
algorithm = "sha-256"
lengths = [64, 128]
[[primitive]]
title = "Xoodoo[12]"
figures = [{ board = "stm32f030", cycles = 1733, source = "paper", own = "xoodoo" }]
[[primitive]]
title = "SHA-256, per byte"
figures = [{ board = "stm32f030", cycles = 10, source = "paper", own = "hash" }]
"""
    for before, after in changes.items():
        assert before in text
        text = text.replace(before, after)
    path = tmp_path / "published.toml"
    path.write_text(text)
    return path


def test_primitives_are_measured_by_the_definition_of_the_count(tmp_path: Path) -> None:
    counts = data.load(published(tmp_path))
    first, second = compared(counts, files(), [], ["-O2"], tmp_path / "results", 1)
    cost = pennyweight.measure(
        "sha-256", ["stm32f030"], flags="-O2", lengths=[(0, 64), (0, 128)], verify=False
    ).to_pylist()
    names = {row["implementation"] for row in cost}
    per_byte = [
        sum(
            row["cycles"] * (1 if row["m"] == 128 else -1)
            for row in cost
            if row["implementation"] == name
        )
        / 64
        for name in names
    ]
    assert second.bundled == min(per_byte) and second.misses
    assert first.bundled == 1733 and not first.misses
    assert compared(counts, files(), ["samd21"], ["-O2"], tmp_path / "results", 1) == []
    text = "\n".join(table([first, second], counts, {"stm32f030": "A part"}, False))
    assert re.search(r"Xoodoo\[12\] +A part +1,733 +1,733 +1\.00 +\[1\]", text)
    assert "1 of 2 ratios are above their targets." in text and "1. A paper, table 1" in text


def test_a_primitive_with_tables_has_a_higher_target(tmp_path: Path) -> None:
    counts = data.load(published(tmp_path))
    primitive = counts.primitive[0]
    count = primitive.figures[0]
    tabled = primitive.model_copy(update={"constant_time": False})
    assert Compared(primitive, count, 1.2 * count.cycles).misses
    assert not Compared(tabled, count, 1.2 * count.cycles).misses
    assert Compared(tabled, count, 1.3 * count.cycles).misses


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('own = "xoodoo"', 'own = "other"', r"Xoodoo\[12\]: there is no \[own.other\]"),
        ('source = "paper"', 'source = "book"', r"there is no \[source.book\]"),
        ("lengths = [64, 128]", "lengths = [128, 64]", "two lengths, the shorter first"),
        ('call = "xoodoo_permute(s:48)"', "", "either 'sources' and 'call', or 'algorithm'"),
        ("cycles = 1733", "cycles = 0", "cycles"),
    ],
)
def test_wrong_counts_are_rejected(before: str, after: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=message):
        data.load(published(tmp_path, **{before: after}))


def test_a_primitive_that_does_not_run_is_reported(tmp_path: Path) -> None:
    counts = data.load(published(tmp_path, **{"xoodoo_permute(": "xoodoo_permutation("}))
    with pytest.raises(UserError, match=r"xoodoo_permutation\(s:48\) on stm32f030: build failed"):
        compared(counts, files(), [], ["-O2"], tmp_path, 1)


def test_the_published_counts_are_valid_and_name_bundled_code() -> None:
    counts = data.load()
    root = files().root
    for name, own in counts.own.items():
        assert name in {each.own for item in counts.primitive for each in item.figures}
        for source in own.sources:
            place_of = root if source.startswith("tests/") else root / "implementations"
            assert (place_of / source).is_file()
    for item in counts.primitive:
        for each in item.figures:
            assert each.board in files().boards
