"""A job: one implementation on one board with one compiler and one set of flags.

It is a value with everything that a user can choose and that a measurement depends on, and nothing
else. Each option of measurements is a field. Planning, naming, building, verifying, measuring and
shipping take the whole job.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from pennyweight.catalogue.boards import Board
from pennyweight.catalogue.flags import parse_flags, spelled
from pennyweight.catalogue.implementation import Implementation
from pennyweight.model import Case, UserError

Level = Literal["every", "full", "quick", "none"]
"""Which known answers are run before measuring.

`every`: like `full`, but with complete Monte Carlo chains, which the other levels shorten. `full`:
every record of every known-answer set. `quick`: a sample of 33 records. `none`.
"""

RandomSource = Literal["", "trng", "free", "lfsr"]
"""Where an implementation's random words come from.

`trng`: the part's generator. `free`: a word of a sequence that costs an addition. `lfsr`: a linear
feedback shift register in software. Empty: `trng` if the board has a generator and is simulated,
otherwise `lfsr`.
"""

RANDOM_SOURCES: tuple[RandomSource, ...] = tuple(each for each in get_args(RandomSource) if each)
"""Those with a name."""

DEFAULT_BUDGET = 200_000_000
"""Cycles after which a call is aborted."""


@dataclass(frozen=True, slots=True)
class Job:
    """What to build, verify and measure. Raises `UserError` for flags that are not allowed, and for
    a source of random words that the board does not have.

    `flags` are normalised: spaces and quotes do not make a difference. `budget` is in cycles per
    call.
    """

    implementation: Implementation
    board: Board
    flags: str
    cases: Sequence[Case] = ()
    verify: Level = "full"
    budget: int = DEFAULT_BUDGET
    compiler: str = ""
    """The compiler to use; empty: the one that the board's file names."""
    on: str = ""
    """Where the real board is, in the form of `--on`; empty: the job is simulated."""
    device: str = ""
    """Part, core and identity of the real board, in words. The numbers depend on it."""
    repeats: int = 1
    """How often a call is measured: counts may vary on a real board."""
    warm: int = 1
    """Calls before the measured one, if caches, buffers or predictions make a difference."""
    random: RandomSource = ""
    """The source of random words, for implementations that use some; see `random_source`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "flags", spelled(self.flags))
        object.__setattr__(self, "cases", tuple(self.cases))
        if self.random == "trng" and self.board.file.random is None:
            raise UserError(
                f"{self.board.path}: table [random] is missing for 'trng'"
                + (f": {reason}" if (reason := self.board.file.no_random) else "")
                + "; add it, or use 'free' or 'lfsr'"
            )
        if self.random == "trng" and self.on:
            raise UserError(
                f"--random: 'trng' is not available on a connected board ({self.on}), whose "
                "generator Pennyweight does not start; use 'free' or 'lfsr'"
            )

    @property
    def options(self) -> tuple[str, ...]:
        """The flags as a list."""
        return parse_flags(self.flags)

    @property
    def random_source(self) -> RandomSource:
        """The source of random words for an implementation that uses some."""
        if self.random:
            return self.random
        return "trng" if self.board.file.random is not None and not self.on else "lfsr"

    def label(self, uses_random: bool) -> str:
        """The flags as rows have them. The source of random words follows, if the implementation
        uses some, because builds with different sources are different builds.
        """
        return f"{self.flags} (random: {self.random_source})" if uses_random else self.flags

    @property
    def title(self) -> str:
        """The job in words, for progress and messages."""
        compiler = f", {self.compiler}" if self.compiler else ""
        return f"{self.implementation.id} on {self.board.id} {self.flags}{compiler}"
