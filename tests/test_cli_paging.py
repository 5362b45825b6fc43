"""Long output on a terminal goes through the pager; all other output is printed directly."""

from __future__ import annotations

import fcntl
import os
import struct
import subprocess
import sys
import termios
from dataclasses import dataclass
from pathlib import Path

import pytest

TALL, SHORT = 400, 10
"""Lines of a terminal that holds the list of boards, and of one that does not."""


@dataclass(frozen=True)
class Shown:
    """What a command showed on a terminal, printed to standard error, and its exit status."""

    terminal: str
    err: str
    status: int


def on_a_terminal(*words: str, lines: int = SHORT, **variables: str) -> Shown:
    """Runs a command whose standard input and output are a terminal with so many lines."""
    own, other = os.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", lines, 80, 0, 0))
    unset = ("PAGER", "PENNYWEIGHT_PAGER", "LESS", "COLUMNS", "LINES")
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    process = subprocess.Popen(
        [sys.executable, "-m", "pennyweight", *words],
        stdin=other,
        stdout=other,
        stderr=subprocess.PIPE,
        text=True,
        env={**environment, "TERM": "xterm", **variables},
    )
    os.close(other)
    seen = b""
    while True:
        try:
            seen += os.read(own, 65536)
        except OSError:  # the other end is closed
            break
    os.close(own)
    _, err = process.communicate(timeout=60)
    return Shown(seen.decode("utf-8").replace("\r\n", "\n"), err, process.returncode)


@pytest.fixture
def pager(tmp_path: Path) -> Path:
    """A pager that writes its input to the file `text` and `LESS` to the file `less`."""
    script = tmp_path / "pager"
    script.write_text(
        f'#!/bin/sh\nprintf %s "$LESS" > {tmp_path}/less\ncat > {tmp_path}/text\necho paged\n',
        encoding="utf-8",
    )
    script.chmod(0o755)
    return script


def test_output_longer_than_the_screen_is_paged(pager: Path) -> None:
    shown = on_a_terminal("boards", PAGER=str(pager))
    assert (shown.terminal, shown.err, shown.status) == ("paged\n", "", 0)
    text = (pager.parent / "text").read_text(encoding="utf-8")
    assert text.startswith("board ") and "\natmega328p " in text
    assert "Hidden columns: " in text
    assert (pager.parent / "less").read_text(encoding="utf-8") == "FRX"


def test_the_variables_of_the_user_come_first(pager: Path) -> None:
    shown = on_a_terminal("boards", PAGER="false", PENNYWEIGHT_PAGER=str(pager), LESS="-S")
    assert shown.terminal == "paged\n"
    assert (pager.parent / "less").read_text(encoding="utf-8") == "-S"


@pytest.mark.parametrize(
    ("words", "lines", "variables"),
    [
        (("boards",), TALL, {}),
        (("boards", "--no-pager"), SHORT, {}),
        (("--no-pager", "boards"), SHORT, {}),
        (("boards",), SHORT, {"PENNYWEIGHT_PAGER": ""}),
        (("boards",), SHORT, {"PENNYWEIGHT_PAGER": "cat"}),
        (("boards",), SHORT, {"PENNYWEIGHT_PAGER": "/no/such/pager"}),
    ],
)
def test_output_is_printed_without_a_pager(
    pager: Path, words: tuple[str, ...], lines: int, variables: dict[str, str]
) -> None:
    shown = on_a_terminal(*words, lines=lines, **{"PAGER": str(pager), **variables})
    assert shown.status == 0 and "\natmega328p " in shown.terminal
    assert not (pager.parent / "text").exists()


def test_a_pipe_is_never_paged(pager: Path) -> None:
    environment = {**os.environ, "PAGER": str(pager), "LINES": str(SHORT)}
    done = subprocess.run(
        [sys.executable, "-m", "pennyweight", "boards"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "\natmega328p " in done.stdout
    assert not (pager.parent / "text").exists()


def test_a_pager_may_quit_early() -> None:
    """Its input is larger than a pipe holds."""
    words = ("algorithms", "--format", "json")
    shown = on_a_terminal(*words, PAGER="head -n 1")
    assert (shown.terminal, shown.err, shown.status) == ("[\n", "", 0)


def test_the_exit_status_is_that_of_the_command(pager: Path, tmp_path: Path) -> None:
    for number in range(SHORT):
        (tmp_path / f"cipher-{number}").mkdir()
        (tmp_path / f"cipher-{number}" / "hash.c").write_text("int x;\n", encoding="utf-8")
    folders = sorted(str(path) for path in tmp_path.glob("cipher-*"))
    shown = on_a_terminal("implementations", *folders, "sha-256", PAGER=str(pager))
    assert shown.status == 1
    assert (pager.parent / "text").exists()


def test_an_invalid_command_is_one_sentence() -> None:
    shown = on_a_terminal("boards", PAGER="less '")
    assert shown.status == 2 and shown.err.count("\n") == 1
    assert shown.err.startswith("pennyweight: PAGER: 'less '' is not a command (No closing quot")
