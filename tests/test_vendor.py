"""`pennyweight vendor`: what a copy measures, and what the command refuses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import pennyweight
from cli_runs import Command, runner
from packages_for_tests import files
from pennyweight.job import Job
from pennyweight.measure import run_job
from pennyweight.model import Case, Measurement, Operation, Status, UserError
from pennyweight.standalone import package, place_in, write
from pennyweight.standalone.readme import readme

FAST = "ascon-aead128/fast32"
FOLDER = Path("crypto_aead/asconaead128/fast32")
BOARDS = (
    *("atmega328p", "atmega4809", "msp430f1611", "stm32f030", "stm32f103-72mhz"),
    *("stm32f407-168mhz", "fe310-g002", "esp8266", "esp32", "pic32mx340"),
)
"""One of each family of cores, those whose cycles depend on addresses among them."""

COPIED = (FAST, "dumbo/small", "hmac-sha256/fast32", "ascon-cxof128/small")
"""A source that others include, a header that a macro names, two headers of one-shot functions, and
a customised XOF.
"""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


def figures(measured: list[Measurement]) -> list[tuple[object, ...]]:
    assert all(each.status == Status.OK for each in measured), measured
    return [
        (each.algorithm, each.op, each.cycles, each.instructions, each.stack, each.flash, each.ram)
        for each in measured
    ]


IN_ASSEMBLY = (("ascon-aead128/asm", "stm32f407-168mhz"), ("schwaemm256-128/asm8", "atmega328p"))


@pytest.mark.parametrize(
    ("name", "board"), [*((name, board) for board in BOARDS for name in COPIED), *IN_ASSEMBLY]
)
def test_a_copy_measures_the_same_to_the_cycle(name: str, board: str, tmp_path: Path) -> None:
    [original] = files().find(name)
    write(package(original, "incremental"), tmp_path / place_in(original))
    [copy] = files().find(str(tmp_path))
    assert copy.id == name and not copy.bundled
    ad = 8 if original.takes_ad else 0
    operations = (*original.operations(), original.parts()[1])
    found = [
        figures(
            run_job(
                Job(
                    each,
                    files().board(board),
                    "-O2",
                    [Case(Operation(op), ad, 40) for op in operations],
                    "none",
                )
            ).measurements
        )
        for each in (original, copy)
    ]
    assert found[0] == found[1]


@pytest.mark.parametrize("name", [FAST, *(name for name, _ in IN_ASSEMBLY)])
def test_the_readme_names_every_source(name: str) -> None:
    [original] = files().find(name)
    files_of_copy = package(original, "one-shot")
    sources = {each for each in files_of_copy if each.endswith((".c", ".S")) and "/" not in each}
    use = readme(original, tuple(files_of_copy), "one-shot", [])
    [listed] = re.findall(r"^Compile (.*) with your program\.", use, re.MULTILINE)
    assert {each.strip("`") for each in listed.split(", ")} == sources
    assert any(each.endswith(".S") for each in sources) == ("asm" in name)


def test_the_readme_has_what_measure_states_of_the_copy(run: Command, tmp_path: Path) -> None:
    words = ("--board", "stm32f030", "--flags", "-Os", "--lengths", "4:20")
    done = run("vendor", FAST, "--into", tmp_path / "new", *words)
    assert done.status == 0, done
    assert done.out.strip() == str(tmp_path / "new" / FOLDER)
    text = (tmp_path / "new" / FOLDER / "README.md").read_text()
    rows = run("measure", tmp_path / "new", *words, "--format", "json").rows
    assert [row["algorithm"] for row in rows] == ["ascon-aead128"] * 2
    assert "1089 NIST LWC records" in rows[0]["verified"] and rows[0]["verified"] in text
    for row in rows:
        cells = [row[name] for name in ("ad", "m", "cycles", "stack", "flash", "ram")]
        listed = " | ".join(f"{each:,}" for each in cells)
        assert f"| stm32f030 | `-Os` | {row['op']} | {listed} |" in text


def test_a_copy_that_could_not_be_measured_has_no_cost(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    done = run("vendor", "sha-256/small", "--into", tmp_path / "own", "--board", "stm32f030")
    assert done.status == 0
    [line] = done.err.splitlines()
    assert line.startswith("pennyweight: stm32f030: skipped; arm-none-eabi-gcc is not installed")
    assert line.endswith("; the README has no cost for it.")
    text = (Path(done.out.strip()) / "README.md").read_text()
    assert "Not measured:\n\n- stm32f030, " in text and "Measured by" not in text


def test_a_case_that_does_not_fit_leaves_the_costs_of_the_others(
    run: Command, tmp_path: Path
) -> None:
    words = ("--board", "atmega328p", "--lengths", "64,4000")
    done = run("vendor", "sha-256/small", "--into", tmp_path / "own", *words)
    assert done.status == 0 and "has no cost" not in done.err
    text = (Path(done.out.strip()) / "README.md").read_text()
    assert "| atmega328p | `-O2` | hash | 0 | 64 |" in text
    assert "Not measured:\n\n- atmega328p, -O2, hash: does not fit; " in text


def test_the_python_function_gives_the_folder(tmp_path: Path) -> None:
    found = pennyweight.vendor("sha-256/small", tmp_path, boards="none")
    assert found == tmp_path / "crypto_hash" / "sha256" / "small"
    assert "## Cost" not in (found / "README.md").read_text()
    with pytest.raises(UserError, match="boards: at least one is required"):
        pennyweight.vendor("sha-256/fast32", tmp_path, boards=[])


def test_several_copies_share_a_folder(run: Command, tmp_path: Path) -> None:
    for name in (FAST, "sha-256/small"):
        assert run("vendor", name, "--into", tmp_path, "--board", "none").status == 0
    assert len(list(tmp_path.glob("crypto_*/*/*/api.h"))) == 2


def test_the_incremental_api_is_offered_where_asked_for(run: Command, tmp_path: Path) -> None:
    for api, tests in (("one-shot", ["one_shot"]), ("incremental", ["incremental", "one_shot"])):
        words = ("vendor", FAST, "--into", tmp_path / api, "--api", api, "--board", "none")
        assert run(*words).status == 0
        folder = tmp_path / api / FOLDER
        assert sorted(each.stem for each in folder.glob("test/*.c")) == tests
        [copy] = files().find(str(folder))
        assert bool(copy.parts()) is (api == "incremental")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("ascon-aead128/fast23",), "unknown implementation 'ascon-aead128/fast23': did you mean"),
        (("ascon-aead128",), "this is an algorithm; choose one of ascon-aead128/asm, "),
        (("aes-128-ccm/ct32", "--api", "incremental"), "has no incremental API: .* --api one-shot"),
        ((FAST, "--board", "nowhere"), "nowhere"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(
    run: Command, tmp_path: Path, words: tuple[str, ...], reason: str
) -> None:
    done = run("vendor", *words, "--into", tmp_path / "new")
    assert re.search(reason, done.refused())
    assert not (tmp_path / "new").exists()


def test_a_folder_that_is_not_empty_is_refused(run: Command, tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("mine")
    words = ("vendor", FAST, "--into", tmp_path, "--board", "none")
    refused = run(*words).refused()
    assert "not empty (it has 'precious')" in refused and "--force" in refused
    assert [each.name for each in tmp_path.iterdir()] == ["precious"]
    assert run(*words, "--force").status == 0
    assert (tmp_path / "precious").read_text() == "mine"


def test_an_earlier_copy_is_replaced_by_force_only(run: Command, tmp_path: Path) -> None:
    words = ("vendor", FAST, "--into", tmp_path, "--board", "none")
    assert run(*words, "--api", "incremental").status == 0
    folder = tmp_path / FOLDER
    (folder / "api.h").write_text("changed")
    (folder / "notes.txt").write_text("mine")
    assert "not empty" in run(*words).refused()
    assert (folder / "api.h").read_text() == "changed"
    assert run(*words, "--force").status == 0
    assert "CRYPTO_KEYBYTES 16" in (folder / "api.h").read_text()
    assert (folder / "notes.txt").read_text() == "mine"
    assert not (folder / "test" / "incremental.c").exists()


def test_a_copy_that_cannot_be_written_leaves_everything(run: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for into in (tmp_path / "file", tmp_path / "file" / "below"):
        words = ("vendor", FAST, "--into", into, "--board", "none")
        assert "this is a file; give the name of a folder" in run(*words).refused()
    assert (tmp_path / "file").read_text() == "mine"
    target = tmp_path / "copy"
    write({"api.h": "1"}, target)
    with pytest.raises(UserError, match=r"copy: cannot be written \(File name too long\)"):
        write({"api.h": "2", "x" * 300: "2"}, target)
    assert (target / "api.h").read_text() == "1"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["copy", "file"]
