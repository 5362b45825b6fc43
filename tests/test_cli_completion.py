"""Completion in shells: the scripts, and what the program offers for words."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from cli_runs import Command, runner
from pennyweight.catalogue import load
from pennyweight.cli.commands.completion import VARIABLE
from pennyweight.cli.group import program
from pennyweight.model import UserError
from pennyweight.studies import study_names

PROGRAM = Path(sys.executable).parent


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


def offered(*words: str) -> list[str]:
    """What is offered for the last of the words, after `pennyweight`."""
    complete = ShellComplete(program, {}, "pennyweight", VARIABLE)
    found = complete.get_completions(list(words[:-1]), words[-1])
    return [each.value if each.type == "plain" else f"<{each.type}>" for each in found]


def test_commands_are_offered() -> None:
    assert offered("me") == ["measure"]


def test_boards_are_offered_one_after_the_other() -> None:
    assert offered("measure", "--board", "fe3") == ["fe310-g002"]
    assert offered("measure", "--board", "esp32,fe3") == ["esp32,fe310-g002"]
    assert set(offered("measure", "--board", "")) == set(load().boards)


def test_algorithms_are_offered_then_their_implementations() -> None:
    assert "ascon-aead128" in offered("measure", "asc")
    names = {each.id for each in load().implementations if each.algorithm == "ascon-aead128"}
    assert set(offered("measure", "ascon-aead128/")) == names


def test_files_are_offered_for_what_is_not_bundled() -> None:
    assert offered("measure", "./my-c") == ["<file>"]
    assert offered("choose", "--board", "mine") == ["<file>"]


def test_compilers_are_offered() -> None:
    assert offered("toolchain", "install", "m") == ["msp430", "mips"]
    assert offered("toolchain", "install", "avr", "c") == ["clang"]
    assert offered("measure", "--compiler", "") == ["gcc", "clang"]
    assert offered("measure", "--compiler", "gcc,") == ["gcc,clang"]
    assert offered("measure", "--compiler", "/opt") == ["<file>"]


def test_statuses_are_offered() -> None:
    assert offered("choose", "--status", "standard,r") == ["standard,round-2"]


def test_published_figures_are_offered() -> None:
    assert "published:one-euro" in offered("compare", "pub")
    assert offered("compare", "results", "published:one") == ["published:one-euro"]
    assert offered("compare", "results-") == ["<file>"]


def test_an_error_offers_files(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise UserError("a damaged board file")

    monkeypatch.setattr("pennyweight.catalogue.load", fail)
    assert offered("measure", "--board", "fe3") == ["<file>"]


def test_studies_are_offered() -> None:
    assert set(offered("run", "--study", "")) == set(study_names())


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script(run: Command, shell: str) -> None:
    done = run("completion", shell)
    assert done.status == 0
    assert VARIABLE in done.out and "pennyweight" in done.out


def test_an_unknown_shell_is_refused(run: Command) -> None:
    assert "'tcsh' is not one of" in run("completion", "tcsh").refused()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["measure", "--board", "fe3"], "fe310-g002"),
        (["measure", "--board", "=", "fe3"], "fe310-g002"),
        (["measure", "--board", "esp32,fe3"], "esp32,fe310-g002"),
        (["compare", "published", ":", "one"], "one-euro"),
        (["compare", "published", ":"], "one-euro"),
    ],
)
def test_bash_completes_with_the_script(words: list[str], expected: str, tmp_path: Path) -> None:
    """The script in a real bash, which splits words at equals signs and colons."""
    bash = shutil.which("bash")
    assert bash is not None
    text = (
        'eval "$(pennyweight completion bash)"\n'
        f"COMP_WORDS=(pennyweight {' '.join(words)}); COMP_CWORD={len(words)}\n"
        "_pennyweight_completion pennyweight\n"
        'echo "${COMPREPLY[@]}"\n'
    )
    done = subprocess.run(
        [bash, "-c", text],
        env={"PATH": f"{PROGRAM}:/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert expected in done.stdout.split()


def fish(typed: str, home: Path) -> list[str]:
    """What a real fish offers for a half-typed command line."""
    text = f'pennyweight completion fish | source; complete -C "pennyweight {typed}"'
    done = subprocess.run(
        ["fish", "--no-config", "-c", text],
        env={"PATH": f"{PROGRAM}:/usr/bin:/bin", "HOME": str(home)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("measure --board fe3", "fe310-g002"),
        ("measure --board=fe3", "--board=fe310-g002"),
        ("measure --board esp32,fe3", "esp32,fe310-g002"),
        ("algo", "algorithms\tList the algorithms."),
        ("compare published:one", "published:one-euro"),
    ],
)
def test_fish_completes_with_the_script(typed: str, expected: str, tmp_path: Path) -> None:
    assert fish(typed, tmp_path) == [expected]


def test_fish_keeps_descriptions_with_commas(tmp_path: Path) -> None:
    [option] = fish("measure --comp", tmp_path)
    assert "gcc-12, clang" in option


def test_zsh_completes_with_the_script(tmp_path: Path) -> None:
    """In an interactive zsh, because its completion works in its line editor only."""
    own, other = os.openpty()
    process = subprocess.Popen(
        ["zsh", "-f", "-i"],
        stdin=other,
        stdout=other,
        stderr=other,
        start_new_session=True,
        env={"PATH": f"{PROGRAM}:/usr/bin:/bin", "HOME": str(tmp_path), "TERM": "dumb"},
    )
    os.close(other)
    seen = ""

    def wait_for(text: str, what: bytes) -> None:
        nonlocal seen
        os.write(own, what)
        until = time.monotonic() + 60
        while text not in seen:
            assert time.monotonic() < until, seen
            if select.select([own], [], [], 1)[0]:
                seen += os.read(own, 4096).decode(errors="replace")

    try:
        load = b'autoload -Uz compinit; compinit -u; eval "$(pennyweight completion zsh)"'
        wait_for("loaded 1", load + b"; echo loaded $((0+1))\n")
        wait_for("--board fe310-g002", b"pennyweight measure --board fe3\t")
        wait_for("--board=fe310-g002", b"\x15pennyweight measure --board=fe3\t")
    finally:
        process.kill()
        process.wait()
        os.close(own)
