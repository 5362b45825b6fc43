"""The recipe for building a compiler: sources, tools, and stages of commands.

A recipe is data; `building` executes it. Its digest and that of the sources name the result.
"""

from __future__ import annotations

import contextlib
import hashlib
import platform
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pennyweight.toolchains.command import which
from pennyweight.toolchains.digests import file_sha256
from pennyweight.toolchains.locations import archives

PREFIX = "/pennyweight"
"""The configured prefix, so that the result does not depend on the location of the cache.

GNU tools find their parts relative to their own location."""


@dataclass(frozen=True, slots=True)
class Need:
    """A required tool or file, and the Debian package that provides it."""

    package: str
    present: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Source:
    """A source archive that a Debian package installs; the newest match is used.

    With `sha256`, it is exactly that file, named `file`, from a package of any distribution, or
    stored by the user in :func:`place.archives`.
    """

    package: str
    pattern: str
    file: str = ""
    sha256: str = ""

    def find(self) -> Path | None:
        """The archive, if it exists."""
        found = sorted(Path("/").glob(self.pattern.lstrip("/")))
        if not self.sha256:
            return found[-1] if found else None
        for path in (archives() / self.file, *found):
            with contextlib.suppress(OSError):
                if file_sha256(path) == self.sha256:
                    return path
        return None


@dataclass(frozen=True, slots=True)
class Stage:
    """A step that is either done or not.

    `commands` run in the folder `folder` of the work folder. `begins_in` is the stage to return to
    if this one was killed, because a killed `make` may leave an incomplete file. `clears` is a
    folder to remove first. `lines` is the approximate number of printed lines, for the progress
    bar.
    """

    name: str
    title: str
    folder: str
    commands: tuple[tuple[str, ...], ...]
    lines: int
    begins_in: str = ""
    clears: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to build a compiler.

    Words of commands may contain ``{jobs}``, ``{root}`` (the folder for `make install`), and
    ``{source:package}`` (the archive of that package). `driver` is the compiler's path in the
    result. `check` are arguments with which it must compile an empty function.
    """

    name: str
    needs: tuple[Need, ...]
    sources: tuple[Source, ...]
    stages: tuple[Stage, ...]
    driver: str
    check: tuple[str, ...]
    disk_mb: int
    minutes: str

    def missing_packages(self) -> list[str]:
        """The missing Debian packages, in the recipe's order, each once."""
        wanted = [need.package for need in self.needs if not need.present()]
        wanted += [
            source.package for source in self.sources if not source.sha256 and source.find() is None
        ]
        return list(dict.fromkeys(wanted))

    @property
    def digest(self) -> str:
        """Digest of the commands: results of one recipe are interchangeable."""
        text = repr(
            [(s.name, s.folder, s.commands, sorted(s.environment.items())) for s in self.stages]
        )
        return hashlib.sha256(f"{self.name}\n{text}".encode()).hexdigest()

    def key(self) -> str:
        """The name of the result: recipe, content of the sources, kind of machine."""
        total = hashlib.sha256(f"{self.digest}\n{platform.machine()}\n".encode())
        for source in self.sources:
            archive = source.find()
            if archive is not None:
                total.update(f"{archive.name} {file_sha256(archive)}\n".encode())
        return total.hexdigest()


def command(name: str) -> Callable[[], bool]:
    """True if a command is on PATH."""
    return lambda: which(name) is not None


def header(name: str) -> Callable[[], bool]:
    """True if the machine's own C compiler finds a header."""

    def found() -> bool:
        compiler = which("gcc")
        if compiler is None:
            return False
        asked = [compiler, "-E", "-xc", "-", "-o", "/dev/null"]
        text = f"#include <{name}>\n"
        return subprocess.run(asked, input=text, text=True, capture_output=True).returncode == 0

    return found


FOR_GCC = (
    Need("gcc", command("gcc")),
    Need("g++", command("g++")),
    Need("make", command("make")),
    Need("xz-utils", command("xz")),
    Need("libgmp-dev", header("gmp.h")),
    Need("libmpfr-dev", header("mpfr.h")),
    Need("libmpc-dev", header("mpc.h")),
    Need("zlib1g-dev", header("zlib.h")),
)
"""Requirements of every GCC (GCC, "Installing GCC: Prerequisites")."""
