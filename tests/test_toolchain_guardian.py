"""Compilers end with the process that runs them, however that ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pennyweight.toolchains.command import run, search_path
from pennyweight.toolchains.watchdog import watchdog

SOON = 20.0

COMPILER = "sleep 60 & echo $$ $! >$0.new; mv $0.new $0; wait"
"""A compiler and what it starts: both numbers are in the file that is named."""


def is_running(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("before", ["", "if os.fork() == 0: time.sleep(20)"])
def test_what_a_killed_process_was_compiling_is_ended(tmp_path: Path, before: str) -> None:
    marker = tmp_path / "numbers"
    script = (
        f"import os, sys, time\nsys.path = {sys.path!r}\nfrom pathlib import Path\n"
        "from pennyweight.toolchains.command import run\n"
        f"run(['true'], cwd=Path('/'))\n{before}\n"
        f"run(['sh', '-c', {COMPILER!r}, {str(marker)!r}], cwd=Path({str(tmp_path)!r}))\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], start_new_session=True) as process:
        deadline = time.monotonic() + SOON
        while not marker.exists():
            assert time.monotonic() < deadline and process.poll() is None
            time.sleep(0.02)
        numbers = [int(word) for word in marker.read_text().split()]
        assert all(is_running(number) for number in numbers)
        process.kill()
        process.wait()
        deadline = time.monotonic() + 2.0
        while any(is_running(number) for number in numbers):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGKILL) if before else None


def test_a_guardian_that_was_killed_is_replaced() -> None:
    here = Path("/")
    assert run(["true"], cwd=here).ok
    first = watchdog._process
    os.kill(first, signal.SIGKILL)
    os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
    assert run(["echo", "done"], cwd=here).output == "done\n"
    assert watchdog._process != first and is_running(watchdog._process)


def test_a_compiler_has_no_input_and_does_not_hold_the_pipe() -> None:
    held = run(["sh", "-c", "cat; ls -l /proc/self/fd"], cwd=Path("/")).output
    assert "/dev/null" in held and "pipe" in held
    assert held.count("pipe:") == 2  # its output and its messages


def test_programs_are_not_looked_for_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "as").write_text("#!/bin/sh\necho a package runs\n")
    (tmp_path / "as").chmod(0o755)
    monkeypatch.setenv("PATH", f":.:{os.defpath}:relative")
    assert search_path() == os.defpath
    assert "a package" not in run(["sh", "-c", "as --version"], cwd=tmp_path).output
