"""The overhead of NIST's harness during a call: interrupts of its timer and its serial line.

The harness of the Arduino boards prints the lengths of a case, calls both directions five times,
and prints the medians. Printed text waits in a buffer, from which an interrupt takes a character
whenever the line has sent one, also while calls are timed. All of this follows from the sources of
the harness and of Arduino's core; nothing was fitted to the figures.

Sources: NIST's repository, src/lwc-benchmarking (experiment_timing.cpp: series, trials, texts);
ArduinoCore-avr 1.8 (HardwareSerial.cpp, wiring.c), ArduinoCore-megaavr 1.8 (UART.cpp, timers.c):
buffers, baud rates. Cycles of the handlers: these sources built by avr-gcc 7.3.0 at each level with
-flto, with instructions counted by the datasheets' tables, including the core's response and the
jump in the vector table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from statistics import median_low

from pennyweight.model import Case, Kind, Operation

_TRIALS = 5
_SHORT = range(0, 129, 8)
_LONG = (256, 384, 512)
_FILLED = 580
"""Bytes of message, associated data, key and nonce that the harness fills before each call."""
_CYCLES_A_BYTE = 8
"""Cycles per byte to fill: store, count, compare, branch. It only shifts the characters' positions
in a trial.
"""
_HEADER = 200
"""Characters before a series: more than the buffer holds, so that it starts full."""


@dataclass(frozen=True, slots=True)
class SerialLine:
    """A board's serial line; times in cycles of the core."""

    character: int
    """Time per character: ten bits."""
    room: int
    """Characters that wait, in addition to the two in the line's registers."""
    handler: Mapping[str, int]
    """Cycles of the interrupt for one character, by optimisation level."""


@dataclass(frozen=True, slots=True)
class Timer:
    """The timer that counts milliseconds: its interrupt takes `cycles` once per `period`."""

    cycles: int
    period: int


@dataclass(frozen=True, slots=True)
class Harness:
    """The interrupts during a call on one board, and the unit of its figures."""

    timer: Timer | None = None
    line: SerialLine | None = None
    cycles_per_unit: int = 1

    def spent(self, kind: Kind, level: str, own: Mapping[Case, int]) -> dict[Case, int]:
        """The cycles that the board's clock would have shown for calls of `own` cycles.

        The median of the trials, as the harness prints it. `level` is the optimisation level of
        harness, core and call.
        """
        if self.line is None:
            return {case: self._with_timer(cycles) for case, cycles in own.items()}
        extra = _Run(self, self.line, self.line.handler[level], kind, own).characters()
        handler = self.line.handler[level]
        return {
            case: self._with_timer(cycles + handler * extra.get(case, 0))
            for case, cycles in own.items()
        }

    def _with_timer(self, cycles: int) -> int:
        """Timer interrupts come whole: more than half of the trials meet the nearest number."""
        if self.timer is None:
            return cycles
        free = self.timer.period - self.timer.cycles
        return cycles + self.timer.cycles * ((2 * cycles + free) // (2 * free))


class _Run:
    """Simulates the time of one harness run: how many characters are sent during each call."""

    def __init__(
        self,
        harness: Harness,
        line: SerialLine,
        handler: int,
        kind: Kind,
        own: Mapping[Case, int],
    ) -> None:
        self._harness = harness
        self._line = line
        self._handler = handler
        self._kind = kind
        self._own = own
        self._now = 0.0
        self._next = 0.0
        """The time at which the line takes its next character."""
        self._waiting = 0

    def characters(self) -> dict[Case, int]:
        """For each known case the median number of characters sent during its trials."""
        found: dict[Case, int] = {}
        results = 0
        for lengths in _order(self._kind):
            if lengths is None:
                self._print(_HEADER + results)
                results = 0
                continue
            ad, m = lengths
            self._print(results + _announced(self._kind, ad, m))
            calls = [Case(op, ad, m) for op in _operations(self._kind)]
            took = {call: _between(self._own, call) for call in calls}
            if any(cycles is None for cycles in took.values()):
                break
            met: dict[Case, list[int]] = {call: [] for call in calls}
            for _ in range(_TRIALS):
                for call in calls:
                    if self._kind is Kind.AEAD:
                        self._pass(_FILLED * _CYCLES_A_BYTE)
                    met[call].append(self._pass(took[call] or 0))
            results = 3
            for call in calls:
                count = median_low(met[call])
                found[call] = count
                shown = ((took[call] or 0) + count * self._handler) // self._harness.cycles_per_unit
                results += len(f"{call.op.value}={shown} ")
        return found

    def _pass(self, cycles: float) -> int:
        """Advances the processor by this many cycles; returns the number of characters sent."""
        end = self._now + cycles
        sent = 0
        while self._waiting and self._next < end:
            sent += 1
            self._waiting -= 1
            end += self._handler
            self._next += self._line.character
        self._now = end
        return sent

    def _print(self, characters: int) -> None:
        """Prints text, and waits while the buffer is full."""
        if not self._waiting and self._next < self._now:
            # The idle line takes two at once: one to send, one in the register after it.
            characters -= 2
            self._next = self._now + self._line.character
        self._waiting += max(0, characters)
        while self._waiting > self._line.room:
            self._waiting -= 1
            self._now = max(self._now, self._next)
            self._next = self._now + self._line.character


def _order(kind: Kind) -> Iterator[tuple[int, int] | None]:
    """The harness's cases in its order, as lengths of associated data and message; `None` where it
    prints a header.
    """
    yield None
    if kind is Kind.AEAD:
        yield from ((ad, m) for ad in _SHORT for m in _SHORT)
        yield None
        yield from ((0, m) for m in _LONG)
        yield None
        yield from ((ad, 0) for ad in _LONG)
    else:
        yield from ((0, m) for m in _SHORT)
        yield None
        yield from ((0, m) for m in _LONG)


def _operations(kind: Kind) -> tuple[Operation, ...]:
    return (Operation.ENC, Operation.DEC) if kind is Kind.AEAD else (Operation.HASH,)


def _announced(kind: Kind, ad: int, m: int) -> int:
    """Characters of the lengths that are printed before the trials."""
    return len(f"ad={ad} msg={m} ") if kind is Kind.AEAD else len(f"msg={m} ")


def _between(own: Mapping[Case, int], call: Case) -> float | None:
    """Cycles of a case, interpolated linearly if it was not run.

    With both lengths above 0, the cost of associated data with an empty message is added.
    """

    def along(length: int, make: Callable[[int], Case]) -> float | None:
        known = sorted(n for n in (0, *_SHORT, *_LONG) if make(n) in own)
        below = [n for n in known if n <= length]
        above = [n for n in known if n >= length]
        if not below or not above:
            return None
        low, high = below[-1], above[0]
        first, last = own[make(low)], own[make(high)]
        share = (length - low) / (high - low) if high > low else 0.0
        return first + (last - first) * share

    if call in own:
        return own[call]
    message = along(call.m, lambda n: Case(call.op, 0, n))
    data = along(call.ad, lambda n: Case(call.op, n, 0))
    nothing = own.get(Case(call.op, 0, 0))
    if message is None or data is None or nothing is None:
        return None
    return message + data - nothing
