"""What a part's counter costs, measured on the part, and taken off every count.

Reading the counter before and after a call costs cycles, and so does each interrupt that counts an
overflow. The monitor has two functions for that: one that returns at once, and a loop.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pennyweight.devices.errors import DeviceError
from pennyweight.devices.mailbox import Answer
from pennyweight.devices.reference import EMPTY, LOOP, Reference
from pennyweight.target.interface import Argument

SHORT, LONGER = 100, 1100
"""Rounds of the loop that end before any counter overflows."""

Functions = Callable[[str, list[Argument]], Answer]
"""Calls one of the monitor's own functions."""


@dataclass(frozen=True, slots=True)
class Counter:
    """Cycles to take off: for reading, and for each overflow that an interrupt counted, once that
    is known.
    """

    reading: int
    overflow: int | None = None

    def cycles(self, answer: Answer) -> int:
        """What a call itself took."""
        return answer.cycles - self.reading - (self.overflow or 0) * answer.overflows


def measure_counter(place: str, functions: Functions, reference: Reference) -> Counter:
    """Measures what reading costs. `reference` is what the functions take themselves.

    Raises `DeviceError` if the counter stands still, is not steady, or counts something else.
    """
    first, again = functions(EMPTY, []), functions(EMPTY, [])
    short, longer = functions(LOOP, [("size", SHORT)]), functions(LOOP, [("size", LONGER)])
    if longer.cycles == short.cycles:
        raise DeviceError(
            f"{place}: the part's counter of cycles stands still; does the part have the one that "
            "the board file names in device.counter?"
        )
    if first.cycles != again.cycles:
        raise DeviceError(
            f"{place}: two calls of an empty function took {first.cycles} and {again.cycles} "
            "cycles; is something else running on the part?"
        )
    return Counter(first.cycles - reference.empty)


def measure_overflow(place: str, counter: Counter, functions: Functions, rounds: int) -> Counter:
    """The same with the cost of an overflow, from a loop of so many rounds that has some.

    Raises `DeviceError` if the count does not fit what shorter loops take.
    """
    short, longer, longest = (functions(LOOP, [("size", each)]) for each in (SHORT, LONGER, rounds))
    each, rest = divmod(longer.cycles - short.cycles, LONGER - SHORT)
    extra = longest.cycles - longer.cycles - each * (rounds - LONGER)
    cost, uneven = divmod(extra, longest.overflows) if longest.overflows else (0, 1)
    if rest or uneven or cost < 0:
        raise DeviceError(
            f"{place}: a loop of {rounds} rounds took {longest.cycles} cycles with "
            f"{longest.overflows} overflows of the counter, which does not fit the {longer.cycles} "
            f"of {LONGER} rounds; is something else running on the part?"
        )
    return replace(counter, overflow=cost)
