"""`compare`: figures side by side, and an exit status that one cycle more changes."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

import pennyweight
from cli_runs import Command, runner
from example_results import job_result
from pennyweight.analysis.comparison import figures, has_grown
from pennyweight.model import Case, JobResult, Operation, SymbolSize, UserError
from pennyweight.store import ResultStore
from pennyweight.store.reading import open_results

CASES = [Case(Operation.ENC, 16, 64), Case(Operation.DEC, 16, 64)]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


def store(folder: Path, *results: JobResult) -> Path:
    kept = ResultStore(folder)
    kept.prepare()
    for each in results:
        kept.add(each)
    return folder


def slower(result: JobResult, cycles: int) -> JobResult:
    """The same with more cycles in its first row."""
    first, *rest = result.measurements
    assert first.cycles is not None
    return replace(result, measurements=[replace(first, cycles=first.cycles + cycles), *rest])


def test_one_cycle_more_fails(run: Command, tmp_path: Path) -> None:
    base = job_result("ascon-128", cases=CASES)
    a = store(tmp_path / "a", base)
    same = run("compare", a, store(tmp_path / "same", base), "--fail-above", "0%")
    assert same.status == 0 and "0 differ" in same.out
    b = store(tmp_path / "b", slower(base, 1))
    done = run("compare", a, b, "--fail-above", "0%")
    assert done.status == 1
    line = next(line for line in done.out.splitlines() if "cycles" in line)
    assert line.split()[0] == "ascon-128/ref" and "+1" in line and line.endswith("!")
    assert run("compare", a, b).status == 0
    assert run("compare", a, b, "--fail-above", "1%").status == 0
    assert run("compare", b, a, "--fail-above", "0%").status == 0


def test_cycles_and_bytes_have_a_mean_each(run: Command, tmp_path: Path) -> None:
    base = job_result("ascon-128", cases=CASES)
    assert base.measurements[0].cycles is not None
    a = store(tmp_path / "a", base)
    b = store(tmp_path / "b", slower(base, 3 * base.measurements[0].cycles))
    # Of two figures of cycles one grows to the fourfold; nothing else changes.
    reported = "geometric means of B / A: cycles 2.0000, stack 1.0000, flash 1.0000."
    assert run("compare", a, b).out.endswith(f"{reported}\n")
    assert "geometric mean of B / A 2.0000." in run("compare", a, b, "--metric", "cycles").out


def test_what_is_missing_fails_unless_allowed(run: Command, tmp_path: Path) -> None:
    base = job_result("ascon-128", cases=CASES)
    a = store(tmp_path / "a", base, job_result("aes-128-gcm", cases=CASES))
    b = store(tmp_path / "b", base)
    done = run("compare", a, b, "--fail-above", "0%")
    assert done.status == 1 and "only in A" in done.out and "aes-128-gcm/ref" in done.out
    assert run("compare", a, b, "--fail-above", "0%", "--allow-missing").status == 0
    assert run("compare", b, a, "--fail-above", "0%").status == 0


def test_rows_of_one_folder_are_compared_over_what_is_fixed(run: Command, tmp_path: Path) -> None:
    results = [job_result("ascon-128", flags=flags, cases=CASES) for flags in ("-Os", "-O3")]
    a = store(tmp_path / "a", *results)
    words = ("compare", a, a, "--a", "flags=-Os", "--b", "flags=-O3", "--metric", "cycles")
    rows = run(*words, "--format", "json").rows
    assert [(row["op"], row["flags"]) for row in rows] == [("dec", "-O3"), ("enc", "-O3")]
    for row, before, after in zip(
        rows,
        (results[0].measurements[1].cycles, results[0].measurements[0].cycles),
        (results[1].measurements[1].cycles, results[1].measurements[0].cycles),
        strict=True,
    ):
        assert before is not None and after is not None
        assert (row["before"], row["after"]) == (before, after)
        assert row["difference"] == after - before
        assert row["ratio"] == pytest.approx(after / before)
    assert "compared with itself" in run("compare", a, a).refused()


def test_markdown_is_a_table_for_a_pull_request(run: Command, tmp_path: Path) -> None:
    base = job_result("ascon-128", cases=CASES)
    a, b = store(tmp_path / "a", base), store(tmp_path / "b", slower(base, 100))
    lines = run("compare", a, b, "--format", "markdown").out.splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == 3 and set(table[1]) <= set("|-: ")
    assert len({line.count("|") for line in table}) == 1
    assert "+100" in table[2] and lines[0].startswith("**A**")
    assert lines[-1].endswith(".") and "1 differ" in lines[-1]


def test_functions_that_grew_are_named(run: Command, tmp_path: Path) -> None:
    base = job_result("ascon-128", cases=CASES)
    before = replace(base, symbols=[SymbolSize("permute", "text", "p.c", 500)])
    after = replace(
        base,
        symbols=[SymbolSize("permute", "text", "p.c", 520), SymbolSize("pad", "text", "p.c", 8)],
    )
    a, b = store(tmp_path / "a", before), store(tmp_path / "b", after)
    rows = run("compare", a, b, "--functions", "--format", "json").rows
    found = {row["name"]: (row["before"], row["after"], row["difference"]) for row in rows}
    assert found == {"permute": (500, 520, 20), "pad": (0, 8, 8)}
    assert list(found) == ["permute", "pad"]  # by bytes, though pad is new
    assert run("compare", a, b, "--functions", "--fail-above", "0%").status == 1


def test_from_python_two_sides_are_a_table(tmp_path: Path) -> None:
    base = job_result("ascon-128", cases=CASES)
    a = store(tmp_path / "a", base, job_result("ascon-128", flags="-O3", cases=CASES))
    b = store(tmp_path / "b", slower(base, 1))
    rows = pennyweight.compare(a, b, a_only={"flags": "-Os"}, metric="cycles").to_pylist()
    assert [(row["op"], row["difference"]) for row in rows] == [("dec", 0), ("enc", 1)]
    with pytest.raises(UserError, match="is compared with itself"):
        pennyweight.compare(a, a)


def test_printed_measurements_can_be_compared(run: Command, tmp_path: Path) -> None:
    words = ("measure", "sha-256/small", "--board", "stm32f030", "--no-verify", "--format")
    (tmp_path / "a.json").write_text(run(*words, "json").out)
    (tmp_path / "b.csv").write_text(run(*words, "csv").out)
    done = run("compare", tmp_path / "a.json", tmp_path / "b.csv", "--fail-above", "0%")
    assert done.status == 0 and "0 differ" in done.out
    rows = json.loads((tmp_path / "a.json").read_text())
    rows[0]["cycles"] += 1
    (tmp_path / "a.json").write_text(json.dumps(rows))
    assert run("compare", tmp_path / "b.csv", tmp_path / "a.json", "--fail-above", "0%").status == 1


def test_published_figures_are_compared_with_measured_ones(run: Command, tmp_path: Path) -> None:
    own = job_result("aes-128-gcm", flags="-Os", cases=[Case(Operation.ENC, 16, 256)])
    a = store(tmp_path / "a", own)
    done = run("compare", "published:one-euro", a, "--metric", "cycles", "--format", "json")
    both = [row for row in done.rows if row["before"] and row["after"]]
    assert [(row["implementation"], row["m"], row["before"]) for row in both] == [
        ("ref", 256, 328558)
    ]
    assert both[0]["after"] == own.measurements[0].cycles

    # If one side has no flags, those of the other distinguish its lines.
    b = store(tmp_path / "b", own, job_result("aes-128-gcm", flags="-O3", cases=CASES))
    pins = ("--a", "board=sam3x8e", "--b", "board=stm32f030")
    lines = run("compare", "published:felics-aead", b, *pins, "--metric", "flash").out.splitlines()
    assert lines[0].split()[:3] == ["implementation", "flags", "case"]
    found = [line.split()[1] for line in lines if line.startswith("aes-128-gcm/ref")]
    assert set(found) == {"-Os", "-O3"}


def test_published_code_of_one_direction_is_compared_with_one_direction(
    run: Command, tmp_path: Path
) -> None:
    """The EUR 1 study's program encrypts only: 2,644 bytes for AES-128-GCM."""
    own = job_result("aes-128-gcm", flags="-Os", cases=[Case(Operation.ENC, 16, 256)])
    a, first = store(tmp_path / "a", own), own.measurements[0]
    words = ("compare", "published:one-euro", a, "--common", "--all", "--format", "json")
    found = {row["metric"]: (row["before"], row["after"]) for row in run(*words).rows}
    assert found == {
        "cycles": (328558, first.cycles),
        "stack": (700, first.stack),
        "flash_enc": (2644, first.flash_enc),
    }
    assert first.flash != first.flash_enc


def test_published_scenarios_are_cases(run: Command, tmp_path: Path) -> None:
    """FELICS authenticates 111 bytes in scenario 1b, and lists code size by scenario."""
    cases = [Case(Operation.ENC, 111, 0), Case(Operation.ENC, 25, 86)]
    own = job_result("aes-128-gcm", cases=cases)
    there = [replace(row, board="sam3x8e") for row in own.measurements]
    own = replace(own, measurements=there)
    a = store(tmp_path / "a", own)
    rows = run("compare", "published:felics-aead", a, "--common", "--format", "json").rows
    found = {(row["metric"], row["ad"], row["m"]): (row["before"], row["after"]) for row in rows}
    assert found == {
        ("cycles", 111, 0): (565606, own.measurements[0].cycles),
        ("cycles", 25, 86): (1197073, own.measurements[1].cycles),
        ("flash", None, None): (6096, own.measurements[0].flash),
    }


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("nowhere", "{a}"), "no such results folder"),
        (("{a}", "published:nothing"), "one-euro"),
        (("{a}", "{b}", "--metric", "speed"), "--metric: 'speed'"),
        (("{a}", "{b}", "--a", "flag=-Os"), "did you mean flags"),
        (("{a}", "{b}", "--a", "flags=-O7"), "no measurement with flags=-O7"),
        (("{a}", "{b}", "--fail-above", "much"), "is not a percentage"),
        (("{a}", "{broken}"), "is not output of"),
        (
            ("{a}", "{table}"),
            "is not output of `pennyweight measure --format json` (it is not a list",
        ),
        (("{a}", "{empty}"), "empty: there are no measurements; give other results"),
        (("{a}", "{b}", "--b", "board=atmega328p"), "no figures in common"),
        (("published:one-euro", "{a}", "--functions"), "no bytes by function"),
        (("published:chachapoly-units", "{a}"), "it has blake2s_units"),
    ],
)
def test_bad_requests_are_reported_in_a_sentence(
    run: Command, tmp_path: Path, words: tuple[str, ...], expected: str
) -> None:
    names = {
        "a": store(tmp_path / "a", job_result("ascon-128", cases=CASES)),
        "b": store(
            tmp_path / "b",
            job_result("ascon-128", cases=CASES),
            job_result("ascon-128", board="atmega328p", cases=CASES),
        ),
        "broken": tmp_path / "broken.json",
        "table": tmp_path / "table.json",
        "empty": tmp_path / "empty",
    }
    names["table"].write_text('{"cycles": 1}')
    names["empty"].mkdir()
    names["broken"].write_text('[{"cycles": 1}]')
    assert expected in run("compare", *(word.format(**names) for word in words)).refused()


def test_sizes_are_figures_of_a_build(tmp_path: Path) -> None:
    with open_results(ResultStore(store(tmp_path, job_result("ascon-128", cases=CASES)))) as kept:
        table = figures(kept.query("SELECT * FROM latest"), ["flash", "cycles"]).to_pylist()
    assert [(row["op"], row["m"], row["metric"]) for row in table if row["metric"] == "flash"] == [
        ("build", None, "flash")
    ]
    assert sorted(row["op"] for row in table if row["metric"] == "cycles") == ["dec", "enc"]


def test_growth_is_exact() -> None:
    assert has_grown(10**12, 10**12 + 1, 0.0)
    assert not has_grown(100, 101, 0.01) and has_grown(100, 102, 0.01)
    assert not has_grown(100, 99, 0.0) and has_grown(0, 1, 0.5)
    assert not has_grown(100, 129, 0.29) and has_grown(100, 130, 0.29)  # 28.999… in binary
    assert has_grown(10**9, 10**9 + 290_000_001, 0.29)


def test_html_is_one_page_with_the_worst_row_first(run: Command, tmp_path: Path) -> None:
    base = job_result("ascon-128", cases=CASES)
    gcm = job_result("aes-128-gcm", cases=CASES)
    a, b = store(tmp_path / "a<b", gcm, base), store(tmp_path / "b", gcm, slower(base, 100))
    done = run("compare", a, b, "--format", "html", "--fail-above", "0%")
    page = done.out
    assert done.status == 1
    assert page.startswith("<!doctype html>") and page.rstrip().endswith("</html>")
    assert "<h1>Regression</h1>" in page and "figures compared" in page
    assert "a<b" not in page and "a&lt;b" in page
    first = page.split("<tbody>")[1].split("</tr>")[0]
    assert 'class="fails"' in first and "ascon-128" in first
    assert not re.search(r'(src|href)="(?!data:)', page)


def test_html_of_equal_figures_states_that_they_are_equal(run: Command, tmp_path: Path) -> None:
    base = job_result("ascon-128", cases=CASES)
    a, b = store(tmp_path / "a", base), store(tmp_path / "b", base)
    page = run("compare", a, b, "--format", "html").out
    assert "<h1>No difference</h1>" in page and "<table>" not in page
