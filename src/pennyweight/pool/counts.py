"""What a long task has done so far: a worker counts it, and reports it twice a second."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import IO

from pennyweight.pool.pipe import send

_INTERVAL_S = 0.5


@dataclass(frozen=True, slots=True)
class Count:
    """Sent to the parent before the answer; `what` is a plural."""

    number: int
    what: str


class _Counter:
    """The counts of the current task; `outbox` is the pipe to the parent of a worker."""

    def __init__(self) -> None:
        self.outbox: IO[bytes] | None = None
        self._numbers: dict[str, int] = {}
        self._sent = 0.0

    def start(self) -> None:
        """A task begins."""
        self._numbers, self._sent = {}, time.monotonic()

    def add(self, what: str) -> None:
        """Counts one."""
        self._numbers[what] = number = self._numbers.get(what, 0) + 1
        now = time.monotonic()
        if self.outbox is not None and now - self._sent >= _INTERVAL_S:
            self._sent = now
            send(self.outbox, Count(number, what))


_counter = _Counter()


def add(what: str) -> None:
    """Counts one thing that the current task has done, such as one of the "calls". Has no effect
    outside a worker.
    """
    _counter.add(what)


def start() -> None:
    """Counts from 0 again, because a task begins."""
    _counter.start()


def use(outbox: IO[bytes]) -> None:
    """Sends counts to this pipe, between the answers."""
    _counter.outbox = outbox
