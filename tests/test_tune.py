"""`pennyweight tune`: the search, what it accepts, and the file that it keeps."""

from __future__ import annotations

import csv
import doctest
import io
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

import cli_runs
import pennyweight
from pennyweight import catalogue
from pennyweight.model import Measurement, UserError
from pennyweight.toolchains import for_board
from pennyweight.tuning import defaults
from pennyweight.tuning.builds import Builds
from pennyweight.tuning.defaults import redundant_flags
from pennyweight.tuning.flagfile import read_flags, write_flags
from pennyweight.tuning.objective import Aim, cost
from pennyweight.tuning.search import Score, Search
from pennyweight.tuning.space import (
    Candidate,
    Choice,
    candidate_of,
    choices_for,
    difference,
    flags_of,
)

CHOICES = [Choice(f"c{i}", (f"-fa{i}", f"-fb{i}")) for i in range(12)]
AIMS: tuple[Aim, ...] = ("cycles", "flash", "ram")
SMALL = ("tune", "sha-256/small", "--board", "stm32f030", "--lengths", "64")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> cli_runs.Command:
    return cli_runs.runner(capsys)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Landscape:
    """Made-up costs: each flag's own gain or loss, and a gain of two flags only together."""

    def __init__(self, together: float = 0.0) -> None:
        self.batches: list[list[Candidate]] = []
        self._together = together

    def __call__(self, candidates: Sequence[Candidate]) -> Mapping[Candidate, Score]:
        self.batches.append(list(candidates))
        return {each: self.score(each) for each in candidates}

    def score(self, candidate: Candidate) -> Score:
        level, *values = candidate
        value = {"-Os": 1300.0, "-O2": 1100.0, "-O3": 1000.0, "-O1": 1200.0}[level]
        value += sum({"-fa0": -50, "-fa1": -30, "-fa2": -20}.get(each, 0) for each in values)
        value += sum(15 for each in values if each.startswith("-fb"))
        if "-fa7" in values and "-fa8" in values:
            value -= self._together
        return value, float(sum(map(bool, candidate)))


def always(_: Candidate) -> bool:
    return True


def test_the_search_combines_helpful_changes_and_omits_the_others() -> None:
    search = Search(CHOICES, Landscape(), always, 100)
    steps = list(search.steps())
    assert [step.score for step in steps] == sorted((s.score for s in steps), reverse=True)
    assert flags_of(steps[0].candidate) == "-O3"
    assert flags_of(steps[-1].candidate) == "-O3 -fa0 -fa1 -fa2"
    assert steps[-1].score[0] == 900


def test_restarts_find_what_helps_only_together() -> None:
    search = Search(CHOICES, Landscape(together=200), always, 1500)
    last = list(search.steps())[-1]
    assert last.score[0] == 700
    assert {"-fa7", "-fa8"} < set(last.candidate)


@pytest.mark.parametrize("budget", [1, 3, 4, 5, 17, 60, 200])
def test_at_most_the_budget_is_built_and_nothing_twice(budget: int) -> None:
    landscape = Landscape(together=200)
    search = Search(CHOICES, landscape, always, budget)
    assert list(search.steps())
    tried = [each for batch in landscape.batches for each in batch]
    assert len(tried) == len(set(tried)) == search.tried <= budget


def test_an_earlier_result_is_where_a_search_starts() -> None:
    earlier = candidate_of("-O3 -fa0 -fa1", CHOICES)
    assert earlier is not None and flags_of(earlier) == "-O3 -fa0 -fa1"
    for budget in (1, 2, 5):
        landscape = Landscape()
        steps = list(Search(CHOICES, landscape, always, budget, first=[earlier]).steps())
        assert steps[0].candidate == earlier
        assert landscape.batches[0][0] == earlier
    assert steps[-1].score <= steps[0].score
    assert candidate_of("-O3 -fa1 -fa0", CHOICES) == earlier, "in any order"
    for other in ("-O9 -fa0", "-O3 -fx", "-O3 -fa0 -fb0", "-fa0 -O3"):
        assert candidate_of(other, CHOICES) is None


def test_the_same_search_gives_the_same_steps() -> None:
    first, second = (list(Search(CHOICES, Landscape(9), always, 300).steps()) for _ in range(2))
    assert first == second


def test_a_build_that_fails_verification_is_never_the_best() -> None:
    def accept(candidate: Candidate) -> bool:
        return "-fa0" not in candidate and candidate[0] != "-O3"

    search = Search(CHOICES, Landscape(), accept, 300)
    steps = list(search.steps())
    assert all(accept(step.candidate) for step in steps)
    assert flags_of(steps[-1].candidate) == "-O2 -fa1 -fa2"
    assert not list(Search(CHOICES, Landscape(), lambda _: False, 50).steps())


def test_what_does_not_build_has_no_score() -> None:
    landscape = Landscape()

    def evaluate(candidates: Sequence[Candidate]) -> Mapping[Candidate, Score]:
        return {k: v for k, v in landscape(candidates).items() if "-fa0" not in k}

    last = list(Search(CHOICES, evaluate, always, 300).steps())[-1]
    assert flags_of(last.candidate) == "-O3 -fa1 -fa2"


def test_what_a_level_enables_is_not_tried_alone() -> None:
    landscape = Landscape()
    search = Search(CHOICES, landscape, always, 20, lambda level: {"-fb0", "-fa3"})
    list(search.steps())
    singles = {flags_of(each) for each in landscape.batches[1]}
    assert "-O3 -fa0" in singles
    assert not {"-O3 -fb0", "-O3 -fa3"} & singles


def test_equal_builds_are_ordered_by_flash_then_by_flags() -> None:
    def row(op: str, cycles: int, **more: object) -> Measurement:
        fixed = {"algorithm": "a", "implementation": "i", "board": "b", "flags": "-O2", "ad": 0}
        values = {"status": "ok", "flash": 100, "ram": 8, "stack": 40, "m": 64, **more}
        return Measurement(**fixed, op=op, cycles=cycles, **values)  # type: ignore[arg-type]

    rows = [row("enc", 200), row("dec", 800, stack=60)]
    found = {aim: cost(rows, aim) or () for aim in AIMS}
    assert found["cycles"] == found["flash"][::-1] == pytest.approx((400, 100))
    assert found["ram"] == pytest.approx((68, 400))
    assert cost([*rows, row("dec", 1, status="crash")], "cycles") is None
    assert cost([], "cycles") is None


def test_flags_that_a_compiler_rejects_are_omitted() -> None:
    refused = {"-funroll-all-loops", "-flto", "-mtune=cortex-m7"}
    asked = []

    def is_supported(flags: Sequence[str]) -> bool:
        asked.append(flags)
        return not refused & set(flags)

    found = choices_for("arm-none-eabi-gcc", is_supported)
    values = {value for each in found for value in each.values}
    every = {v for each in choices_for("arm-none-eabi-gcc", lambda _: True) for v in each.values}
    assert values == every - refused
    assert len(asked) < len(every) / 3
    assert len(every) == sum(
        len(each.values) for each in choices_for("arm-none-eabi-gcc", lambda _: True)
    )


def test_gcc_is_asked_what_a_level_enables() -> None:
    assert doctest.testmod(defaults).failed == 0
    board = catalogue.load().board("stm32f030")
    toolchain = for_board(board)
    found = {
        level: redundant_flags(toolchain, board.file.compiler.flags, level)
        for level in ("-Os", "-O3")
    }
    assert "-fpeel-loops" in found["-O3"] and "-fno-peel-loops" in found["-Os"]


def test_a_change_names_what_was_added_and_removed() -> None:
    assert difference(("-O2", "", "-fa1"), ("-O3", "-fa0", "")) == "-O3, -fa0, without -fa1"


def test_a_file_of_flags_has_a_build_on_each_line(tmp_path: Path) -> None:
    path = tmp_path / "my.flags"
    write_flags(path, "-O3  -fno-gcse", ["a comment"])
    assert path.read_text(encoding="utf-8") == "# a comment\n-O3  -fno-gcse\n"
    assert read_flags(path) == ["-O3 -fno-gcse"]
    path.write_text("\n-Os # small\n-O2 -flto\n", encoding="utf-8")
    assert read_flags(path) == ["-Os", "-O2 -flto"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# nothing\n", "has no flags; write those of one build on each line"),
        ("-O2\n-O9\n", "line 2: flag '-O9' is not an optimisation level"),
        ("-O2 -fplugin=x.so\n", "line 1: flag '-fplugin=x.so' reads, writes or loads files"),
    ],
)
def test_a_wrong_file_of_flags_is_one_sentence(
    run: cli_runs.Command, place: Path, text: str, message: str
) -> None:
    (place / "my.flags").write_text(text, encoding="utf-8")
    asked = ("measure", "sha-256/small", "--board", "stm32f030", "--flags-from", "my.flags")
    assert f"my.flags: {message}" in run(*asked).refused()
    with pytest.raises(UserError, match="there is no such file; check the path"):
        read_flags(place / "other.flags")


def test_a_second_search_keeps_a_better_result(run: cli_runs.Command, place: Path) -> None:
    file = place / "mine.flags"
    words = (*SMALL, "--into", file, "--budget")
    first = run(*words, "24")
    assert first.status == 0 and re.search(r"\d\.\d % fewer than -O", first.out)
    [best] = read_flags(file)
    assert best not in ("-Os", "-O1", "-O2", "-O3")
    again = run(*words, "2")
    assert again.status == 0 and read_flags(file) == [best]
    file.write_text("-O2 -fwrapv\n")
    refused = run(*words, "2").refused()
    assert "has flags that tune does not try" in refused and "--into" in refused
    assert file.read_text() == "-O2 -fwrapv\n"


def test_tune_writes_flags_that_measure_takes(run: cli_runs.Command, place: Path) -> None:
    done = run(*SMALL, "--budget", 30, "--into", "sha.flags", "--format", "json")
    assert done.status == 0
    rows = done.rows
    assert [row["flags"] for row in rows[:3]] == ["-Os", "-O2", "-O3"]
    reference = min(row["cycles"] for row in rows[:3])
    best = rows[-1]
    assert best["cycles"] <= reference and best["builds"] <= 30
    assert best["ratio"] == pytest.approx(best["cycles"] / reference)
    text = (place / "sha.flags").read_text(encoding="utf-8")
    assert text.splitlines()[-1] == best["flags"]
    assert "passed all known-answer tests" in text and "Written by `pennyweight tune" in text
    measured = run(
        "measure", "sha-256/small", "--board", "stm32f030", "--lengths", "64", "--no-verify",
        "--flags-from", "sha.flags", "--format", "json",
    ).rows  # fmt: skip
    assert [row["flags"] for row in measured] == [best["flags"]]
    assert measured[0]["cycles"] == pytest.approx(best["cycles"])
    both = run(
        "measure", "sha-256/small", "--board", "stm32f030", "--lengths", "64", "--no-verify",
        "--flags", "-Os", "--flags-from", "sha.flags", "--format", "csv",
    )  # fmt: skip
    assert [row["flags"] for row in csv.DictReader(io.StringIO(both.out))] == ["-Os", best["flags"]]


def test_other_commands_take_the_flags_of_one_build(run: cli_runs.Command, place: Path) -> None:
    (place / "one.flags").write_text("# of one build\n-O3 -funroll-loops\n", encoding="utf-8")
    (place / "two.flags").write_text("-O3\n-Os\n", encoding="utf-8")
    for command in ("constant-time", "profile", "verify"):
        asked = (command, "sha-256/small", "--board", "stm32f030", "--flags-from")
        done = run(*asked, "one.flags", "--format", "json")
        if command == "constant-time":
            assert "no secret-dependent timing" in done.err
        else:
            assert {row["flags"] for row in done.rows} == {"-O3 -funroll-loops"}
        assert "two.flags and --flags give 2 builds" in run(*asked, "two.flags").refused()
    both = (*asked, "one.flags", "--flags", "-Os")
    assert "give 2 builds; this command takes one" in run(*both).refused()


def test_the_table_states_the_saving_and_the_name_of_the_file(
    run: cli_runs.Command, place: Path
) -> None:
    done = run(*SMALL, "--for", "flash", "--budget", 4)
    assert done.status == 0
    assert done.out.startswith("sha-256/small on stm32f030\n")
    assert "no fewer than -Os, the best of -Os, -O2, -O3" in " ".join(done.out.split())
    name = "sha-256-small-stm32f030-flash.flags"
    assert f"measure --flags-from {name}" in done.err
    assert read_flags(place / name)


def test_a_fast_build_with_wrong_answers_is_not_taken(run: cli_runs.Command, place: Path) -> None:
    """At -Os this hash does nothing, so that it is by far the fastest."""
    folder = pennyweight.vendor("sha-256/small", place / "own", boards="none")
    [source] = [
        path for path in folder.rglob("*.c") if "int crypto_hash(" in path.read_text("utf-8")
    ]
    text = source.read_text("utf-8")
    start = text.index("{", text.index("int crypto_hash(")) + 1
    wrong = "\n#ifdef __OPTIMIZE_SIZE__\n    return 0;\n#endif\n"
    source.write_text(text[:start] + wrong + text[start:], "utf-8")
    asked = ("--board", "stm32f030", "--lengths", "64", "--budget", 4, "--format", "json")
    rows = run("tune", folder, *asked).rows
    size = next(row for row in rows if row["flags"] == "-Os")
    assert size["cycles"] < rows[-1]["cycles"] / 10
    [flags] = [read_flags(path) for path in place.glob("*.flags")]
    assert flags == [rows[-1]["flags"]] and "-Os" not in flags[0]


def test_at_the_end_all_known_answers_decide(
    run: cli_runs.Command, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The best one passes the sample only: the one before it is taken."""
    passes = Builds.passes
    refused: list[Candidate] = []

    def strict(self: Builds, candidate: Candidate, level: str) -> bool:
        if level == "full" and not refused:
            refused.append(candidate)
            return False
        return passes(self, candidate, "none")

    monkeypatch.setattr(Builds, "passes", strict)
    rows = run(
        *SMALL, "--for", "flash", "--budget", 40, "--into", "f.flags", "--format", "json"
    ).rows
    [omitted] = refused
    assert flags_of(omitted) not in {row["flags"] for row in rows if row["builds"]}
    assert read_flags(place / "f.flags") != [flags_of(omitted)]


def test_an_interrupted_search_keeps_its_best_result(place: Path) -> None:
    command = [sys.executable, "-m", "pennyweight", *SMALL, "--budget", "5000", "--into", "k.flags"]
    started = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=place
    )
    file = place / "k.flags"
    for _ in range(1200):
        if file.is_file() or started.poll() is not None:
            break
        time.sleep(0.1)
    os.kill(started.pid, signal.SIGINT)
    out, err = started.communicate(timeout=60)
    assert started.returncode == 130, err
    assert "interrupted; the best flags so far are kept" in err and "Traceback" not in err
    assert "sha-256/small on stm32f030" in out
    assert len(read_flags(file)) == 1
    assert "passed a sample of the known-answer tests" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("sha-256", "--board", "stm32f030"), "tune takes one implementation; choose one of sha-"),
        (("sha-256/small", "--board", "stm32f03"), "unknown board 'stm32f03'"),
        (("sha-256/small", "--board", "stm32f030", "--budget", "0"), "budget"),
        (("sha-256/small", "--board", "stm32f030", "--into", "no/x"), "no/x: the flags cannot be"),
        (("sha-256/small", "--board", "stm32f030", "--compiler", "tcc"), "unknown compiler 'tcc'"),
    ],
)
def test_what_cannot_be_tuned_is_one_sentence(
    run: cli_runs.Command, place: Path, words: tuple[str, ...], message: str
) -> None:
    assert message in run("tune", *words).refused()
    assert not list(place.glob("*.flags"))


def test_an_implementation_that_no_level_builds_is_one_sentence(
    run: cli_runs.Command, place: Path
) -> None:
    folder = pennyweight.vendor("sha-256/small", place / "own", boards="none")
    [source] = [
        path for path in folder.rglob("*.c") if "int crypto_hash(" in path.read_text("utf-8")
    ]
    source.write_text("#error broken\n", "utf-8")
    printed = run("tune", folder, "--board", "stm32f030", "--budget", 4).refused()
    assert "no optimisation level works: build failed: " in printed
    assert not list(place.glob("*.flags"))


def test_python_returns_the_steps_as_a_table(place: Path) -> None:
    table = pennyweight.tune("sha-256/small", "stm32f030", "flash", budget=3, lengths="64")
    assert table.column_names == ["change", "flash", "ratio", "builds", "flags"]
    assert table["flags"].to_pylist()[:3] == ["-Os", "-O2", "-O3"]
