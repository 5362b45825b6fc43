"""Compiles an implementation that is a Rust crate to one object."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from pennyweight.build.failure import BuildError, timed_out
from pennyweight.model import Status
from pennyweight.toolchains import Toolchain
from pennyweight.toolchains.command import run
from pennyweight.toolchains.rust import NoRustError, Rust, choose, find

CRATE = "Cargo.toml"
LOCK = "Cargo.lock"

_TIME_LIMIT_S = 600.0
_ARCHIVE = "libadapter.a"
_LEVELS = {"-O0": "0", "-O1": "1", "-O2": "2", "-O3": "3", "-Os": "s", "-Oz": "z"}


def compile_crate(toolchain: Toolchain, folder: Path, flags: tuple[str, ...], target: Path) -> None:
    """Builds the crate in `folder` according to its lock file and writes the object `target`.

    Nothing is downloaded. Whole-program optimisation is on, as usual for such parts; of the C
    compiler's flags, the optimisation level applies. Raises `BuildError`.
    """
    try:
        rust = find(toolchain, flags)
    except NoRustError as error:
        raise BuildError(Status.SKIPPED, str(error)) from None
    _check_nothing_runs(rust, folder, target.parent)
    work = target.parent / "crate"
    shutil.copytree(folder, work)
    level = next((_LEVELS[flag] for flag in reversed(flags) if flag in _LEVELS), "3")
    asking = ["build", "--quiet", "--release", "--locked", "--offline", "-j1"]
    place: list[str | Path] = ["--target", rust.target, "--target-dir", work / "target"]
    profile = f"CARGO_PROFILE_RELEASE_OPT_LEVEL={level}"
    done = run(
        ["env", *rust.environment(), profile, rust.cargo, *asking, *place],
        cwd=work,
        temporary=target.parent,
        time_limit=_TIME_LIMIT_S,
    )
    if done.timed_out:
        raise timed_out(CRATE, _TIME_LIMIT_S)
    archive = work / "target" / rust.target / "release" / _ARCHIVE
    if not done.ok or not archive.is_file():
        errors = [line for line in done.output.splitlines() if line.startswith("error")]
        raise BuildError(
            Status.BUILD_FAILED, errors[0] if errors else f"{CRATE}: cargo printed no error"
        )
    machine = [flag for flag in flags if flag.startswith("-m")]
    joining: list[str | Path] = ["-r", "-nostdlib", "-Wl,--whole-archive", archive, "-o", target]
    joined = run([toolchain.driver, *machine, *joining], cwd=work, temporary=target.parent)
    if not joined.ok:
        raise BuildError(Status.BUILD_FAILED, f"{_ARCHIVE}: {joined.output.strip()[:200]}")
    shutil.rmtree(work)


def compiler_of(toolchain: Toolchain, flags: tuple[str, ...]) -> str:
    """The Rust compiler for a part's crates; empty if none is available."""
    try:
        return choose(toolchain, flags).version
    except NoRustError:
        return ""


def _check_nothing_runs(rust: Rust, folder: Path, temporary: Path) -> None:
    """Raises `BuildError` if Cargo would run a crate's code on this machine."""
    asking = ["metadata", "--quiet", "--format-version=1", "--locked", "--offline"]
    done = run(
        ["env", *rust.environment(), rust.cargo, *asking, "--filter-platform", rust.target],
        cwd=folder,
        temporary=temporary,
    )
    try:
        packages = json.loads(done.output)["packages"]
        running = [
            package["name"]
            for package in packages
            for target in package["targets"]
            if {"custom-build", "proc-macro"} & set(target["kind"])
        ]
    except (ValueError, KeyError, TypeError):
        errors = [line for line in done.output.splitlines() if line.startswith("error")]
        raise BuildError(
            Status.BUILD_FAILED, errors[0] if errors else f"{CRATE}: cargo printed no error"
        ) from None
    if running:
        raise BuildError(
            Status.SKIPPED,
            f"{CRATE}: the crate '{running[0]}' runs code when it is built, and third-party "
            "code must not run on this machine",
        )
