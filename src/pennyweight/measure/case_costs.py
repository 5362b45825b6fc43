"""The costs of a case, from its first and second call."""

from __future__ import annotations

import statistics
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from pennyweight.model import Case
from pennyweight.target import Failure, Result, Target


@dataclass(frozen=True, slots=True)
class Counts:
    """Cycles of the second and of the first call, instructions, and bytes of stack."""

    cycles: int
    cycles_cold: int
    instructions: int | None
    stack: int
    spread: int | None = None
    """Between the least and the most cycles of calls that were repeated."""
    least: int | None = None
    """The least of those cycles."""
    random_words: int = 0
    """Random words of 32 bits, rounded up."""
    random_wait: int = 0
    """Cycles of waiting for them."""


class Function(ABC):
    """A set of functions that can be measured."""

    target: Target

    @abstractmethod
    def measure(self, case: Case, in_place: bool) -> Counts | Failure:
        """The costs of a case. Raises `DoesNotFitError` if its buffers leave no room."""


def repeated(
    once: Callable[[], Result | Failure],
    check: Callable[[Result], Failure | None],
    buffered: bool,
    repeats: int = 1,
    warm: int = 1,
) -> Counts | Failure:
    """Calls once, or `warm` times before the measured call if prefetch buffers, caches or branch
    prediction make a difference.

    `once` refills the buffers and calls; the state of the part stays as after the first call. The
    last call is repeated `repeats` times: the result has the median of the cycles, and the smallest
    stack, because an interrupt may add to it.
    """
    first = once()
    if isinstance(first, Failure):
        return first
    failure = check(first)
    if failure is not None:
        return failure
    second = first
    for number in range(2, warm + 2) if buffered or warm > 1 else ():
        which = "the second call" if number == 2 else f"call {number}"
        again = once()
        if isinstance(again, Failure):
            return again.during(which)
        second = again
        failure = check(second)
        if failure is not None:
            return failure.during(which)
    if repeats > 1:
        return _median(once, check, first, second, repeats)
    return Counts(
        cycles=second.outcome.cycles,
        cycles_cold=first.outcome.cycles,
        instructions=second.outcome.instructions,
        stack=max(first.stack, second.stack),
        random_words=second.random_words,
        random_wait=second.outcome.random[1],
    )


def _median(
    once: Callable[[], Result | Failure],
    check: Callable[[Result], Failure | None],
    first: Result,
    second: Result,
    repeats: int,
) -> Counts | Failure:
    """The counts of `repeats` calls, of which the second is one; the median of an even number is
    rounded.
    """
    found = [second]
    while len(found) < repeats:
        again = once()
        failure = again if isinstance(again, Failure) else check(again)
        if isinstance(again, Failure) or failure is not None:
            assert failure is not None
            return failure.during(f"repetition {len(found) + 1}")
        found.append(again)
    cycles = sorted(each.outcome.cycles for each in found)
    return Counts(
        cycles=round(statistics.median(cycles)),
        cycles_cold=first.outcome.cycles,
        instructions=second.outcome.instructions,
        stack=min(each.stack for each in found),
        spread=cycles[-1] - cycles[0],
        least=cycles[0],
        random_words=second.random_words,
        random_wait=second.outcome.random[1],
    )
