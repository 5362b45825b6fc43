"""The function `pw_random32` that masked implementations call: its source and its macros."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pennyweight.build.failure import BuildError
from pennyweight.build.mapfile import pieces
from pennyweight.build.sources import Sources
from pennyweight.job import Job, RandomSource
from pennyweight.model import Status

_LIBRARY = frozenset(
    (
        *("rand", "rand_r", "random", "random_r", "drand48", "lrand48", "mrand48", "nrand48"),
        *("jrand48", "arc4random", "arc4random_buf", "arc4random_uniform"),
    )
)
"""The C library's functions for random numbers. No part has a source for them, and most only look
random.
"""

_MEMBER = re.compile(r"\.a\((?:lib_a-)?(?P<name>\w+)\.o\)$")
"""A member of a library; both C libraries have a function in the member of its name."""


@dataclass(frozen=True, slots=True)
class Randomness:
    """What is linked to an implementation that uses random numbers."""

    source: RandomSource
    macros: tuple[str, ...]
    """The part's generator, as compiler flags."""
    bindings: tuple[Path, ...] = ()
    """Functions of third-party frameworks, defined with `pw_random32`."""

    def files(self, firmware: Path) -> tuple[Path, ...]:
        """The functions, as sources."""
        folder = random_folder(firmware)
        return (folder / f"{self.source}.c", folder / "randombytes.c", *self.bindings)


def randomness_of(job: Job, sources: Sources) -> Randomness | None:
    """The functions for a job; `None` if its implementation uses no random numbers."""
    if not sources.uses_random:
        return None
    source = job.random_source
    found = job.board.file.random
    if source != "trng" or found is None:
        return Randomness(source, (), sources.bindings)
    values = {"STATUS": found.status, "READY": found.ready, "DATA": found.data}
    macros = [f"-DPW_RANDOM_{name}={value:#x}" for name, value in values.items()]
    macros.append(f"-DPW_RANDOM_BITS={found.bits}")
    if found.acknowledge:
        macros.append("-DPW_RANDOM_ACKNOWLEDGE")
    return Randomness(source, tuple(macros), sources.bindings)


def random_folder(firmware: Path) -> Path:
    """The functions for random numbers, one source for each way to get them."""
    return firmware / "random"


def from_library(map_text: str) -> list[str]:
    """The C library's functions for random numbers in a program, by the linker's map of it."""
    if "rand" not in map_text:
        return []  # The name of each has this; reading the whole map takes milliseconds.
    members = (_MEMBER.search(piece.object) for piece in pieces(map_text))
    return sorted(_LIBRARY.intersection(member["name"] for member in members if member))


def check_random(functions: Sequence[str]) -> None:
    """Raises `BuildError` if a masked program has its random numbers from these functions of the C
    library. They are neither counted nor those of `--random`, and are the same in each run.
    """
    if functions:
        raise BuildError(
            Status.BUILD_FAILED,
            f"it has shares, but calls {functions[0]}() of the C library, whose numbers are the "
            "same in each run and are not counted: use pw_random32() of "
            '"pennyweight/random.h", or add a source that defines it with that function',
        )
