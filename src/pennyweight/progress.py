"""Progress of a long run: a bar on a terminal's standard error, a line per minute in a log."""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, Protocol


class Progress(Protocol):
    """The interface through which an engine reports its progress."""

    def start(self, total: int) -> None:
        """Starts a run of this many steps."""

    def working_on(self, title: str) -> None:
        """A step has started, or has done something more."""

    def step(self) -> None:
        """A step has ended."""


class Silent:
    """Shows no progress: for pipes, tests and notebooks."""

    def start(self, total: int) -> None:
        """Does nothing."""

    def working_on(self, title: str) -> None:
        """Does nothing."""

    def step(self) -> None:
        """Does nothing."""


_SHOW_AFTER_SECONDS = 1.0
_LINE_SECONDS = 60.0
_COUNTS = 32
"""Maximum width of count, rate and time in characters."""


class Pace:
    """Counts steps and computes the rate. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, steps: str = "jobs") -> None:
        self._clock = clock
        self._steps = steps
        self._began = clock()
        self.total: int | None = None
        self.done = 0

    def start(self, total: int) -> None:
        """Starts counting; `total` is the number of steps."""
        self.total, self.done, self._began = total, 0, self._clock()

    def step(self) -> None:
        """Counts one step."""
        self.done += 1

    @property
    def per_minute(self) -> float | None:
        """Steps per minute since the start; None before the first step."""
        seconds = self._clock() - self._began
        return 60 * self.done / seconds if self.done and seconds > 0 else None

    @property
    def minutes_left(self) -> float | None:
        """Time left at the current rate; None before the first step."""
        rate = self.per_minute
        return None if rate is None or self.total is None else (self.total - self.done) / rate

    def counts(self) -> str:
        """For example `12/300  45/min  6:24 left`."""
        total = "?" if self.total is None else str(self.total)
        rate, left = self.per_minute, self.minutes_left
        words = [f"{self.done}/{total}"]
        if rate is not None:
            words.append(f"{_rate(rate)}/min")
        if left is not None:
            words.append(f"{_duration(left)} left")
        return "  ".join(words)

    def line(self) -> str:
        """For example `12/300 jobs, 45 a minute, 7 minutes left`, for a log."""
        rate, left = self.per_minute, self.minutes_left
        text = f"{self.done}/{self.total} {self._steps}"
        if rate is None or left is None:
            return text
        return f"{text}, {_rate(rate)} a minute, {math.ceil(left)} minutes left"


def _rate(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}"


def _duration(minutes: float) -> str:
    seconds = math.ceil(60 * minutes)
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


class Bar:
    """A bar on standard error, which appears after a second of work.

    It shows counts, steps per minute, time left and, if there is room, the current step. It is a
    context manager: at its end the bar is removed, and rows can be printed.
    """

    def __init__(self, verb: str) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn
        from rich.table import Column
        from rich.text import Text

        console = Console(stderr=True)
        width = min(16, max(4, console.width - len(verb) - _COUNTS - 3))
        self._room = max(0, console.width - len(verb) - width - _COUNTS - 4)
        self._pace = Pace()
        pace = self._pace

        class Counts(TextColumn):
            max_refresh = 0.5

            def render(self, task: Any) -> Text:
                return Text(pace.counts(), no_wrap=True)

        self._bar: Any = Progress(
            TextColumn(verb, table_column=Column(no_wrap=True, overflow="crop")),
            BarColumn(bar_width=width),
            Counts("", table_column=Column(no_wrap=True, overflow="crop")),
            TextColumn(
                "{task.description}",
                markup=False,
                table_column=Column(no_wrap=True, overflow="ellipsis"),
            ),
            console=console,
            transient=True,
        )
        self._task = self._bar.add_task("", total=None)
        self._timer = threading.Timer(_SHOW_AFTER_SECONDS, self._bar.start)
        self._timer.daemon = True

    def __enter__(self) -> Bar:
        self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._timer.cancel()
        self._timer.join()
        self._bar.stop()

    def start(self, total: int) -> None:
        """Starts a run of this many steps."""
        self._pace.start(total)
        self._bar.update(self._task, total=total)

    def working_on(self, title: str) -> None:
        """Shows the title of the newest step."""
        short = title if len(title) <= self._room else title[: max(0, self._room - 1)] + "…"
        self._bar.update(self._task, description=short if self._room > 3 else "")

    def step(self) -> None:
        """Counts one step."""
        self._pace.step()
        self._bar.advance(self._task)


class Lines:
    """At most one line per minute on standard error, for logs; none in the first minute. `steps` is
    the word for what is counted.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, steps: str = "jobs") -> None:
        self._clock = clock
        self._pace = Pace(clock, steps)
        self._printed = clock()

    def start(self, total: int) -> None:
        """Starts a run of this many steps."""
        self._pace.start(total)
        self._printed = self._clock()

    def working_on(self, title: str) -> None:
        """Does nothing."""

    def step(self) -> None:
        """Counts one step; prints a line if the last one is a minute old."""
        self._pace.step()
        if self._clock() - self._printed >= _LINE_SECONDS and sys.stderr is not None:
            self._printed = self._clock()
            with suppress(OSError):
                print(f"pennyweight: {self._pace.line()}", file=sys.stderr, flush=True)


def wants_bar() -> bool:
    """Whether standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()
