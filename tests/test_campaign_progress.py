"""The progress bar: on a terminal, after a second, and gone at the end."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time

import pytest

from pennyweight.progress import Lines

SCRIPT = """
import sys, time
from pennyweight.progress import Bar, wants_bar
if not wants_bar():
    sys.exit("no terminal")
with Bar("Testing") as bar:
    bar.start(3)
    bar.working_on("a job with [brackets] and a long name " * 4)
    bar.step()
    time.sleep(float(sys.argv[1]))
    bar.step()
print("done")
"""


def on_a_terminal(seconds: float, columns: int = 80) -> tuple[str, str]:
    """What the script prints on standard output, and on a terminal that wide."""
    own, other = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(seconds)],
        stdout=subprocess.PIPE,
        stderr=other,
        text=True,
        env={**os.environ, "COLUMNS": str(columns), "TERM": "xterm"},
    )
    os.close(other)
    seen = b""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            part = os.read(own, 4096)
        except OSError:  # the other end is closed
            break
        seen += part
    os.close(own)
    out, _ = process.communicate(timeout=10)
    assert process.returncode == 0
    return out, seen.decode("utf-8")


@pytest.mark.parametrize("columns", [80, 60])
def test_a_long_run_shows_how_far_it_is_and_how_fast(columns: int) -> None:
    out, seen = on_a_terminal(2.0, columns)
    assert out == "done\n"
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen)
    lines = re.split(r"[\r\n]+", plain)
    shown = [line for line in lines if "Testing" in line]
    assert all(len(line) <= columns for line in lines)
    assert any(re.search(r" 1/3  \d+(\.\d)?/min  0:0\d left", line) for line in shown), lines
    assert all("Testing" in line for line in lines if line.strip())
    assert columns < 80 or "a job with [" in plain


def test_a_log_has_a_line_a_minute_at_most(capsys: pytest.CaptureFixture[str]) -> None:
    now = [0.0]
    lines = Lines(lambda: now[0])
    lines.start(300)
    for _ in range(90):
        now[0] += 2.0
        lines.step()
    assert capsys.readouterr().err.splitlines() == [
        "pennyweight: 30/300 jobs, 30 a minute, 9 minutes left",
        "pennyweight: 60/300 jobs, 30 a minute, 8 minutes left",
        "pennyweight: 90/300 jobs, 30 a minute, 7 minutes left",
    ]


def test_a_short_run_shows_nothing() -> None:
    out, seen = on_a_terminal(0.0)
    assert out == "done\n" and "Testing" not in seen


@pytest.mark.parametrize("stream", [subprocess.DEVNULL, subprocess.PIPE])
def test_a_pipe_gets_no_progress_bar(stream: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, "0"], stderr=stream, stdout=subprocess.PIPE, check=False
    )
    assert done.returncode == 1 and done.stdout == b""
