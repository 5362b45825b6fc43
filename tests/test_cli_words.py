"""The command line's lists, help and refusals."""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
import subprocess
import sys
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import get_type_hints

import pytest

import pennyweight
from cli_runs import Command, runner
from packages_for_tests import PACKAGES
from pennyweight.cli import group
from pennyweight.cli.output import KEEP, Column, print_csv, print_json, print_table
from pennyweight.studies import study_names


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


WORDS = (
    "doctor",
    "completion",
    *("boards", "algorithms", "implementations", "verify", "measure", "time"),
    *(
        "run",
        "status",
        "report",
        "compare",
        "choose",
        "accuracy",
        "calibrate",
        "gc",
        "vendor",
        "watch",
        "tune",
        "toolchain",
        "export",
        "import",
        "coverage",
        "devices",
        "profile",
        "constant-time",
        "leakage",
    ),
)
LISTS = ("boards", "algorithms", "implementations")


def test_the_version_is_that_of_the_package(run: Command) -> None:
    assert run("--version").out == f"pennyweight {pennyweight.__version__}\n"
    project = Path(__file__).parent.parent / "pyproject.toml"
    assert f'version = "{pennyweight.__version__}"' in project.read_text(encoding="utf-8")


def test_help_lists_every_command_and_each_has_examples(run: Command) -> None:
    overview = run("--help")
    assert overview.status == 0
    for word in WORDS:
        assert re.search(rf"^  {word} ", overview.out, re.MULTILINE)
        detail = run(word, "--help")
        assert detail.status == 0
        assert f"\nExamples:\n  pennyweight {word}" in detail.out
        assert max(len(line) for line in detail.out.splitlines()) <= 90


def test_every_command_module_is_a_command(run: Command) -> None:
    folder = Path(group.__file__).parent / "commands"
    assert {p.stem for p in folder.glob("*.py")} - {"__init__"} == set(map(group.module_of, WORDS))
    for word in WORDS:
        module = import_module(f"pennyweight.cli.commands.{group.module_of(word)}")
        assert module.command.name == word


@pytest.mark.parametrize("word", ["run", "status"])
def test_help_lists_every_bundled_study(run: Command, word: str) -> None:
    text = "".join(run(word, "--help").out.split())
    listed = re.search(r"Study:(.*?),orthepathofaTOMLfile", text)
    assert listed is not None
    assert listed[1].split(",") == study_names()


def test_every_command_for_real_boards_takes_a_request() -> None:
    taking = []
    for word in WORDS:
        command = import_module(f"pennyweight.cli.commands.{group.module_of(word)}").command
        if any("--on" in each.opts for each in command.params):
            taking.append(word)
            kind = get_type_hints(command.callback)["request"]
            defined = {each.name for each in fields(kind) if "option" in each.metadata}
            assert defined <= {each.name for each in command.params}
    assert {"measure", "verify", "run", "accuracy", "calibrate"} <= set(taking)


def test_without_a_command_the_help_is_an_error(run: Command) -> None:
    bare = run()
    assert bare.status == 2 and bare.out == ""
    assert "Commands:" in bare.err


@pytest.mark.parametrize("word", LISTS)
def test_lists_have_the_same_rows_in_all_formats(run: Command, word: str) -> None:
    rows = run(word, "--format", "json").rows
    assert rows
    table = list(csv.DictReader(io.StringIO(run(word, "--format", "csv").out)))
    assert [list(row) for row in table] == [list(row) for row in rows]
    lines = run(word).out.splitlines()
    assert len(lines) >= len(rows) + 2
    assert max(len(line) for line in lines) <= 80


@pytest.mark.parametrize("columns", [20, 60, 80, 120, 200])
@pytest.mark.parametrize("word", LISTS)
def test_tables_fit_and_names_stay_whole(
    run: Command, monkeypatch: pytest.MonkeyPatch, word: str, columns: int
) -> None:
    names = {row[word[:-1]] for row in run(word, "--format", "json").rows}
    monkeypatch.setenv("COLUMNS", str(columns))
    table = run(word)
    lines = table.out.splitlines()
    if columns > 20:
        assert max(map(len, lines)) <= columns
        assert {line.split()[0] for line in lines[2:] if line.strip()} >= names
    else:
        assert "Hidden columns: " in " ".join(table.err.split())
    assert max(map(len, table.err.splitlines()), default=0) <= columns
    if columns >= 120:
        assert table.err == ""


def test_a_size_that_a_kind_does_not_have_is_a_dash(run: Command) -> None:
    [row] = [line for line in run("algorithms").out.splitlines() if line.startswith("sha-256 ")]
    assert row.split()[2:5] == ["-", "-", "32"]


def test_what_authors_show_is_shown(run: Command) -> None:
    [row] = run("implementations", "sha-512/fast8", "--format", "json").rows
    assert row["meant_for"] == "avr" and "Rotations by whole bytes are free" in row["remarks"]


def test_a_full_disk_is_reported() -> None:
    command = [sys.executable, "-m", "pennyweight", "algorithms"]
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 1
    assert result.stderr == "pennyweight: No space left on device: free some space and run again.\n"


def test_a_wide_terminal_shows_more(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    wide = run("algorithms")
    heading = wide.out.splitlines()[0].split()
    assert heading[-4:] == ["family", "primary", "year", "specification"]
    assert "FIPS 180-4" in wide.out and max(map(len, wide.out.splitlines())) <= 200
    monkeypatch.setenv("COLUMNS", "80")
    usual = run("algorithms")
    assert "specification" not in usual.out and "specification" not in usual.err


def test_boards_are_named_by_their_part(run: Command) -> None:
    rows = {row["board"]: row for row in run("boards", "--format", "json").rows}
    assert {"atmega328p", "stm32f030"} <= set(rows)
    assert rows["stm32f030"]["clock_hz"] == 8_000_000
    assert rows["atmega328p"]["flash"] == 32768 and rows["atmega328p"]["ram"] == 2048


def test_algorithms_have_official_names_in_lower_case(run: Command) -> None:
    rows = {row["algorithm"]: row for row in run("algorithms", "--format", "json").rows}
    five = {"chacha20-poly1305", "aes-128-gcm", "ascon-aead128", "ascon-hash256", "sha-256"}
    assert five <= set(rows)
    assert rows["ascon-aead128"]["kind"] == "aead" and rows["ascon-aead128"]["tag"] == 16
    assert all(rows[name]["known_answers"] > 0 and rows[name]["implementations"] for name in five)
    assert rows["ascon-128"]["primary"] and not rows["ascon-128a"]["primary"]
    assert "ascon128v12" in rows["ascon-128"]["aliases"].split()
    [digest] = [len(each) for each in rows["gift-cofb"]["known_answers_sha256"].split()]
    assert digest == 64 and rows["gift-cofb"]["version"] == "1.1"


def test_algorithms_can_be_chosen_by_name_family_pattern_or_status(run: Command) -> None:
    def chosen(*words: str) -> list[str]:
        rows = run("algorithms", *words, "--format", "json").rows
        return [row["algorithm"] for row in rows]

    assert chosen("ascon128v12", "sha-256", "SHA-256") == ["ascon-128", "sha-256"]
    finalists = chosen("ascon", "--status", "finalist")
    assert "ascon-80pq" in finalists and "ascon-aead128" not in finalists
    assert chosen("knot256v1") == ["knot-aead-256-512", "knot-hash-256-256"]
    assert chosen("aes-???-gmac") == ["aes-128-gmac", "aes-192-gmac", "aes-256-gmac"]
    assert "mixfeed" in chosen("--status", "broken")
    assert {"mixfeed", "orange-zest", "hyena-v1", "ace-ae-128"} < set(chosen("--status", "round 2"))
    assert "did you mean aes-128-gcm" in run("algorithms", "aes-128-gcn").refused()
    assert "mixfeed" in chosen("--status", "Broken")
    assert chosen("--status", "round-2") == chosen("--status", "round 2")
    assert "known are broken, " in run("algorithms", "--status", "brokn").refused()
    output = run("algorithms", "ascon-128", "--status", "standard").refused()
    assert "none of the selected algorithms has this status; use finalist" in output
    assert chosen("sparkle", "--kind", "hash") == ["esch256", "esch384"]
    macs = chosen("--kind", "auth")
    assert {"kmac128", "siphash-2-4-64"} < set(macs) and "ascon-aead128" not in macs
    output = run("algorithms", "kmac128", "--kind", "hash").refused()
    assert "--kind hash: none of the selected algorithms is of this kind; use auth" in output


def test_one_algorithm_is_reported_at_length(run: Command) -> None:
    output = " ".join(run("algorithms", "mixfeed").out.split())
    assert (
        "status: broken (round 2), primary member of its kind best known attack: Forgery that "
    ) in output
    assert "Khairallah" in output and "implementations: ct32, ct8, " in output
    assert "specification: B. Chakraborty, M. Nandi, mixFeed" in output and "(2019)" in output
    assert "known answers: LWC_AEAD_KAT_128_120.txt, 1,089 records SHA-256 4891eb9d68c6" in output
    assert "also called: aes-gcm, " in run("algorithms", "aes-128-gcm").out


def test_notes_are_printed_below_the_requested_algorithms(run: Command) -> None:
    some = run("algorithms", "--status", "broken").out
    assert "\nmixfeed: Broken: Forgery that succeeds with " in some and "SHA-256" not in some
    assert "Broken: " not in run("algorithms").out


def test_a_nonce_is_not_the_key_of_a_mac(run: Command) -> None:
    [row] = run("algorithms", "aes-128-gmac", "--format", "json").rows
    assert (row["key"], row["nonce"], row["tag"]) == (16, 12, 16)
    [line] = [x for x in run("algorithms", "aes-*-gmac").out.splitlines() if "aes-128-gmac " in x]
    assert line.split()[:6] == ["aes-128-gmac", "auth", "16", "12", "16", "standard"]


def test_unusable_implementations_are_reported_next_to_the_others(
    run: Command, tmp_path: Path
) -> None:
    shutil.copytree(PACKAGES / "crypto_aead" / "toy", tmp_path / "crypto_aead" / "toy")
    (tmp_path / "crypto_aead" / "toy" / "ref" / "implementation.toml").write_text("word_bits = 7\n")
    for form in ("table", "json", "csv"):
        done = run("implementations", tmp_path, "sha-256", "--format", form)
        assert done.status == 1
        assert "implementation.toml: field 'word_bits'" in done.err and "Traceback" not in done.err
        assert "sha-256/small" in done.out


def test_implementations_can_be_chosen_by_name_pattern_or_path(run: Command) -> None:
    def chosen(*names: object) -> set[str]:
        rows = run("implementations", *names, "--format", "json").rows
        return {row["implementation"] for row in rows}

    everything = chosen()
    gcm = chosen("aes-*-gcm")
    assert gcm < everything and all(name.startswith("aes-") for name in gcm)
    assert chosen("sha-256") == {name for name in everything if name.startswith("sha-256/")}
    one = min(gcm)
    assert chosen(one) == {one}
    assert chosen(PACKAGES / "crypto_aead" / "toy" / "ref") == {"toy/ref"}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["boads"], "unknown command 'boads': did you mean boards?"),
        (["frobnicate"], "unknown command 'frobnicate': use one of boards, algorithms"),
        (["boards", "--format", "xml"], "'xml' is not one of"),
        (["boards", "extra"], "unexpected extra argument"),
        (["boards", "--fromat", "json"], "No such option"),
        (["measure"], "Missing argument 'PATH_OR_NAME...'"),
        (["measure", "sha-256"], "Missing option '--board'"),
        (["measure", "sha-265", "--board", "stm32f030"], "did you mean sha-256"),
        (["measure", "sha-256", "--board", "stm32f03"], "unknown board 'stm32f03': did you mean"),
        (["measure", "sha-256", "--board", "stm32f030,"], "empty name between two commas"),
        (["measure", "sha-256", "--board", "no.toml"], "no.toml: there is no such file"),
        (
            ["measure", "sha-256", "--board", "stm32f030", "--flags", "-Obest"],
            "'-Obest' is not an opt",
        ),
        (["measure", "sha-256", "--board", "stm32f030", "--lengths", "6.4"], "'6.4' is not a"),
        (["measure", "sha-256", "--board", "stm32f030", "--op", "enc"], "has no operation enc"),
        (
            ["measure", "sha-256", "--board", "stm32f030", "--op", "sign"],
            "'sign' is not an operation; use",
        ),
        (["measure", "sha-256", "--board", "stm32f030", "--budget", "0"], "0 is less than 1"),
        (["measure", "sha-256", "--board", "stm32f030", "--jobs", "-1"], "-1 is less than 1"),
        (["verify", "sha-265"], "did you mean sha-256"),
        (["run", "everything"], "select a study with --study everything"),
        (["run", "nostudy"], "--study NAME, one of ao-ae, "),
        (["run", "--study", "defalt"], "unknown study 'defalt': did you mean default"),
        (["report", "--results", "/nowhere/at/all"], "no results in this folder"),
    ],
)
def test_a_mistake_is_refused_with_one_sentence(
    run: Command, words: list[str], sentence: str
) -> None:
    output = run(*words).refused()
    assert sentence.casefold() in output.casefold()


def test_a_fault_of_pennyweight_is_one_sentence_unless_debugged(
    run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> None:
        raise ZeroDivisionError("division\nby zero")

    monkeypatch.setattr("pennyweight.api.listing.board_rows", broken)
    plain = run("boards")
    assert plain.status == 1 and plain.out == ""
    assert plain.err == (
        "pennyweight: unexpected ZeroDivisionError: division by zero; this is a bug in "
        "Pennyweight: please report it with the output of --debug.\n"
    )
    from pennyweight.cli import main

    with pytest.raises(ZeroDivisionError):
        main(["boards", "--debug"])


def test_an_interruption_prints_no_traceback(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pennyweight.api.listing.board_rows", interrupted)
    stopped = run("boards")
    assert (stopped.status, stopped.err.strip()) == (130, "pennyweight: interrupted.")


def test_a_closed_pipe_is_not_an_error() -> None:
    command = f"{sys.executable} -m pennyweight implementations --format json | head -c 1"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False
    )
    assert done.stdout == "[" and done.stderr == ""


def test_lists_start_without_the_heavy_libraries() -> None:
    """What takes the time at start-up; time itself depends on the machine."""
    script = (
        "import sys\n"
        "from pennyweight.cli import main\n"
        "try:\n"
        "    main(['boards'])\n"
        "except SystemExit:\n"
        "    heavy = {'pyarrow', 'duckdb', 'jinja2', 'rich', 'vl_convert'}\n"
        "    print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_tables_break_texts_and_never_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    rows: list[dict[str, object]] = [
        {"name": "short", "size": 1234567, "why": "because " * 12, "known": True},
        {"name": "x", "size": None, "why": "", "known": None},
    ]
    columns = [
        Column("name", "name"),
        Column("size", "bytes"),
        Column("why", "why"),
        Column("known", "known"),
    ]
    print_table(rows, columns)
    lines = capsys.readouterr().out.splitlines()
    assert max(len(line) for line in lines) <= 80
    assert lines[0].split() == ["name", "bytes", "why", "known"]
    assert "short  1,234,567  because because" in lines[2] and lines[2].endswith("yes")
    assert lines[-1].split() == ["x", "-", "-"]


def test_names_are_broken_where_nothing_else_is_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a slash if that suffices; a `KEEP` is not a place to break a line at."""
    rows = [
        {"name": "ascon-aead128/fast32", "case": f"enc{KEEP}16:64", "size": 1234567},
        {"name": "/usr/lib/a/b", "case": "build", "size": 1},
    ]
    columns = [Column("name", "name"), Column("case", "case"), Column("size", "bytes", rank=1)]

    def lines(width: int) -> list[str]:
        monkeypatch.setenv("COLUMNS", str(width))
        print_table(rows, columns)
        return capsys.readouterr().out.splitlines()[2:]

    assert lines(60)[0].split() == ["ascon-aead128/fast32", "enc", "16:64", "1,234,567"]
    assert lines(31) == ["ascon-aead128/fast32  enc 16:64", "/usr/lib/a/b          build"]
    assert [line.split()[0] for line in lines(25)] == ["ascon-aead128/", "fast32", "/usr/lib/a/b"]
    assert max(map(len, lines(20))) <= 20


def test_rows_are_grouped_below_headings(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"board": board, "m": m} for board in ("a", "b") for m in (1, 2)]
    print_table(rows, [Column("m", "message")], heading=lambda row: str(row["board"]))
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert lines == ["message", "-------", "a:", "1", "2", "b:", "1", "2"]


def test_no_rows_are_still_a_document(capsys: pytest.CaptureFixture[str]) -> None:
    print_json([])
    assert capsys.readouterr().out == "[]\n"
    print_csv([])
    assert capsys.readouterr().out == ""


def test_an_unknown_engine_is_one_sentence(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    engines = ("interpreter", "translator", "auto")
    message = "'turbo' is not one of 'interpreter', 'translator', 'auto'"
    words = ("measure", "sha-256/small", "--board", "fe310-g002")
    assert message in run(*words, "--engine", "turbo").refused()
    assert "Option '--engine' requires an argument" in run(*words, "--engine").refused()
    for name in engines:
        monkeypatch.setenv("PENNYWEIGHT_ENGINE", name)
        assert run("boards").status == 0
    monkeypatch.setenv("PENNYWEIGHT_ENGINE", "turbo")
    refused = run(*words).refused()
    assert message in refused and "PENNYWEIGHT_ENGINE" in refused


@pytest.mark.parametrize(
    "words",
    [
        ("--engine", "auto", "boards"),
        ("boards", "--engine=auto"),
        ("boards", "--engine=interpreter", "--engine", "auto"),
        ("boards",),
    ],
)
def test_the_engine_may_be_given_anywhere(
    run: Command, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setenv("PENNYWEIGHT_ENGINE", "translator")
    assert run(*words).status == 0
    expected = "auto" if len(words) > 1 else "translator"
    assert os.environ["PENNYWEIGHT_ENGINE"] == expected


def test_words_behind_two_dashes_are_no_options(run: Command) -> None:
    words = ("time", "--board", "atmega328p", "--function", "f", "--", "--engine")
    printed = run(*words).refused()
    assert "--engine" in printed and "requires an argument" not in printed


def test_a_folder_that_was_deleted_is_one_sentence(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    done = run("status")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(
        "pennyweight: the current folder was deleted: change to another folder"
    )
