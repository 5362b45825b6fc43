"""The overhead of a part's cycle counter: measured on the part and subtracted from every count.

Reading the counter before and after a call takes cycles, and so does each interrupt that counts an
overflow. Both are measured with two functions of the monitor: one returns at once, one loops.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pennyweight.devices.errors import CounterError, DeviceError
from pennyweight.devices.mailbox import Answer
from pennyweight.devices.reference import EMPTY, LOOP, Reference
from pennyweight.target.interface import Argument

SHORT, LONGER = 100, 1100
"""Rounds of the loop, few enough that no counter overflows."""

Functions = Callable[[str, list[Argument]], Answer]
"""Calls one of the monitor's functions."""


@dataclass(frozen=True, slots=True)
class Counter:
    """Cycles to subtract: for reading the counter, and for each overflow (`None`: not measured
    yet).
    """

    reading: int
    overflow: int | None = None

    def cycles(self, answer: Answer) -> int:
        """The cycles of the call alone."""
        return answer.cycles - self.reading - (self.overflow or 0) * answer.overflows


def measure_counter(
    place: str, functions: Functions, reference: Reference, grain: int = 1
) -> Counter:
    """Measures the overhead of reading. `reference` has the cycles of the functions themselves;
    the counter changes every `grain` cycles.

    Raises `DeviceError` if the counter is stopped or two equal calls differ.
    """
    first, again = functions(EMPTY, []), functions(EMPTY, [])
    short, longer = functions(LOOP, [("size", SHORT)]), functions(LOOP, [("size", LONGER)])
    if longer.cycles == short.cycles:
        raise CounterError(
            f"{place}: the part's cycle counter is stopped; check device.counter in the board file"
        )
    if abs(first.cycles - again.cycles) > (grain if grain > 1 else 0):
        raise DeviceError(
            f"{place}: two calls of an empty function took {first.cycles} and {again.cycles} "
            "cycles; check that nothing else runs on the part, such as a radio stack"
        )
    return Counter(min(first.cycles, again.cycles) - reference.empty)


def measure_overflow(place: str, counter: Counter, functions: Functions, rounds: int) -> Counter:
    """Adds the overhead of an overflow, measured with a loop of `rounds` that has some.

    Raises `DeviceError` if the count does not agree with shorter loops.
    """
    short, longer, longest = (functions(LOOP, [("size", each)]) for each in (SHORT, LONGER, rounds))
    each, rest = divmod(longer.cycles - short.cycles, LONGER - SHORT)
    extra = longest.cycles - longer.cycles - each * (rounds - LONGER)
    cost, uneven = divmod(extra, longest.overflows) if longest.overflows else (0, 1)
    if rest or uneven or cost < 0:
        raise DeviceError(
            f"{place}: a loop of {rounds} rounds took {longest.cycles} cycles with "
            f"{longest.overflows} overflows of the counter, which does not agree with "
            f"{longer.cycles} cycles for {LONGER} rounds; check that nothing else runs on the part"
        )
    return replace(counter, overflow=cost)
