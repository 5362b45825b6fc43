"""The wheel of the package in a fresh environment, outside of any checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from scripts.wheels.__main__ import main as build_wheels

from pennyweight import cache
from verdicts import Inputs, cached

ROOT = Path(__file__).parent.parent
STAMP = Path(sys.prefix) / "pennyweight-setup.json"
CACHE = cache.folder()
"""The user's, where the setup keeps the simulators' wheel; tests get one of their own later."""


def everything() -> Inputs:
    """Everything that goes into the wheel, the locked dependencies, and the simulators' version."""
    names = (
        "algorithms",
        "boards",
        "cores",
        "firmware",
        "implementations",
        "libraries",
        "published",
    )
    return Inputs(
        [sys.version, json.loads(STAMP.read_text(encoding="utf-8"))["simulator"]],
        files=tuple(
            ROOT / name
            for name in (
                *(*names, "studies", "src", "requirements", "hatch_build.py", "pyproject.toml"),
                *("README.md", "LICENSE", "CHANGELOG.md"),
            )
        ),
    )


@dataclass(frozen=True)
class Installed:
    """An environment with the wheel, and an empty folder to work in."""

    command: Path
    folder: Path

    def run(self, *arguments: str, status: int = 0) -> str:
        """What a command prints; fails the test if its exit status is another."""
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PENNYWEIGHT_", "PYTHON", "VIRTUAL_ENV"))
        }
        environment["PENNYWEIGHT_CACHE"] = str(self.folder.parent / "cache")
        done = subprocess.run(
            [self.command, *arguments],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status, f"{done.stdout}\n{done.stderr}"
        return done.stdout


def locked(name: str) -> Iterator[str]:
    """The versions of a lock file, without hashes, as pip takes them for constraints."""
    for line in (ROOT / "requirements" / name).read_text(encoding="utf-8").splitlines():
        if "==" in line and not line.startswith((" ", "#")):
            yield line.removesuffix(" \\")


def installed_at(place: Path) -> Installed:
    """Builds the wheel and installs it, as a user does, with the simulators' own wheel."""
    dist = place / "dist"
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(dist), "-t", "wheel"]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    subprocess.run([sys.executable, "-m", "venv", place / "env"], check=True)
    key = json.loads(STAMP.read_text(encoding="utf-8"))["simulator"]
    constraints = place / "constraints.txt"
    constraints.write_text("\n".join(locked("build.txt")), encoding="utf-8")
    wheels = [*dist.glob("*.whl"), *(CACHE / "wheels" / key).glob("*.whl")]
    pip = [place / "env" / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "-q"]
    command = [*pip, "install", "--constraint", constraints, *wheels]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    folder = place / "empty"
    folder.mkdir()
    return Installed(place / "env" / "bin" / "pennyweight", folder)


@cached("wheels", everything)
def test_a_wheel_measures_verifies_and_reports_without_a_checkout(tmp_path: Path) -> None:
    here = installed_at(tmp_path)
    assert "avr-gcc" in here.run("doctor")
    measure = ("measure", "ascon-aead128/fast32", "--flags=-Os", "--verify", "quick")
    asked = (*measure, "--board", "atmega328p,stm32f030", "--format", "json")
    rows = json.loads(here.run(*asked))
    own = subprocess.run(
        [Path(sys.executable).parent / "pennyweight", *asked],
        capture_output=True,
        text=True,
        check=True,
    )
    cycles = [row["cycles"] for row in json.loads(own.stdout)]
    assert [row["cycles"] for row in rows] == cycles
    assert all(cycles)
    assert "ok" in here.run("verify", "sha-256/small", "--board", "atmega328p").casefold()
    run = ("run", "--study", "one-euro", "--quick", "--results", "results", "--report", "report")
    index = here.folder / "report" / "index.html"
    assert here.run(*run).strip() == str(index)
    assert "study-one-euro" in index.read_text(encoding="utf-8")


def test_the_wheel_has_all_data_and_only_tracked_files(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(tmp_path), "-t", "wheel"]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        inside = {
            name.removeprefix("pennyweight/data/")
            for name in archive.namelist()
            if name.startswith("pennyweight/data/")
        }
    listed = subprocess.run(
        ["git", "ls-files", "-z", *sorted({name.partition("/")[0] for name in inside})],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    tracked = {name for name in listed.split("\0") if name}
    assert inside == tracked
    assert {"boards", "cores", "implementations", "firmware"} <= {
        n.partition("/")[0] for n in inside
    }


def test_an_unknown_processor_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build_wheels(["sparc", "--into", str(tmp_path)]) == 1
    message = capsys.readouterr().err
    assert "no wheel is built for 'sparc': choose from x86_64, aarch64" in message
    assert message.count("\n") == 1
    assert not list(tmp_path.iterdir())
