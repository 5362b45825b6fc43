"""Rust crates as implementations; fake compilers replace Rust's."""

from __future__ import annotations

from pathlib import Path

import pytest

from packages_for_tests import files, run
from pennyweight import libraries, toolchains
from pennyweight.libraries import files as library_files
from pennyweight.model import Status, UserError
from pennyweight.toolchains import rust
from verdicts import cached_by_project

pytestmark = cached_by_project("comparisons with other packages")

LIBRARY = """title = "Own"
license = "MIT"
language = "rust"
[[implementation]]
folder = "crypto_hash/sha-256/own"
adapter = "hash.rs"
crate = "own"
constant_time = true
"""
LOCK = """version = 4
[[package]]
name = "own"
version = "1.2.3"
"""
HASH = """int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long n)
{
    for (unsigned i = 0; i < 32; i++) { out[i] = (unsigned char)(LEVEL + (n > i ? in[i] : i)); }
    return 0;
}
"""
RUSTC = """#!/bin/sh
case "$*" in
*target-libdir*) echo {libraries} ;;
*sysroot*) echo {sysroot} ;;
*) echo 'rustc 9.9.9 (own)' ;;
esac
"""
CARGO = """#!/bin/sh
case "$1" in
metadata) echo '{{"packages": [{{"name": "own", "targets": [{{"kind": ["{kind}"]}}]}}]}}' ;;
build)
    while [ $# -gt 1 ]; do [ "$1" = --target ] && target=$2; shift; done
    mkdir -p target/$target/release && cd target/$target/release
    case $CARGO_PROFILE_RELEASE_OPT_LEVEL in s) level=1 ;; *) level=2 ;; esac
    arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -DLEVEL=$level -c {source} -o a.o
    arm-none-eabi-ar rc libadapter.a a.o ;;
esac
"""


ARM = toolchains.find("arm-none-eabi-gcc")
RISCV = toolchains.find("riscv64-unknown-elf-gcc")


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library of one crate, a `rustc` with a core library, and a `cargo` that builds C."""
    place = tmp_path / "libraries" / "own"
    place.mkdir(parents=True)
    (place.parent / "own.toml").write_text(LIBRARY)
    for name in ("hash.rs", "common.rs"):
        (place / name).write_text("// nothing\n")
    (place / "Cargo.lock").write_text(LOCK)
    (place / "Cargo.toml").write_text('[package]\nname = "adapter"\n[features]\n')
    (tmp_path / "hash.c").write_text(HASH)
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "libcore-1.rlib").write_text("")
    tool(tmp_path, "rustc", RUSTC.format(libraries=tmp_path / "core", sysroot=tmp_path / "none"))
    tool(tmp_path, "cargo", CARGO.format(kind="lib", source=tmp_path / "hash.c"))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.delenv("RUSTC", raising=False)
    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(library_files, "_folder", lambda: place.parent)
    rust._asked.cache_clear()
    return tmp_path


def tool(folder: Path, name: str, text: str) -> None:
    (folder / "bin").mkdir(exist_ok=True)
    (folder / "bin" / name).write_text(text)
    (folder / "bin" / name).chmod(0o755)


def test_a_crate_is_built_at_the_level_of_the_flags_and_measured(shelf: Path) -> None:
    [found] = libraries.find("library:own", files())
    assert (found.manifest.notes, found.manifest.license) == ("own 1.2.3", "MIT")
    assert (found.folder / "Cargo.toml").read_text().endswith('default = ["sha-256"]\n')
    small = run(found, "stm32f030", verify="none", flags="-Os").measurements[0]
    large = run(found, "stm32f030", verify="none", flags="-O3").measurements[0]
    assert (small.status, large.status) == (Status.OK, Status.OK), small.reason
    assert small.cycles and small.flash
    verified = run(found, "stm32f030", verify="quick")
    assert verified.measurements[0].status == Status.WRONG_ANSWER
    assert verified.provenance.compiler_version.endswith(", rustc 9.9.9 (own)")


def test_without_a_core_library_one_sentence_shows_how_to_get_it(shelf: Path) -> None:
    [found] = libraries.find("library:own", files())
    (shelf / "core" / "libcore-1.rlib").unlink()
    [row] = run(found, "stm32f030", verify="none").measurements
    assert row.status == Status.SKIPPED
    assert row.reason.startswith("Rust has no core library for thumbv6m-none-eabi here: `rustup ")
    [row] = run(found, "atmega328p", verify="none").measurements
    expected = "Rust is compiled for Armv6-M, Armv7-M, Armv8-M Mainline and RV32 parts only"
    assert row.reason == expected


def test_crates_that_run_code_on_this_machine_are_refused(shelf: Path) -> None:
    [found] = libraries.find("library:own", files())
    tool(shelf, "cargo", CARGO.format(kind="custom-build", source=shelf / "hash.c"))
    [row] = run(found, "stm32f030", verify="none").measurements
    assert row.status == Status.SKIPPED
    assert "the crate 'own' runs code when it is built" in row.reason


def test_a_compiler_with_rust_s_sources_builds_core(shelf: Path) -> None:
    source = shelf / "sources" / "lib/rustlib/src/rust/library/core/src/lib.rs"
    source.parent.mkdir(parents=True)
    source.write_text("")
    (shelf / "core" / "libcore-1.rlib").unlink()
    script = RUSTC.format(libraries=shelf / "core", sysroot=shelf / "sources")
    tool(shelf, "rustc", script)
    found = rust.find(ARM, ("-mcpu=cortex-m4", "-mthumb"))
    assert found.target == "thumbv7em-none-eabi"
    assert found.sysroot is not None and (found.sysroot / "lib/rustlib" / found.target).is_dir()
    assert rust.find(ARM, ("-mcpu=cortex-m4",)).sysroot == found.sysroot
    broken = "*crate-type*) echo 'error: no'; exit 1 ;;\n*) echo 'rustc"
    tool(shelf, "rustc", script.replace("*) echo 'rustc", broken))
    with pytest.raises(rust.NoRustError, match=r"cannot be built for riscv32.*: error: no"):
        rust.find(RISCV, ("-march=rv32imac_zba", "-mabi=ilp32"))


@pytest.mark.parametrize(
    ("toolchain", "flags", "expected"),
    [
        (ARM, "-mcpu=cortex-m0plus.small-multiply", ("thumbv6m-none-eabi", "cortex-m0plus")),
        (ARM, "-mcpu=cortex-m1", ("thumbv6m-none-eabi", "cortex-m1")),
        (ARM, "-mcpu=cortex-m4+nofp -mcpu=cortex-m3", ("thumbv7m-none-eabi", "cortex-m3")),
        (ARM, "-march=armv7e-m", ("thumbv7em-none-eabi", "")),
        (ARM, "-mcpu=cortex-m33", ("thumbv8m.main-none-eabi", "cortex-m33")),
        (RISCV, "-march=rv32imc -mabi=ilp32", ("riscv32imc-unknown-none-elf", "")),
        (RISCV, "-march=rv32iac -mabi=ilp32", ("riscv32i-unknown-none-elf", "")),
        (RISCV, "-march=rv32e -mabi=ilp32e", ("riscv32e-unknown-none-elf", "")),
    ],
)
def test_flags_of_the_c_compiler_determine_the_target_of_rust(
    toolchain: toolchains.Toolchain, flags: str, expected: tuple[str, str]
) -> None:
    assert rust.target_of(toolchain, tuple(flags.split())) == expected


def test_a_core_without_a_target_of_rust_is_reported() -> None:
    with pytest.raises(rust.NoRustError, match="Armv8-M Mainline and RV32 parts only"):
        rust.target_of(ARM, ("-mcpu=cortex-m23", "-mthumb"))


def test_a_crate_that_the_lock_file_lacks_is_reported(shelf: Path) -> None:
    (shelf / "libraries" / "own" / "Cargo.lock").write_text("version = 4\n")
    with pytest.raises(UserError, match="has no crate 'own'; correct 'crate'"):
        libraries.find("library:own", files())


def test_what_a_user_shows_cargo_names_what_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A profile of `~/.cargo/config.toml` replaces a crate's own."""
    monkeypatch.setenv("CARGO_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(tmp_path / "work" / "cache"))
    found = {rust.versions()}
    for place in ("home/config.toml", "work/.cargo/config.toml"):
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'[profile.release]\nlto = "off" # {place}\n')
        found.add(rust.versions())
    assert len(found) == 3
