"""The steps of the tiers, with the inputs of each."""

from __future__ import annotations

import contextlib
import functools
import importlib.metadata
import os
import re
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from scripts.tiers.step import ROOT, Command, Item, Step, each_file, printed, tracked, whole

from pennyweight.toolchains import FAMILIES

BIN = Path(sys.executable).parent
PYTHON = ("*.py", "*.pyi", "pyproject.toml")
RUST = (
    *("simulator", "boards", "cores"),
    *("Cargo.toml", "Cargo.lock", "rustfmt.toml", "rust-toolchain*"),
)
CORES = len(os.sched_getaffinity(0))
WORKERS = CORES + 1
"""Processes that run Python tests, of which some wait for an emulated board or a browser."""
CHECK_S = 115
"""Seconds during which `check` starts Python tests; `test` runs the others."""

EXTENSION = "simulators: build and install the extension module"
UNIT_TESTS = "simulators: build the unit tests and lock steps"
COMPILER = "the MSP430's compiler"


def _always(*command: str) -> Command:
    """The same command, whatever has a verdict."""
    return lambda _names: command


def _with_names(*command: str) -> Command:
    """The command with the names of the items behind it."""
    return lambda names: (*command, *names)


def _with(items: Iterable[Item], *files: Path) -> tuple[Item, ...]:
    """The items with more inputs."""
    return tuple(Item(each.name, (*each.files, *files)) for each in items)


def _version(program: str) -> str:
    return printed(program, "--version")


def _python_packages() -> tuple[Item, ...]:
    """All Python sources with the lock file of the installed packages."""
    return whole(*PYTHON, "requirements/dev.txt")


def formatters() -> list[Step]:
    """Formatters, which change nothing here."""
    c_files = ("*.c", "*.h", ":!tests/packages")
    return [
        Step(
            "rustfmt",
            _always("cargo", "fmt", "--all", "--check"),
            whole("*.rs", "*Cargo.toml", "rustfmt.toml"),
            _version("rustfmt"),
        ),
        Step(
            "ruff format",
            _always("ruff", "format", "--check", "."),
            whole(*PYTHON),
            _version("ruff"),
        ),
        Step(
            "clang-format",
            _with_names("clang-format", "--dry-run", "-Werror"),
            _with(each_file(*c_files), ROOT / ".clang-format"),
            _version("clang-format"),
        ),
    ]


def linters() -> list[Step]:
    """Linters and type checkers."""
    not_prose = tuple(
        f":!{each}"
        for each in (
            *("*.lock", "*.csv", "*.svg", "*.png", "*.bin", "*.inputs", "requirements/*.txt"),
            *("algorithms/vectors/*", "tests/packages", "tests/host/*.t*"),
        )
    )
    words = tracked("scripts/prose", "scripts/__init__.py")
    return [
        Step("ruff check", _always("ruff", "check", "."), whole(*PYTHON), _version("ruff")),
        Step("mypy", _always("mypy"), _python_packages(), f"{_version('mypy')} {sys.version}"),
        Step(
            "lint-imports",
            _always("lint-imports", "--no-cache", "--no-logo"),
            whole("src/*.py", ".importlinter", "requirements/dev.txt"),
            sys.version,
        ),
        Step(
            "codespell",
            _with_names("codespell"),
            _with(each_file(".", *not_prose), ROOT / "pyproject.toml"),
            _version("codespell"),
        ),
        Step(
            "prose",
            _with_names("python", "-m", "scripts.prose"),
            _with(each_file("."), *words),
            sys.version,
        ),
        Step(
            "clippy",
            _always(
                *("cargo", "clippy", "--locked", "--quiet", "--workspace", "--all-targets"),
                *("--", "-D", "warnings"),
            ),
            whole(*RUST),
            _rust(),
        ),
    ]


@functools.cache
def _rust() -> str:
    return f"{printed('rustc', '-vV')} {printed('cargo', 'clippy', '--version')}"


def unit_tests() -> list[Step]:
    """The simulators' unit tests, with a verdict for each crate."""
    command = ("cargo", "test", "--locked", "--quiet")
    every = ("--workspace", "--exclude", "pennyweight-python")
    return [
        Step(UNIT_TESTS, _always(*command, *every, "--no-run"), prepares=True),
        Step(
            "simulators: unit tests",
            lambda names: (*command, *(f"--package={each}" for each in names)),
            tuple(_crates()),
            _rust(),
            needs=(UNIT_TESTS,),
        ),
    ]


PYTHON_MODULE = "simulator/python"
DIGEST = "simulator/digest"
CHECKS = "simulator/checks"


def _crates() -> list[Item]:
    """The workspace's crates, each with the crates that it depends on.

    The extension module is compiled by setup and by clippy; it has no tests of its own. The tests
    of the digest read its sources and those of all simulators. The tests of the checks run all
    lock steps.
    """
    manifests = tracked("simulator/*/Cargo.toml", ":!simulator/fuzz", f":!{PYTHON_MODULE}")
    shared = tracked("boards", "cores", "Cargo.toml", "Cargo.lock", "simulator/machine/tests/data")
    items = []
    for path in manifests:
        folders = _with_dependencies(path)
        files, tools = shared, ""
        if DIGEST in folders:
            folders |= _with_dependencies(ROOT / PYTHON_MODULE / "Cargo.toml")
        if CHECKS in folders:
            files = (*files, *(file for name in PEER_FILES for file in _peer_files(name)))
            tools = _versions({program for *_, programs in LOCK_STEPS for program in programs})
        items.append(Item(_name_of(path), (*files, *tracked(*sorted(folders))), tools))
    return items


def _name_of(manifest: Path) -> str:
    [name] = re.findall(r'^name = "(.+)"$', manifest.read_text(), re.M)[:1]
    return str(name)


def _with_dependencies(manifest: Path) -> set[str]:
    """The folders of a crate and of all crates of the workspace that it depends on."""
    found: set[str] = set()
    waiting = [manifest.parent]
    while waiting:
        folder = waiting.pop()
        name = folder.relative_to(ROOT).as_posix()
        if name in found:
            continue
        found.add(name)
        paths = re.findall(r'path = "(\.\./[^"]+)"', (folder / "Cargo.toml").read_text())
        waiting += [(folder / each).resolve() for each in paths]
    return found


LOCK_STEPS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("avr", (), ("cc", "c++")),
    *(("thumb", ("--set", each), ("qemu-system-arm",)) for each in ("v6m", "v7m", "v7em", "v8m")),
    *(("msp430", ("--set", each), ("mspdebug",)) for each in ("original", "cpux")),
    *(
        ("riscv", ("--set", each), ("qemu-system-riscv32",))
        for each in ("rv32imac", "rv32imc", "rv32ec", "rv32imac-zbs")
    ),
    ("xtensa", (), ("qemu-system-xtensa",)),
    ("xtensa", ("--set", "windowed"), ("qemu-system-xtensa",)),
    ("mips", (), ("qemu-system-mipsel",)),
    ("mips", ("--set", "mips16e"), ("qemu-system-mipsel",)),
)
"""Command, arguments and the independent simulator, or the compilers that one is built with."""

PEER_FILES: dict[str, tuple[str, ...]] = {
    "avr": ("lib/*/libsimavr*", "include/simavr/**/*.h"),
}
"""Independent simulators that are libraries, by command: their files below `/usr`."""

YASIMAVR = "yasimavr"
"""The Python package with the independent simulator of AVRxt, for the command `avr`."""


def _peer_files(name: str) -> tuple[Path, ...]:
    """The files of the independent simulators that the lock step `name` is linked with.

    Those of a Python package are represented by its list of files with their hashes.
    """
    patterns = PEER_FILES.get(name, ())
    found = [path for each in patterns for path in sorted(Path("/usr").glob(each))]
    if patterns:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            listed = importlib.metadata.distribution(YASIMAVR).files or []
            found += [Path(str(each.locate())) for each in listed if each.name == "RECORD"]
    return tuple(path for path in found if path.is_file())


def _versions(programs: Iterable[str]) -> str:
    return " ".join(map(_version, sorted(programs)))


def lock_steps() -> list[Step]:
    """Random programs, in lock step with independent simulators."""
    return [
        Step(
            " ".join(("lock step:", name, *arguments[1:])),
            _always(f"target/debug/lockstep_{name}", "--quick", *arguments),
            (Item("all", (*tracked(*RUST), *_peer_files(name))),),
            f"{_rust()} {_versions(programs)}",
            needs=(UNIT_TESTS,),
            environment={"PENNYWEIGHT_PYTHON": str(BIN / "python")},
        )
        for name, arguments, programs in LOCK_STEPS
    ]


def extension(tier: str) -> Step:
    """The simulators, unless there is a better build without link-time optimisation, which users
    have: results are the same. For `check`, a build that is ready sooner.
    """
    goal = "quick" if tier == "check" else "for-tests"
    return Step(EXTENSION, _always("python", "scripts/setup.py", goal))


def msp430_compiler() -> Step:
    """No distribution packages it: it is compiled once, in parallel with steps that do not need it.
    Tests that need it fail with a message if it is missing.
    """
    build = "nice -n 5 pennyweight toolchain build msp430 || echo 'tests that need it will fail'"
    return Step(COMPILER, _always("sh", "-c", build), needs=(EXTENSION,))


def python_tests(
    name: str = "Python tests", after: tuple[str, ...] = (), **environment: str
) -> Step:
    """The Python tests; the environment chooses among them (`tests/verdicts/plugin.py`)."""
    return Step(
        name,
        _always(
            *("python", "-m", "pytest", "-q", "-n", str(WORKERS), "--dist", "worksteal"),
            *("--durations", "10", "--durations-min", "0.5"),
        ),
        follows=True,
        needs=(EXTENSION,),
        after=after,
        environment=environment,
    )


def all_python_tests() -> list[Step]:
    """All Python tests. While the MSP430's compiler is being compiled, those run that use no
    board's compiler.
    """
    if FAMILIES["msp430-elf-gcc"].locate() is not None:
        return [python_tests()]
    first = "Python tests without boards"
    return [
        msp430_compiler(),
        python_tests(first, PENNYWEIGHT_TEST_PART="host"),
        python_tests("Python tests with boards", (COMPILER, first), PENNYWEIGHT_TEST_PART="boards"),
    ]


def affected_python_tests() -> Step:
    """The Python tests that a change affects, as far as the time goes."""
    deadline = time.time() + CHECK_S
    return python_tests("affected Python tests", PENNYWEIGHT_TEST_AFFECTED=f"{deadline:.0f}")


def of(tier: str) -> list[Step]:
    """All steps of a tier: `lint`, `check` or `test`."""
    quick = [*formatters(), *linters()]
    if tier == "lint":
        return quick
    python = [affected_python_tests()] if tier == "check" else all_python_tests()
    return [extension(tier), *python, *quick, *unit_tests(), *lock_steps()]
