"""The wheel of the package in a fresh environment, outside of any checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hatch_build import data_folders
from scripts.wheels.__main__ import main as build_wheels

from pennyweight import cache
from pennyweight.catalogue import overlay
from verdicts import Inputs, cached

ROOT = Path(__file__).parent.parent
STAMP = Path(sys.prefix) / "pennyweight-setup.json"
CACHE = cache.folder()
"""The user's, where the setup keeps the simulators' wheel; tests get one of their own later."""


def everything() -> Inputs:
    """Everything that goes into the wheel, the locked dependencies, and the simulators' version."""
    return Inputs(
        [sys.version, json.loads(STAMP.read_text(encoding="utf-8"))["simulator"]],
        files=tuple(
            ROOT / name
            for name in (
                *data_folders(ROOT),
                *("src", "requirements", "hatch_build.py", "pyproject.toml"),
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


def build(kind: str, project: Path, into: Path) -> Path:
    """Builds a distribution, ``wheel`` or ``sdist``, of the project in a folder."""
    words = [sys.executable, "-m", "hatchling", "build", "-d", str(into), "-t", kind]
    subprocess.run(words, cwd=project, check=True, capture_output=True)
    [built] = into.iterdir()
    return built


def unpacked_source(place: Path) -> Path:
    """The folder of an unpacked source distribution of the checkout."""
    with tarfile.open(build("sdist", ROOT, place / "sdist")) as archive:
        archive.extractall(place / "source", filter="data")
    [folder] = (place / "source").iterdir()
    return folder


def contents(wheel: Path) -> dict[str, bytes]:
    """Files of a wheel by name, without its list of files and the manual pages of `make man`."""
    with zipfile.ZipFile(wheel) as archive:
        return {
            name: archive.read(name)
            for name in archive.namelist()
            if not name.endswith("/RECORD") and "/share/man/" not in name
        }


def differing(one: Path, other: Path) -> list[str]:
    """The files that two wheels do not have in common, or with different contents."""
    files, others = contents(one), contents(other)
    return sorted(n for n in files.keys() | others.keys() if files.get(n) != others.get(n))


def installed_at(place: Path) -> Installed:
    """Builds the wheel from a source distribution and installs it, as pip does for a user, with the
    simulators' own wheel.
    """
    dist = place / "dist"
    build("wheel", unpacked_source(place), dist)
    subprocess.run([sys.executable, "-m", "venv", place / "env"], check=True)
    key = json.loads(STAMP.read_text(encoding="utf-8"))["simulator"]
    constraints = place / "constraints.txt"
    constraints.write_text("\n".join(locked("build.txt")), encoding="utf-8")
    is_quick = key.endswith(" dev")
    shelf = ROOT / "target" / "quick-wheel" if is_quick else CACHE / "wheels" / key
    wheels = [*dist.glob("*.whl"), *shelf.glob("*.whl")]
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
    here.run("vendor", "ascon-aead128/fast32", "--into", "copy", "--board", "none")
    assert list(here.folder.glob("copy/**/LICENSE")) and list(here.folder.glob("copy/**/*.c"))
    run = ("run", "--study", "one-euro", "--quick", "--results", "results", "--report", "report")
    index = here.folder / "report" / "index.html"
    assert here.run(*run).strip() == str(index)
    assert "study-one-euro" in index.read_text(encoding="utf-8")


def test_wheels_of_checkout_and_source_distribution_have_the_same_tracked_files(
    tmp_path: Path,
) -> None:
    wheel = build("wheel", ROOT, tmp_path / "checkout")
    folders = data_folders(ROOT)
    assert sorted(folders) == sorted(overlay.FOLDERS), "a user may replace any of them"
    inside = {
        name.removeprefix("pennyweight/data/")
        for name in contents(wheel)
        if name.startswith("pennyweight/data/")
    }
    listed = subprocess.run(
        ["git", "ls-files", "-z", *folders, "LICENSE"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert inside == {name for name in listed.split("\0") if name}

    source = unpacked_source(tmp_path)
    assert differing(wheel, build("wheel", source, tmp_path / "same")) == []
    (source / "boards" / "stm32f030.toml").unlink()
    with (source / "src" / "pennyweight" / "model.py").open("a", encoding="utf-8") as module:
        module.write("# changed\n")
    assert differing(wheel, build("wheel", source, tmp_path / "other")) == [
        "pennyweight/data/boards/stm32f030.toml",
        "pennyweight/model.py",
    ]


def test_an_unknown_processor_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build_wheels(["sparc", "--into", str(tmp_path)]) == 1
    message = capsys.readouterr().err
    assert "no wheel is built for 'sparc': choose from x86_64, aarch64" in message
    assert message.count("\n") == 1
    assert not list(tmp_path.iterdir())
