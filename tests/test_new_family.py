"""A compiler family is one class and its line in `toolchains/families.py`; builds, measurements and
messages need no other Python code.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli_runs import Command, runner
from packages_for_tests import ARM, PACKAGES, at, board, copied
from pennyweight.catalogue import Board
from pennyweight.catalogue.boards import load_board
from pennyweight.job import Job
from pennyweight.measure import run_job
from pennyweight.model import Case, Operation, Status
from pennyweight.target.endless_loop import HANGS
from pennyweight.toolchains import FAMILIES, find, rust
from pennyweight.toolchains.arm_none_eabi_gcc import ArmNoneEabiGcc
from pennyweight.toolchains.base import Family, Mnemonics
from verdicts import cached_by_project

pytestmark = cached_by_project("builds")

NAME = "sparc-elf-gcc"


class Sparc(Family):
    """A family of an unknown instruction set, whose compiler, firmware and boards are Arm's."""

    name = NAME
    firmware = "cortex-m"
    hint = "`apt-get install gcc-sparc-elf`"
    short = "sparc"
    machine = "SPARC"
    dumpmachine = r"sparc-.*"
    macros = ("__sparc__",)
    assembly = r"\bsethi\b|%[goli]\d\b"
    architectures = frozenset(("sparc",))
    jumps_to_itself = ArmNoneEabiGcc.jumps_to_itself
    mnemonics = Mnemonics(loads="ld.*", stores="st.*", branches="b.*")

    def locate(self) -> Path | None:
        return ArmNoneEabiGcc().locate()

    def link_arguments(self, board: Board, firmware: Path) -> list[str]:
        return ArmNoneEabiGcc().link_arguments(board, firmware)

    def libraries(self) -> tuple[str, ...]:
        return ArmNoneEabiGcc().libraries()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


@pytest.fixture
def sparc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Board:
    """A board of the made-up family, which is listed."""
    monkeypatch.setitem(FAMILIES, NAME, Sparc())
    text = board(ARM).path.read_text(encoding="utf-8")
    for old, new in (('id = "stm32f030"', 'id = "leon"'), ('"arm-none-eabi-gcc"', f'"{NAME}"')):
        assert old in text
        text = text.replace(old, new, 1)
    path = tmp_path / "leon.toml"
    path.write_text(text, encoding="utf-8")
    return load_board(path)


def encrypt(folder: Path, on: Board) -> tuple[str, str]:
    job = Job(at(folder), on, "-Os", [Case(Operation.ENC, 0, 16)], "quick", 200_000)
    [row] = run_job(job).measurements
    return row.status, row.reason


@pytest.mark.parametrize("family", FAMILIES.values(), ids=list(FAMILIES))
def test_a_family_has_every_attribute(family: Family) -> None:
    assert [name for name in Family.__annotations__ if not hasattr(family, name)] == []
    patterns = (family.dumpmachine, family.assembly, family.mnemonics.loads)
    assert all(re.compile(each).pattern for each in patterns)
    assert family.macros and family.architectures and all(family.jumps_to_itself)
    driver = family.locate()
    assert driver is not None


def test_a_new_family_is_measured(sparc: Board, tmp_path: Path) -> None:
    assert encrypt(PACKAGES / "crypto_aead" / "toy" / "ref", sparc) == (Status.OK, "")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("avr-gcc", f"compiler 'avr-gcc' does not build for board 'leon', which needs {NAME}"),
        ("clang", "'clang' does not build for board 'leon': Clang is supported for Arm, AVR, MSP"),
        ("gcc-3", f"compiler 'gcc-3': no {NAME} of version 3 is on PATH for board 'leon'"),
    ],
)
def test_a_compiler_that_does_not_build_for_it_is_one_sentence(
    run: Command, sparc: Board, name: str, message: str
) -> None:
    words = ("measure", "sha-256/small", "--board", sparc.path, "--no-verify", "--compiler", name)
    assert message in run(*words).refused()


def test_a_compiler_for_an_unknown_machine_is_one_sentence(
    run: Command, sparc: Board, tmp_path: Path
) -> None:
    words = ("measure", "sha-256/small", "--no-verify", "--compiler")
    own = ArmNoneEabiGcc().locate()
    refused = run(*words, own, "--board", sparc.path).refused()
    assert f"compiles for arm-none-eabi, not for board 'leon', which needs one such as {NAME}" in (
        refused
    )
    other = tmp_path / NAME
    other.write_text(
        f'#!/bin/sh\ncase "$1" in -dumpmachine) echo sparc-elf ;; *) exec {own} "$@" ;; esac\n'
    )
    other.chmod(0o755)
    refused = run(*words, other, "--board", ARM).refused()
    assert f"compiles for sparc-elf, not for board '{ARM}'" in refused
    assert "unknown compiler 'tcc'" in run(*words, "tcc", "--board", sparc.path).refused()


def test_a_failed_build_for_it_has_its_reason(sparc: Board, tmp_path: Path) -> None:
    folder = copied(tmp_path)
    source = folder / "encrypt.c"
    source.write_text("#error own\n" + source.read_text())
    assert encrypt(folder, sparc) == (Status.BUILD_FAILED, "encrypt.c:1:2: error: #error own")
    (folder / "architectures").write_text("sparc\n")
    assert encrypt(folder, sparc)[0] == Status.BUILD_FAILED
    (folder / "architectures").write_text("avr\narm\n")
    status, reason = encrypt(folder, sparc)
    assert status == Status.SKIPPED
    assert reason.startswith("its file 'architectures' lists avr and arm only: ")


def test_assembly_for_it_is_recognised(sparc: Board, tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "core.S").write_text("f:\n    sethi %hi(f), %g1\n    wrong %g1\n")
    assert encrypt(folder, sparc)[0] == Status.BUILD_FAILED
    status, reason = encrypt(folder, board(ARM))
    assert status == Status.SKIPPED
    assert reason.startswith("its assembly is for SPARC (core.S): ")
    (folder / "core.S").write_text("#ifdef __sparc__\n.global away\naway:\n#endif\n")
    source = folder / "encrypt.c"
    text = source.read_text().replace("(void)nsec;", "(void)nsec; away();", 1)
    source.write_text("void away(void);\n" + text)
    assert encrypt(folder, sparc) == (
        Status.BUILD_FAILED,
        "no source defines the symbol 'away'",
    )
    assert encrypt(folder, board(ARM)) == (
        Status.SKIPPED,
        "its assembly is for SPARC (core.S): no source defines the symbol 'away'",
    )


def test_rust_is_refused_in_one_sentence(sparc: Board) -> None:
    with pytest.raises(rust.NoRustError, match="Rust is compiled for Armv6-M, "):
        rust.target_of(find(NAME), ())


def test_abort_is_recognised_in_its_code(sparc: Board, tmp_path: Path) -> None:
    folder = copied(tmp_path)
    source = folder / "encrypt.c"
    text = source.read_text().replace("(void)nsec;", "(void)nsec; abort();", 1)
    source.write_text("#include <stdlib.h>\n" + text)
    status, reason = encrypt(folder, sparc)
    assert status != Status.OK and HANGS in reason
