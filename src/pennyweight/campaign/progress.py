"""How far a long run is, on a terminal's standard error; nowhere else."""

from __future__ import annotations

import sys
import threading
from types import TracebackType
from typing import Any, Protocol


class Progress(Protocol):
    """What an engine tells about its work."""

    def start(self, total: int) -> None:
        """That many steps are to be done."""

    def working_on(self, title: str) -> None:
        """A step has begun."""

    def step(self) -> None:
        """A step has ended."""


class Silent:
    """Says nothing: for pipes, tests and notebooks."""

    def start(self, total: int) -> None:
        """Nothing."""

    def working_on(self, title: str) -> None:
        """Nothing."""

    def step(self) -> None:
        """Nothing."""


_SHOW_AFTER_SECONDS = 1.0
_OTHER_COLUMNS = 44
"""Characters that bar, counts and time take, with the spaces between."""


class Bar:
    """A bar on standard error, which appears once the work has taken a second.

    A context manager: the bar is gone when it ends, and rows can be printed.
    """

    def __init__(self, verb: str) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        console = Console(stderr=True)
        self._room = max(0, console.width - len(verb) - _OTHER_COLUMNS)
        self._bar: Any = Progress(
            TextColumn(verb),
            BarColumn(bar_width=16),
            MofNCompleteColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            TextColumn("{task.description}", markup=False),
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
        """That many steps are to be done."""
        self._bar.update(self._task, total=total)

    def working_on(self, title: str) -> None:
        """Shows what the newest step is about."""
        short = title if len(title) <= self._room else title[: max(0, self._room - 1)] + "…"
        self._bar.update(self._task, description=short)

    def step(self) -> None:
        """One step further."""
        self._bar.advance(self._task)


def wants_bar() -> bool:
    """Whether standard error is a terminal that somebody looks at."""
    return sys.stderr is not None and sys.stderr.isatty()
