"""`make wheels`: builds the source distributions and the wheels of Pennyweight into `dist/`.

Two projects are built: `pennyweight`, pure Python with all data files, and `pennyweight-simulator`,
the simulators in Rust. The simulators' wheels are for CPython 3.11 and newer (abi3) on Linux with
glibc 2.17 (manylinux2014), for x86-64 and, cross-compiled, for aarch64. Zig's C compiler links them
against that old glibc. Wheels for macOS and Windows are not built here: they need these systems.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGETS = {
    "x86_64": "x86_64-unknown-linux-gnu",
    "aarch64": "aarch64-unknown-linux-gnu",
}


class WheelError(Exception):
    """One sentence: what is wrong and the remedy."""


def main(arguments: Sequence[str]) -> int:
    """Builds all, or the wheels for the named processors only; 1 if something cannot be built."""
    parser = argparse.ArgumentParser(prog="wheels", description=__doc__)
    parser.add_argument("processors", nargs="*", metavar="PROCESSOR", help=", ".join(TARGETS))
    parser.add_argument("--into", type=Path, default=ROOT / "dist", help="folder of the results")
    given = parser.parse_args(arguments)
    try:
        for name in given.processors:
            if name not in TARGETS:
                raise WheelError(
                    f"no wheel is built for '{name}': choose from {', '.join(TARGETS)}; macOS and "
                    "Windows need a build on these systems, with `pip wheel simulator/python`"
                )
        _build(given.processors or list(TARGETS), given.into.resolve())
    except WheelError as error:
        print(f"wheels: {error}", file=sys.stderr)
        return 1
    return 0


def _build(processors: Sequence[str], into: Path) -> None:
    into.mkdir(parents=True, exist_ok=True)
    for old in (*into.glob("pennyweight*.whl"), *into.glob("pennyweight*.tar.gz")):
        old.unlink()
    for processor in processors:
        _need_rust_for(TARGETS[processor])
    _need_zig()
    tools = Path(sys.executable).parent
    _run([sys.executable, "-m", "scripts.man"])
    _run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(into), "-t", "sdist", "-t", "wheel"]
    )
    manifest = str(ROOT / "simulator" / "python" / "Cargo.toml")
    _run([sys.executable, str(ROOT / "scripts" / "notices.py")])
    _run([str(tools / "maturin"), "sdist", "--manifest-path", manifest, "--out", str(into)])
    for processor in processors:
        print(
            f"wheels: building the simulators for {processor}: some minutes, and longer while "
            "another build uses the folder target",
            flush=True,
        )
        _run(
            [
                *(str(tools / "maturin"), "build", "--release", "--locked", "--quiet", "--zig"),
                *("--compatibility", "manylinux2014", "--target", TARGETS[processor]),
                *("--manifest-path", manifest, "--out", str(into)),
            ]
        )
    for path in sorted(into.glob("pennyweight*")):
        print(f"{path}  {path.stat().st_size / 1e6:.1f} MB")


def _need_rust_for(target: str) -> None:
    """Has Rust's standard library for a target, through rustup where it is missing."""
    there = subprocess.run(
        ["rustc", "--print", "target-libdir", "--target", target], capture_output=True, text=True
    )
    if there.returncode == 0 and Path(there.stdout.strip()).is_dir():
        return
    if shutil.which("rustup") is None:
        raise WheelError(
            f"Rust's standard library for {target} is missing, and there is no rustup to add it "
            f"with: install your distribution's package of it, or build only for "
            f"{os.uname().machine} with `make wheels ARGS={os.uname().machine}`"
        )
    print(f"wheels: rustup target add {target}", flush=True)
    _run(["rustup", "--quiet", "target", "add", target])


def _need_zig() -> None:
    """Installs the locked Zig into the environment if it is missing."""
    if importlib.util.find_spec("ziglang") is not None:
        return
    lock = ROOT / "requirements" / "wheels.txt"
    print(f"wheels: installing Zig from requirements/{lock.name}", flush=True)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", "install"]
    _run([*pip, "--require-hashes", "-r", str(lock)])


def _run(command: list[str]) -> None:
    # maturin looks for Zig in the Python that is first on PATH.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "PATH": path, "VIRTUAL_ENV": sys.prefix},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if done.returncode != 0:
        end = "\n".join(done.stdout.splitlines()[-25:])
        raise WheelError(f"`{' '.join(command)}` failed:\n{end}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
