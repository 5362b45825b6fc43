"""Rust for a part: a compiler with the part's core library, or with the sources to build it.

The part's own toolchain links; Rust only creates objects. The first suitable compiler on PATH (or
`RUSTC`, as in Cargo) is used.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from pennyweight import cache
from pennyweight.toolchains.base import Toolchain
from pennyweight.toolchains.command import run, search_path, which
from pennyweight.toolchains.digests import file_sha256

_TIME_LIMIT_S = 600.0
_CORE = "lib/rustlib/src/rust/library/core/src/lib.rs"

_HELPERS = "#![feature(compiler_builtins)]\n#![compiler_builtins]\n#![no_std]\n"
"""The library that every crate needs in addition to core; its functions are those of libgcc in the
C toolchain."""


class NoRustError(Exception):
    """Why Rust cannot be compiled for a part, in one sentence."""


@dataclass(frozen=True, slots=True)
class Rust:
    """A compiler for one target. If it lacks the target's core library, `source` is the source of
    core, and `sysroot`, once built, the resulting library.
    """

    rustc: Path
    cargo: Path
    version: str
    target: str
    cpu: str
    source: Path | None = None
    sysroot: Path | None = None

    def environment(self) -> list[str]:
        """Arguments of `env` for starting Cargo."""
        flags = [f"-Ctarget-cpu={self.cpu}"] if self.cpu else []
        flags += ["--sysroot", str(self.sysroot)] if self.sysroot else []
        home = os.environ.get("HOME", "/")
        kept = {"HOME": home, "RUSTC": str(self.rustc), "CARGO_NET_OFFLINE": "true"}
        for name in ("CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH"):
            if name in os.environ:
                kept[name] = os.environ[name]
        kept["CARGO_ENCODED_RUSTFLAGS"] = "\x1f".join(flags)
        return [f"{name}={value}" for name, value in kept.items()]


def target_of(toolchain: Toolchain, flags: tuple[str, ...]) -> tuple[str, str]:
    """Rust's names of target and processor for the flags of the GNU C compiler, whose macros show
    the architecture. Raises `NoRustError`.
    """
    macros = _macros(toolchain.driver, tuple(flag for flag in flags if flag.startswith("-m")))
    found = toolchain.family.rust_target(macros, flags)
    if found is None:
        raise NoRustError(
            "Rust is compiled for Armv6-M, Armv7-M, Armv8-M Mainline and RV32 parts only"
        )
    return found


def choose(toolchain: Toolchain, flags: tuple[str, ...]) -> Rust:
    """The Rust compiler for the part that a GNU C compiler's flags select. Raises `NoRustError`."""
    target, cpu = target_of(toolchain, flags)
    cargo = which("cargo")
    compilers = [(rustc, _asked(rustc, "--version")) for rustc in _compilers()]
    if cargo is None or not compilers:
        raise NoRustError(
            "Rust's `rustc` and `cargo` are not installed: install them (rustup.rs, or Debian's "
            "packages rustc and cargo)"
        )
    for rustc, version in compilers:
        library = Path(_asked(rustc, "--print", "target-libdir", "--target", target))
        if version and any(library.glob("libcore-*.rlib")):
            return Rust(rustc, Path(cargo), version, target, cpu)
    for rustc, version in compilers:
        source = Path(_asked(rustc, "--print", "sysroot")) / _CORE
        if version and source.is_file():
            return Rust(rustc, Path(cargo), version, target, cpu, source)
    raise NoRustError(
        f"Rust has no core library for {target} here: `rustup target add {target}` installs it, or "
        "Rust's sources (`rustup component add rust-src`; of Debian the packages rustc-web and "
        "rust-web-src), from which it is built once"
    )


def find(toolchain: Toolchain, flags: tuple[str, ...]) -> Rust:
    """That compiler, with core built if necessary. Raises `NoRustError`."""
    found = choose(toolchain, flags)
    return found if found.source is None else replace(found, sysroot=_core(found))


def versions() -> str:
    """The available compilers and the user's Cargo settings, which a build depends on as well as on
    the sources.
    """
    found = [f"{_asked(rustc, '--version')} {_sha256(rustc)}" for rustc in _compilers()]
    return "; ".join([*found, *_configured()])


def _configured() -> list[str]:
    """Digests of the files from which Cargo reads options, such as those of a profile (Cargo Book,
    section "Configuration"): its own folder, and the folders above the current one.
    """
    home = Path(os.environ.get("CARGO_HOME") or Path(os.environ.get("HOME", "/"), ".cargo"))
    folders = [home, *(each / ".cargo" for each in (cache.folder(), *cache.folder().parents))]
    files = [folder / name for folder in folders for name in ("config", "config.toml")]
    readable = [path for path in dict.fromkeys(files) if os.access(path, os.R_OK)]
    return [file_sha256(path) for path in readable if path.is_file()]


def _compilers() -> Iterator[Path]:
    named = os.environ.get("RUSTC")
    folders = search_path().split(os.pathsep)
    for path in ([Path(named)] if named else []) + [Path(each) / "rustc" for each in folders]:
        if path.is_file() and os.access(path, os.X_OK):
            yield path


@lru_cache(maxsize=64)
def _sha256(rustc: Path) -> str:
    """Digest of the program and the library that contains its code."""
    library = Path(_asked(rustc, "--print", "sysroot")) / "lib"
    drivers = [path for where in ("", "*/") for path in library.glob(f"{where}librustc_driver-*")]
    files = [rustc.resolve(), *sorted(drivers)]
    return hashlib.sha256("\n".join(map(file_sha256, files)).encode()).hexdigest()


@lru_cache(maxsize=64)
def _asked(rustc: Path, *question: str) -> str:
    done = run(
        ["env", *_own(), rustc, *question], cwd=Path("/"), temporary=Path(tempfile.gettempdir())
    )
    lines = [line for line in done.output.splitlines() if line and not line.startswith("info:")]
    return lines[-1].strip() if done.ok and lines else ""


@lru_cache(maxsize=64)
def _macros(driver: Path, flags: tuple[str, ...]) -> dict[str, str]:
    """The macros that a C compiler defines with these flags; empty if it rejects them."""
    words: list[str | Path] = [driver, *flags, "-E", "-dM", "-xc", "/dev/null"]
    done = run(words, cwd=Path("/"), temporary=Path(tempfile.gettempdir()))
    defined = re.findall(r"^#define (\w+) ?(.*)$", done.output, re.MULTILINE)
    return dict(defined) if done.ok else {}


def _own() -> list[str]:
    """The environment that a compiler of rustup, or one in a folder of its own, needs."""
    names = ("HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH")
    return [f"{name}={os.environ[name]}" for name in names if name in os.environ]


def _core(chosen: Rust) -> Path:
    """A folder with the core library for a target, from the user's cache or built."""
    rustc, target = chosen.rustc, chosen.target
    key = f"{rustc.resolve()} {chosen.version} {target} {_HELPERS}"
    place = hashlib.sha256(key.encode()).hexdigest()

    def make(folder: Path) -> None:
        out = folder / "lib" / "rustlib" / target / "lib"
        out.mkdir(parents=True)
        helpers = folder / "helpers.rs"
        helpers.write_text(_HELPERS, encoding="utf-8")
        common = ["--crate-type", "rlib", "--target", target, "-Cpanic=abort", "-Copt-level=3"]
        common += ["-Zforce-unstable-if-unmarked", "--cap-lints", "allow", "--out-dir", str(out)]
        of_core = ["--edition", "2024", "--crate-name", "core", str(chosen.source)]
        of_helpers = ["--edition", "2021", "--crate-name", "compiler_builtins", str(helpers)]
        for step in (of_core, [*of_helpers, "--sysroot", str(folder)]):
            done = run(
                ["env", *_own(), "RUSTC_BOOTSTRAP=1", rustc, *step, *common],
                cwd=folder,
                temporary=folder,
                time_limit=_TIME_LIMIT_S,
            )
            if not done.ok:
                error = next((x for x in done.output.splitlines() if x.startswith("error")), "")
                raise NoRustError(f"Rust's core library cannot be built for {target}: {error}")

    return cache.entry("rust-core", place) or cache.fill("rust-core", place, make)
