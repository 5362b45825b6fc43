"""`make bench-implementations`: the ratios of ours and of theirs, and what is no clone."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODULE = "scripts.bench_implementations"


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command in `folder`, where it keeps its results."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "src"), *filter(None, sys.path)])
    return subprocess.run(
        [sys.executable, "-m", MODULE, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def package(into: Path, name: str) -> None:
    """One of our hashes as somebody else's folder: all of its files side by side, no manifest, and
    nothing but C.
    """
    ours = ROOT / "implementations" / "crypto_hash" / "sha-256" / name
    manifest = tomllib.loads((ours / "implementation.toml").read_text())
    into.mkdir(parents=True)
    for source in manifest["sources"]:
        shutil.copy(ours / source, into)
    for folder in manifest["include"]:
        for header in (ours / folder).glob("*.h"):
            text = header.read_text().replace("defined(__AVR__)", "0")
            (into / header.name).write_text(re.sub(r"__asm__.*", "", text))


def test_ratios_are_those_of_the_best_of_either_side(tmp_path: Path) -> None:
    folder = tmp_path / "clone" / "implementations" / "_reference_" / "crypto_hash" / "sha256"
    package(folder / "theirs", "fast32")
    ours = ("--boards", "atmega328p", "--flags", "-O2", "--algorithms", "sha-256")
    done = run(tmp_path, "clone", *ours)

    assert done.returncode == 0, done.stderr
    [line] = [x for x in done.stdout.splitlines() if x.startswith("sha-256")]
    found = re.findall(r"(\d\.\d\d)([ !])(\d+) (\S+) / (\d+) theirs", line)
    assert [name for *_, name, _ in found] == ["fast32", "fast32", "small"]
    for ratio, mark, mine, _, other in found:
        assert (f"{int(mine) / int(other):.2f}", mark) == (ratio, " ")
    assert "0 ratios above 1.10" in done.stdout

    shutil.rmtree(folder)
    package(folder / "assembly", "fast32")
    (folder / "assembly" / "order.c").write_text('void f(void) { __asm__ volatile(""); }\n')
    done = run(tmp_path, "clone", *ours)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--algorithms sha-256: none that both sides have" in done.stderr


def test_a_folder_that_is_no_clone_is_told(tmp_path: Path) -> None:
    done = run(tmp_path, str(tmp_path))

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "give the path of a clone of usnistgov" in done.stderr
