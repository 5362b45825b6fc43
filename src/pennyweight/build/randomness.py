"""The function `pw_random32` that masked implementations call: its source and its macros."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pennyweight.build.sources import Sources
from pennyweight.job import Job, RandomSource


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
