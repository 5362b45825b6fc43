"""A worker process: calls the functions that arrive on its standard input until that is closed.

Started by :mod:`pennyweight.pool.processes` as the leader of its own process group.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import sys
import threading
import traceback
from typing import IO, Any

from pennyweight.pool import counts
from pennyweight.pool.pipe import receive, send


class _Inbox:
    """Tasks from the parent, read ahead so that the parent's end is noticed at once."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._busy = threading.Event()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            while True:
                self._tasks.put(receive(self._stream))
        except EOFError:
            pass
        except Exception as error:
            self._tasks.put(error)
        if self._busy.is_set():
            os.killpg(0, signal.SIGKILL)
        self._tasks.put(None)

    def next(self) -> Any:
        """The next task; None at the end."""
        self._busy.clear()
        task = self._tasks.get()
        self._busy.set()
        return task


def work(inbox: IO[bytes], outbox: IO[bytes]) -> None:
    """Answers every task with (value, error, trace), after what it counts."""
    tasks = _Inbox(inbox)
    counts.use(outbox)
    while (task := tasks.next()) is not None:
        counts.start()
        try:
            if isinstance(task, Exception):
                raise task
            function, arguments = task
            send(outbox, (function(*arguments), None, ""))
        except Exception as error:
            send(outbox, (None, _portable(error), traceback.format_exc()))


def _portable(error: Exception) -> Exception:
    """The error itself if it can be pickled, otherwise one with the same message."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def main() -> None:
    """Reserves standard output for answers; printed text goes to standard error."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    work(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
