"""A job: one implementation on one board with one compiler and one set of flags.

It is a value: everything that a measurement depends on and a user can choose, and nothing else.
An option of measurements is a field here; planning, naming, building, verifying, measuring and
shipping all take the whole job.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pennyweight.catalogue.boards import Board
from pennyweight.catalogue.flags import parse_flags, spelled
from pennyweight.catalogue.implementation import Implementation
from pennyweight.model import Case

Level = Literal["every", "full", "quick", "none"]
"""Which known answers are run before anything is measured.

`every`: `full`, and the whole of the Monte Carlo chains, of which the other levels run less.
`full`: every record of every known-answer set. `quick`: 33 records that stand for all. `none`.
"""

DEFAULT_BUDGET = 200_000_000
"""Cycles after which one call is given up."""


@dataclass(frozen=True, slots=True)
class Job:
    """What to build, to verify and to measure. Raises `UserError` for flags that may not be used.

    `flags` are spelled in one way, whatever spaces and quotes they are given with. `budget` is in
    cycles for each call.
    """

    implementation: Implementation
    board: Board
    flags: str
    cases: Sequence[Case] = ()
    verify: Level = "full"
    budget: int = DEFAULT_BUDGET
    compiler: str = ""
    """Which compiler builds it; empty: the one that the board's file names."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "flags", spelled(self.flags))
        object.__setattr__(self, "cases", tuple(self.cases))

    @property
    def options(self) -> tuple[str, ...]:
        """The flags one by one."""
        return parse_flags(self.flags)

    @property
    def title(self) -> str:
        """The job in words, for progress and messages."""
        return f"{self.implementation.id} on {self.board.id} {self.flags}"
