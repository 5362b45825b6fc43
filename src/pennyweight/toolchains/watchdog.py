"""Ends compilers whose process is gone; a killed worker's compilers would otherwise continue.

Each process that runs compilers starts a small shell in a separate session. A compiler's process
group sends its number through a pipe before it executes the compiler. When the last holder of the
pipe is gone, the shell kills the groups that are still running. There is no race: a group that has
not sent its number holds the pipe.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress

ANNOUNCE = "trap '' PIPE; echo \"+ $$\" >&0; trap - PIPE; exec </dev/null; "
"""First command of a group's leader, a shell with the pipe as its standard input."""

_SCRIPT = """\
live=
while read -r word group; do
    case $word in
    +) live="$live $group" ;;
    -)
        rest=
        for each in $live; do [ "$each" = "$group" ] || rest="$rest $each"; done
        live=$rest
        ;;
    esac
done
for each in $live; do kill -9 "-$each"; done
"""


class Watchdog:
    """The shell for this process: started on first use, and again if it was killed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process = 0
        self._pipe = -1
        os.register_at_fork(after_in_child=self._forget)

    def pipe(self) -> int:
        """The standard input for a group's leader, which uses it for :data:`ANNOUNCE`."""
        with self._lock:
            if not self._process or not _lives(self._process):
                self._start()
            return self._pipe

    def ended(self, group: int) -> None:
        """Records that a group has ended, because its number may be reused."""
        with self._lock, suppress(OSError):
            os.write(self._pipe, f"- {group}\n".encode())

    def _start(self) -> None:
        if self._pipe >= 0:
            os.close(self._pipe)
        reading, self._pipe = os.pipe()
        nothing = os.open(os.devnull, os.O_RDWR)
        try:
            self._process = os.posix_spawn(
                "/bin/sh",
                ["sh", "-c", _SCRIPT],
                {"PATH": os.defpath},
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, reading, 0),
                    (os.POSIX_SPAWN_DUP2, nothing, 1),
                    (os.POSIX_SPAWN_DUP2, nothing, 2),
                ],
                setsid=True,
            )
        finally:
            os.close(reading)
            os.close(nothing)

    def _forget(self) -> None:
        """A forked process must not hold its parent's pipe."""
        if self._pipe >= 0:
            with suppress(OSError):
                os.close(self._pipe)
        self._lock = threading.Lock()
        self._process, self._pipe = 0, -1


def _lives(process: int) -> bool:
    try:
        return os.waitpid(process, os.WNOHANG)[0] == 0
    except ChildProcessError:
        return False


watchdog = Watchdog()
"""The watchdog of this process."""
