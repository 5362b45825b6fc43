"""Identifies a compiler: its version line, its configuration, and the digest of its programs and
headers.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from pathlib import Path

from pennyweight.model import UserError
from pennyweight.toolchains import headers
from pennyweight.toolchains.base import Identity
from pennyweight.toolchains.command import ANSWER_LIMIT_S, run
from pennyweight.toolchains.digests import file_sha256

GNU = "Free Software Foundation"
"""What the `--version` of each GNU compiler contains."""

_PROGRAMS = ("cc1", "as", "ld")
_BESIDE_CC1 = ("lto1", "lto-wrapper", "collect2", "liblto_plugin.so")
"""The link-time optimiser and the linker's wrapper, if present."""
_CPLUSPLUS = "cc1plus"
_SPECS = "specs"


def printed_version(driver: Path) -> str:
    """The output of a compiler with `--version`; empty for a program that does not know it."""
    stat = driver.stat()
    return _printed_version(driver, stat.st_mtime_ns, stat.st_size)


@functools.cache
def _printed_version(driver: Path, _time: int, _size: int) -> str:
    try:
        done = run([driver, "--version"], cwd=Path("/"), time_limit=ANSWER_LIMIT_S)
    except (OSError, UserError):
        return ""
    return done.output if done.ok else ""


def identify(name: str, driver: Path) -> Identity | str:
    """The identity of the gcc at `driver`, or why it is none: the end of a sentence about it."""
    here = driver.parent
    version = run(
        [driver, "--version"], cwd=here, temporary=Path("/tmp"), time_limit=ANSWER_LIMIT_S
    )
    if not version.ok:
        return f"does not run ({(version.output.strip().splitlines() or ['no message'])[0]})"
    if GNU not in version.output:
        return "is not a GNU compiler"
    verbose = run([driver, "-v"], cwd=here, temporary=Path("/tmp"), time_limit=ANSWER_LIMIT_S)
    configured = [line for line in verbose.output.splitlines() if line.startswith("Configured")]
    binaries, cplusplus = _programs(driver, driver.stat().st_mtime_ns)
    return Identity(
        name=name,
        version=version.output.splitlines()[0].strip(),
        configuration=configured[0] if configured else "",
        sha256=_digest(binaries, headers.own(driver)),
        cplusplus_sha256=_digest(cplusplus, headers.of_cplusplus(driver)),
    )


@functools.cache
def _programs(driver: Path, _changed: int) -> tuple[list[Path], list[Path]]:
    """The driver and the programs that it calls for C, and those for C++."""
    binaries = [driver.resolve()]
    cplusplus: list[Path] = []
    for program in _PROGRAMS:
        found = run(
            [driver, f"-print-prog-name={program}"],
            cwd=driver.parent,
            temporary=Path("/tmp"),
            time_limit=ANSWER_LIMIT_S,
        )
        path = Path(found.output.strip())
        if path.is_absolute() and path.is_file():
            binaries.append(path.resolve())
            if program == "cc1":
                binaries += _beside(path, _BESIDE_CC1)
                cplusplus += _beside(path, (_CPLUSPLUS,))
    return binaries, cplusplus


def file_stamps(driver: Path) -> tuple[tuple[int, ...], ...]:
    """Values that change when a compiler is replaced, for example by automatic upgrades: sizes and
    times of its programs, and the times of its header folders.
    """
    binaries, cplusplus = _programs(driver, driver.stat().st_mtime_ns)
    return tuple(map(_file_stamp, (*binaries, *cplusplus, *headers.own(driver))))


def _file_stamp(path: Path) -> tuple[int, ...]:
    try:
        stat = path.stat()
    except OSError:
        return ()
    return (stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)


def _beside(program: Path, names: tuple[str, ...]) -> list[Path]:
    """The files with these names in the real folder of a program."""
    beside = (program.resolve().parent / name for name in names)
    return [each.resolve() for each in beside if each.is_file()]


def _digest(programs: list[Path], folders: tuple[Path, ...]) -> str:
    digests = [*map(file_sha256, programs), headers.sha256(folders)]
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()


def libraries_sha256(driver: Path, flags: tuple[str, ...], names: tuple[str, ...]) -> str:
    """Digest of the libraries that a compiler would link with these flags; missing ones are
    skipped.

    The start file and library of a part named by `-mmcu` are linked implicitly, and a file `specs`
    next to the start files changes what the driver calls (GCC manual, section "Spec Files").
    """
    found = _libraries(driver, flags, names, driver.stat().st_mtime_ns)
    return _digest_of(found, tuple(_file_stamp(path) for _, path in found))


@functools.cache
def _libraries(
    driver: Path, flags: tuple[str, ...], names: tuple[str, ...], _changed: int
) -> tuple[tuple[str, Path], ...]:
    """The existing libraries with their paths."""
    parts = [flag.removeprefix("-mmcu=") for flag in flags if flag.startswith("-mmcu=")]
    unasked = [name for part in parts for name in (f"crt{part}.o", f"lib{part}.a")]
    there = []
    for name in (_SPECS, *names, *unasked):
        found = run(
            [driver, *flags, f"-print-file-name={name}"],
            cwd=driver.parent,
            temporary=Path("/tmp"),
            time_limit=ANSWER_LIMIT_S,
        )
        path = Path(found.output.strip())
        if found.ok and path.is_absolute() and path.is_file():
            there.append((name, path))
    return tuple(there)


@functools.cache
def _digest_of(
    libraries: tuple[tuple[str, Path], ...], _stamps: tuple[tuple[int, ...], ...]
) -> str:
    total = hashlib.sha256()
    for name, path in libraries:
        with contextlib.suppress(OSError):  # being replaced at this moment
            total.update(f"{name} {file_sha256(path.resolve())}\n".encode())
    return total.hexdigest()
