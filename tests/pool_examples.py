"""Functions for the worker processes of the pool's tests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from pennyweight.model import UserError


def double(number: int) -> int:
    print("printed by a task")
    return 2 * number


def fail_as_user(name: str) -> None:
    raise UserError(f"{name}: no such thing")


class OddError(Exception):
    """Cannot be pickled back: its constructor wants two arguments."""

    def __init__(self, first: int, second: int) -> None:
        super().__init__(f"{first} is not {second}")


def fail_oddly() -> None:
    raise OddError(1, 2)


def give_unpicklable() -> object:
    return lambda: None


def die(number: int) -> None:
    print("last words", file=sys.stderr, flush=True)
    os.kill(os.getpid(), number)


def leave(status: int) -> None:
    os._exit(status)


def sleep_with_child(marker: str) -> None:
    """Starts a child, tells both process ids, and sleeps."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    text = f"{os.getpid()} {child.pid}"
    temporary = Path(marker + ".new")
    temporary.write_text(text)
    temporary.rename(marker)
    time.sleep(60)


def ignore_signals_and_sleep(marker: str) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sleep_with_child(marker)
