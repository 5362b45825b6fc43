"""Comparing with NIST's figures: reading a clone, the errors, the page, the command."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cli_runs import Command, runner
from nist_clone import HEADER, clone
from packages_for_tests import ARM, AVR, PACKAGES, at, board, copied, files
from pennyweight.accuracy import page, run, timing
from pennyweight.accuracy.cases import cases, marginals
from pennyweight.accuracy.errors import Comparison, code_of, compare, summarise
from pennyweight.accuracy.sets import CALIBRATION, TOO_LARGE, bad_reason, is_calibration
from pennyweight.accuracy.timing import Timed, Timing, time_build
from pennyweight.benchmarks.nist import Clone, Row
from pennyweight.benchmarks.nist_boards import NIST_BOARDS, NistBoard, choose_boards
from pennyweight.benchmarks.nist_harness import Harness, SerialLine
from pennyweight.catalogue import Catalogue
from pennyweight.model import Case, Kind, Operation, UserError
from pennyweight.pool import Outcome, Task
from pennyweight.progress import Silent

UNO, EVERY = NIST_BOARDS[:2]


def enc(m: int, ad: int = 0) -> Case:
    return Case(Operation.ENC, ad, m)


def hashed(m: int) -> Case:
    return Case(Operation.HASH, 0, m)


def row(figures: dict[Case, int], variant: str = "toy") -> Row:
    return Row(Kind.AEAD, variant, "ref", "-O2", figures)


def timed_only(nist: NistBoard, cycles: int) -> int:
    """What a call takes on the board when nothing is being printed."""
    quiet = nist.model_copy(update={"line": None})
    return quiet.spent(Kind.AEAD, "-O2", {enc(0): cycles})[enc(0)]


class TestTimer:
    def test_interrupts_come_whole_and_are_rounded_to_the_nearest(self) -> None:
        assert UNO.timer is not None
        own = UNO.timer.period - UNO.timer.cycles
        assert timed_only(UNO, own // 2 - 1) == own // 2 - 1
        assert timed_only(UNO, own // 2) == own // 2 + UNO.timer.cycles
        assert timed_only(UNO, 1000 * own) == 1000 * UNO.timer.period

    def test_long_calls_take_the_shares_that_boards_show(self) -> None:
        cycles = 1 << 30
        assert timed_only(UNO, cycles) / cycles == pytest.approx(1.0060, abs=5e-5)
        assert timed_only(EVERY, cycles) / cycles == pytest.approx(1.0081, abs=1e-4)

    def test_a_board_without_them_is_left_alone(self) -> None:
        quiet = next(each for each in NIST_BOARDS if each.id == "mkrzero")
        assert quiet.spent(Kind.AEAD, "-O2", {enc(0): 10**9}) == {enc(0): 10**9}


class TestSerialLine:
    """A line of one character every 1000 cycles, whose handler takes 100."""

    HARNESS = Harness(line=SerialLine(1000, 63, {"-O2": 100}))

    def spent(self, own: dict[Case, int], kind: Kind = Kind.HASH) -> dict[Case, int]:
        return self.HARNESS.spent(kind, "-O2", own)

    def test_a_short_call_after_a_header_is_all_within_the_full_buffer(self) -> None:
        """Each call of 9,100 cycles meets nine or ten characters, which make it 10,000 long."""
        spent = self.spent({hashed(0): 9_100})
        assert spent[hashed(0)] in (9_100 + 900, 9_100 + 1_000)

    def test_a_call_that_outlasts_the_buffer_meets_none_in_most_trials(self) -> None:
        assert self.spent({hashed(0): 80_000}) == {hashed(0): 80_000}

    def test_half_a_buffer_ends_in_the_second_of_five_trials(self) -> None:
        """The second series begins with a full buffer; later lengths with the text of two lines,
        some 20 characters."""
        own = {hashed(n): 10_000 for n in (0, 128, 256, 512)}
        spent = self.spent(own)
        assert spent[hashed(256)] > own[hashed(256)]
        assert spent[hashed(512)] == own[hashed(512)]

    def test_both_directions_share_the_line(self) -> None:
        """With 580 bytes filled before each call, 56,400 cycles for the five trials of both."""
        calls = {Case(op, 0, 0): 1_000 for op in (Operation.ENC, Operation.DEC)}
        spent = self.spent(calls, Kind.AEAD)
        assert all(spent[call] - own in (100, 200) for call, own in calls.items())

    def test_levels_differ_as_their_handlers_do(self) -> None:
        assert UNO.line is not None
        short = {hashed(0): 160_000}
        slow, fast = (UNO.spent(Kind.HASH, level, short)[hashed(0)] for level in ("-Os", "-O3"))
        assert slow - fast == pytest.approx(9.5 * (126 - 85), abs=126)


class TestMarginals:
    def test_the_longest_pair_that_is_known_is_taken(self) -> None:
        all_known = marginals(Kind.AEAD, cases(Kind.AEAD))
        assert [each.name for each in all_known] == [
            "encrypt(512) - encrypt(256)",
            "decrypt(512) - decrypt(256)",
            "associated data(512) - associated data(256)",
        ]
        short = [case for case in cases(Kind.AEAD) if case.m <= 128 and case.ad <= 256]
        assert [each.name for each in marginals(Kind.AEAD, short)] == [
            "encrypt(128) - encrypt(64)",
            "decrypt(128) - decrypt(64)",
            "associated data(256) - associated data(128)",
        ]

    def test_a_hash_has_one_and_short_rows_have_none(self) -> None:
        assert [each.more.m for each in marginals(Kind.HASH, cases(Kind.HASH))] == [512]
        assert marginals(Kind.HASH, [Case(Operation.HASH, 0, 64)]) == []


class TestErrors:
    def test_set_up_cancels_in_marginals_and_not_in_totals(self) -> None:
        cycles = {enc(256): 1_000_000, enc(512): 2_000_000}
        harness = 4 * 100
        figures = {
            case: round(timed_only(UNO, n) / 16 / 4) * 4 + harness for case, n in cycles.items()
        }
        found, problem = compare(UNO, row(figures), Timed(cycles))
        assert problem == ""
        [marginal, *totals] = found
        assert (marginal.measure, marginal.set, marginal.code) == ("marginal", "evaluation", "C")
        assert abs(marginal.error) <= marginal.resolution < 2e-4
        assert [each.measure for each in totals] == ["total", "total"]
        assert all(each.error < -0.002 for each in totals)

    def test_figures_that_shrink_are_skipped_and_reported(self) -> None:
        figures = {enc(256): 9000, enc(512): 8000}
        found, problem = compare(UNO, row(figures), Timed({enc(256): 1, enc(512): 2}))
        assert [each.measure for each in found] == ["total", "total"]
        assert "decrease as the message grows" in problem

    def test_what_the_clock_cannot_show_is_skipped(self) -> None:
        figures = {enc(256): 9000, enc(512): 9008}
        found, problem = compare(UNO, row(figures), Timed({enc(256): 9, enc(512): 9}))
        assert [each.measure for each in found] == ["total", "total"]
        assert "no larger than the resolution" in problem

    @pytest.mark.parametrize(
        ("figures", "cycles"), [((900, 70_000), (800, 900)), ((900, 2_000), (800, 66_000))]
    )
    def test_what_the_counter_cannot_count_is_skipped(
        self, figures: tuple[int, int], cycles: tuple[int, int]
    ) -> None:
        """By the figure itself, or by what is simulated: a counter that has turned looks small."""
        short = UNO.model_copy(update={"counter": 1 << 16, "timer": None, "line": None})
        cases = (enc(256), enc(512))
        given = row(dict(zip(cases, figures, strict=True)))
        timed = Timed(dict(zip(cases, cycles, strict=True)))
        found, _ = compare(short, given, timed)
        assert [(each.measure, each.simulated) for each in found] == [("total", 800.0)]
        both = row({enc(512): figures[1]})
        assert compare(short, both, timed) == ([], TOO_LARGE)

    def test_a_row_without_times_has_the_reason(self) -> None:
        found, problem = compare(UNO, row({enc(16): 5}), Timed({}, reason="build failed: no"))
        assert (found, problem) == ([], "build failed: no")

    def test_half_of_the_code_decides_what_a_row_is_written_in(self) -> None:
        assert code_of(Timed({}, assembly=0.5)) == "assembly"
        assert code_of(Timed({}, assembly=0.49)) == "C"

    def test_quantiles_are_values_that_occur(self) -> None:
        def comparison(error: float) -> Comparison:
            return Comparison("r", "evaluation", "C", "total", "w", 100, 100 * (1 + error), 0)

        errors = [0.01, -0.02, 0.03, -0.04, 0.05, 0.06, 0.07, 0.08, 0.09, -0.10]
        summary = summarise(comparison(error) for error in errors)
        assert summary is not None
        assert summary.count == 10
        assert summary.median == pytest.approx(0.05)
        assert summary.ninth_decile == pytest.approx(0.09)
        assert summary.largest == pytest.approx(0.10)
        assert summary.bias == pytest.approx(0.03)
        assert summarise([]) is None


class TestSets:
    def test_hashes_are_never_for_calibration(self) -> None:
        assert all(is_calibration(Kind.AEAD, variant) for variant in CALIBRATION)
        assert not any(is_calibration(Kind.HASH, variant) for variant in CALIBRATION)
        assert not is_calibration(Kind.AEAD, "xoodyakround3")

    def test_bad_rows_have_names_and_reasons(self) -> None:
        assert "slower" in bad_reason("mkrzero", "xoodyakround3", "XKCP-ARMv6M", "-O2")
        assert bad_reason("uno", "xoodyakround3", "XKCP-ARMv6M", "-O2") == ""
        assert "2.4 times" in bad_reason("uno", "asconhashav12", "ref", "-Os")
        assert bad_reason("uno", "asconhashav12", "ref", "-O2") == ""


class TestClone:
    def test_a_wrong_path_is_one_sentence(self, tmp_path: Path) -> None:
        with pytest.raises(UserError, match=r"has no folder 'benchmarks'; use the path of a clone"):
            Clone(tmp_path)

    def test_a_missing_file_is_one_sentence(self, tmp_path: Path) -> None:
        with pytest.raises(
            UserError, match=r"mkrzero-aead-summary\.csv is missing; take the whole"
        ):
            clone(tmp_path / "c").rows("mkrzero")

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("submission,implementation,config\n", "line 1 has no column 'variant'"),
            (
                f"{HEADER}enc(0:16)\nt,toy,yes,ref,o9,1,4\n",
                "line 2: config 'o9' is not one of os, o1",
            ),
            (f"{HEADER}enc(0:16)\nt,toy,yes,ref,o2,1,fast\n", "line 2: enc(0:16) is 'fast'"),
        ],
    )
    def test_a_broken_file_is_one_sentence(self, text: str, expected: str, tmp_path: Path) -> None:
        with pytest.raises(UserError) as caught:
            clone(tmp_path / "c", text).rows("uno")
        assert expected in str(caught.value)
        assert "uno-aead-summary.csv" in str(caught.value)

    def test_dashes_are_figures_that_are_not_there(self, tmp_path: Path) -> None:
        text = f"{HEADER}enc(0:16),dec(0:16),enc(8:16)\nt,toy,yes,ref,os,1,-,1236,40\n"
        [found] = clone(tmp_path / "c", text).rows("uno")
        assert (found.level, found.id) == ("-Os", "toy/ref -Os")
        assert found.figures == {Case(Operation.DEC, 0, 16): 1236, Case(Operation.ENC, 8, 16): 40}


class TestBoards:
    def test_both_names_of_a_board_are_known(self, tmp_path: Path) -> None:
        here = clone(tmp_path / "c")
        assert choose_boards(["uno", AVR], here, files()) == [UNO]
        assert choose_boards([], here, files()) == [UNO]

    def test_an_unknown_board_and_one_without_a_file_are_reported(self, tmp_path: Path) -> None:
        here = clone(tmp_path / "c")
        with pytest.raises(UserError, match="no figures for 'unno': did you mean uno"):
            choose_boards(["unno"], here, files())
        few = Catalogue(files().root)
        few.boards = {AVR: board(AVR)}
        with pytest.raises(UserError, match="there is no board file 'pic32mx340' yet"):
            choose_boards(["chipkit_uc32"], here, few)


def times(name: str) -> Timed:
    """The toy package as the Uno's rows are built."""
    implementation = at(PACKAGES / "crypto_aead" / "toy" / name)
    wanted = (enc(256), enc(512))
    return time_build(timing.timing(implementation, board(AVR), "-O2 -flto", wanted))


def figure(nist: NistBoard, cycles: int) -> int:
    """What the board's clock would show, without a harness."""
    return timed_only(nist, cycles) // nist.cycles_per_unit // nist.step * nist.step


def test_a_package_that_does_not_build_has_a_reason() -> None:
    timed = times("does_not_compile")
    assert timed.cycles == {}
    assert timed.reason.startswith("build failed: ")


def test_copies_go_byte_by_byte_where_the_boards_did(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    source = folder / "encrypt.c"
    text = source.read_text().replace(
        "    toy_end(s);", "    copy(c, m, (size_t)mlen);\n    toy_end(s);"
    )
    helper = """#include <string.h>
static void copy(unsigned char *to, const unsigned char *from, size_t size)
{
    memcpy(to, from, size);
    memset(to, 0, size);
}
"""
    source.write_text(
        text.replace('#include "crypto_aead.h"', f'#include "crypto_aead.h"\n{helper}')
    )
    wanted = (enc(256), enc(512))

    def marginal(bytewise: bool) -> int:
        asked = timing.timing(at(folder), board(ARM), "-O2", wanted, bytewise)
        cycles = time_build(asked).cycles
        return cycles[enc(512)] - cycles[enc(256)]

    # 22 cycles a byte by the instructions of the two loops, where Debian's library unrolls them.
    assert marginal(True) - marginal(False) > 256 * 8
    keys = {
        timing.timing(at(folder), board(ARM), "-O2", wanted, bytewise).key
        for bytewise in (True, False)
    }
    assert len(keys) == 2


def test_a_package_keeps_its_own_random_numbers(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    source = folder / "encrypt.c"
    text = source.read_text().replace("    toy_end(s);", "    aead_random_init();\n    toy_end(s);")
    source.write_text(f"extern void aead_random_init(void);\n{text}")
    (folder / "aead-random.c").write_text("void aead_random_init(void) {}\n")
    timed = time_build(timing.timing(at(folder), board(ARM), "-O2", (enc(256),)))
    assert timed.reason == ""
    assert timed.cycles[enc(256)] > 0


def test_where_assembly_alone_is_compared_other_packages_are_not_built(tmp_path: Path) -> None:
    text = f"{HEADER}enc(0:256),enc(0:512)\nt,toy,yes,ref,o2,1,8,12\n"
    here = clone(tmp_path / "clone", text)
    only = UNO.model_copy(update={"assembly_only": True})
    with pytest.raises(UserError, match="no row of uno matches"):
        run.run(here, [only], files(), [], 1, Silent())


def test_what_is_edited_while_it_is_timed_is_compared_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = clone(
        tmp_path / "clone", f"{HEADER}enc(0:256),enc(0:512)\nt,toy,yes,ref,o2,1,800,1600\n"
    )
    source = here.root / "implementations" / "toy" / "crypto_aead" / "toy" / "ref" / "encrypt.c"
    kept: list[str] = []

    def timed(tasks: list[Task], *_: object) -> Iterator[Outcome]:
        source.write_text(f"{source.read_text()}\n/* a thought */\n")
        for task in tasks:
            yield Outcome(task, Timed({enc(256): 12_000, enc(512): 24_000}))

    monkeypatch.setattr(timing, "run_tasks", timed)
    monkeypatch.setattr(timing, "_remember", lambda key, value: kept.append(key))
    [result] = run.run(here, [UNO], files(), [], 1, Silent())
    assert result.comparisons
    assert kept == []


@pytest.mark.parametrize(("then", "is_newer"), [(6, True), (7, False), (8, False)])
def test_a_newer_compiler_is_configured_like_that_of_the_board(
    then: int, is_newer: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also at single levels. avr-gcc is 7.3.0 here."""
    lines = [f"t,toy,yes,ref,{level},1,8,12\n" for level in ("o1", "o2")]
    here = clone(tmp_path / "clone", f"{HEADER}enc(0:256),enc(0:512)\n{''.join(lines)}")
    nist = UNO.model_copy(
        update={
            "as_then": "-fno-common",
            "level_flags": {"-O2": "-fno-inline-functions"},
            "compiler_major": then,
        }
    )
    given: list[str] = []

    def asked(builds: list[Timing], *_: object) -> list[tuple[Timing, Timed]]:
        given.extend(build.job.flags for build in builds)
        return [(build, Timed({}, reason="not run")) for build in builds]

    monkeypatch.setattr(run, "time_all", asked)
    run.run(here, [nist], files(), [], 1, Silent())
    newer = ["-O1 -flto -fno-common", "-O2 -flto -fno-common -fno-inline-functions"]
    assert given == (newer if is_newer else ["-O1 -flto", "-O2 -flto"])


def test_a_sample_is_reported(tmp_path: Path, pennyweight: Command) -> None:
    lines = [f"t,toy,yes,does_not_compile,{level},1,8,12\n" for level in ("o1", "o2", "o3")]
    text = f"{HEADER}enc(0:256),enc(0:512)\n{''.join(lines)}"
    here = clone(tmp_path / "clone", text, ("does_not_compile",))
    words = ["accuracy", "--nist", str(here.root), "--output", str(tmp_path / "p"), "--every"]
    for every in ("2", f"{AVR}=2"):
        assert pennyweight(*words, every).status == 0
        written = (tmp_path / "p" / page.PAGE).read_text()
        assert f"Benchmarking --every {AVR}=2\n" in written
        assert "\nA sample of one comparable row in 2.\n" in written
        assert "does_not_compile -O1, toy/does_not_compile -O3)" in written
    for wrong in ("0", "-1", "x", f"{AVR}=", f"{AVR}=2,", "٣", f"{ARM}=2", "9" * 5000):
        assert pennyweight(*words, wrong).refused().startswith("pennyweight: --every: ")


@pytest.fixture
def pennyweight(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


def test_the_command_writes_a_page_and_a_second_run_gives_the_same(
    tmp_path: Path, pennyweight: Command
) -> None:
    timed = times("ref")
    figures = [figure(UNO, timed.cycles[case]) for case in (enc(256), enc(512))]
    text = (
        f"{HEADER}enc(0:256),enc(0:512)\n"
        f"t,toy,yes,ref,o2,1,{figures[0]},{figures[1]}\n"
        f"t,toy,yes,does_not_compile,o2,1,8,12\n"
        f"t,toy,yes,elsewhere,o2,1,8,12\n"
    )
    here = clone(tmp_path / "clone", text, ("ref", "does_not_compile"))
    output = tmp_path / "page"
    words = ["accuracy", "--nist", str(here.root), "--board", AVR, "--output", str(output)]
    done = pennyweight(*words)
    assert done.status == 0, done.err
    heading, names, _, first, *_ = done.out.splitlines()
    assert heading == "Absolute errors of steady marginals:"
    assert names.split()[:4] == ["board", "set", "code", "rows"]
    assert first.split()[:4] == [AVR, "evaluation", "C", "1"]
    assert first.endswith("0.1 / 0.75, met")
    assert max(map(len, done.out.splitlines()[:4])) <= 80
    text = (output / page.PAGE).read_text()
    assert "Board `atmega328p`, NIST's `uno`: 1 of 3 rows compared" in text
    assert "1 × the clone has no package of this name (toy/elsewhere -O2)" in text
    assert "build failed" in text
    assert (output / "images" / "accuracy.svg").read_text().startswith("<svg")
    assert (output / "images" / "accuracy.png").read_bytes().startswith(b"\x89PNG")
    again = pennyweight(*words)
    assert (again.out, (output / page.PAGE).read_text()) == (done.out, text)


def test_a_wrong_path_on_the_command_line_is_refused(tmp_path: Path, pennyweight: Command) -> None:
    output = pennyweight("accuracy", "--nist", tmp_path).refused()
    assert "has no folder 'benchmarks'" in output


def test_no_matching_variant_is_reported(tmp_path: Path) -> None:
    here = clone(tmp_path / "clone")
    with pytest.raises(UserError, match="no row of uno matches"):
        run.run(here, [UNO], files(), ["nothing*"], 1, Silent())


def test_how_much_of_a_clone_runs_is_reported(tmp_path: Path, pennyweight: Command) -> None:
    names = ("ref", "rejects_valid", "gone")
    lines = "".join(f"toy,toy,yes,{name},os,100,40\n" for name in names)
    root = clone(tmp_path / "c", f"{HEADER}enc(0:16)\n{lines}", names[:2]).root
    words = ("coverage", "--nist", root, "--board", "uno")
    found = pennyweight(*words, "--format", "json").rows
    assert [(row["implementation"], row["status"]) for row in found] == [
        ("ref", "ok"),
        ("rejects_valid", "rejected a valid message"),
        ("gone", "not in the clone"),
    ]
    assert {row["flags"] for row in found} == {"-Os -flto"}
    output = " ".join(pennyweight(*words).out.split())
    assert "1 of 2 pairs of implementation and flags build, pass" in output
    assert (
        "1 give wrong results on the real part too" in output
        and "1 more belong to packages" in output
    )
