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


def test_studies_are_offered() -> None:
    assert set(offered("run", "--study", "")) == set(study_names())


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script(run: Command, shell: str) -> None:
    done = run("completion", shell)
    assert done.status == 0
    assert VARIABLE in done.out and "pennyweight" in done.out


def test_an_unknown_shell_is_refused(run: Command) -> None:
    assert "'tcsh' is not one of" in run("completion", "tcsh").refused()


def test_bash_completes_with_the_script(tmp_path: Path) -> None:
    """The script in a real bash: what it offers for a half-typed board."""
    bash = shutil.which("bash")
    assert bash is not None
    text = (
        'eval "$(pennyweight completion bash)"\n'
        "COMP_WORDS=(pennyweight measure --board fe3); COMP_CWORD=3\n"
        "_pennyweight_completion pennyweight fe3 --board\n"
        'echo "${COMPREPLY[@]}"\n'
    )
    done = subprocess.run(
        [bash, "-c", text],
        env={"PATH": f"{PROGRAM}:/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "fe310-g002"


def test_fish_completes_with_the_script(tmp_path: Path) -> None:
    text = 'pennyweight completion fish | source; complete -C "pennyweight measure --board fe3"'
    done = subprocess.run(
        ["fish", "--no-config", "-c", text],
        env={"PATH": f"{PROGRAM}:/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["fe310-g002"]


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
    finally:
        process.kill()
        process.wait()
        os.close(own)
