"""The progress bar: on a terminal, after a second, and gone at the end."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time

import pytest

SCRIPT = """
import sys, time
from pennyweight.campaign.progress import Bar, wants_bar
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


def on_a_terminal(seconds: float) -> tuple[str, str]:
    """What the script prints on standard output, and on a terminal of 80 columns."""
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(seconds)],
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        env={**os.environ, "COLUMNS": "80", "TERM": "xterm"},
    )
    os.close(theirs)
    seen = b""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            part = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        seen += part
    os.close(ours)
    out, _ = process.communicate(timeout=10)
    assert process.returncode == 0
    return out, seen.decode("utf-8")


def test_a_long_run_shows_how_far_it_is() -> None:
    out, seen = on_a_terminal(2.0)
    assert out == "done\n"
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen)
    assert "Testing" in plain and "1/3" in plain and "a job with [brackets]" in plain
    assert all(len(line) <= 80 for line in re.split(r"[\r\n]+", plain))


def test_a_short_run_shows_nothing() -> None:
    out, seen = on_a_terminal(0.0)
    assert out == "done\n" and "Testing" not in seen


@pytest.mark.parametrize("stream", [subprocess.DEVNULL, subprocess.PIPE])
def test_nobody_looks_at_a_pipe(stream: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, "0"], stderr=stream, stdout=subprocess.PIPE, check=False
    )
    assert done.returncode == 1 and done.stdout == b""
