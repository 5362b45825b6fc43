"""Ends compilers whose process is gone: what a killed worker had started would run on else.

Each process that runs compilers has a small shell beside it, in a session of its own. A compiler's
process group tells it its number through a pipe before it becomes the compiler; when the last
holder of the pipe is gone, however it ended, the shell kills the groups that have not ended by
then. Nothing is left to chance: a group that has not told its number yet holds the pipe.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress

ANNOUNCE = "trap '' PIPE; echo \"+ $$\" >&0; trap - PIPE; exec </dev/null; "
"""What a group's leader, a shell with the pipe as its standard input, does first."""

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
    """The shell beside this process: started when first needed, and again if it was killed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process = 0
        self._pipe = -1
        os.register_at_fork(after_in_child=self._forget)

    def pipe(self) -> int:
        """What a group's leader gets as its standard input, to :data:`ANNOUNCE` itself by."""
        with self._lock:
            if not self._process or not _lives(self._process):
                self._start()
            return self._pipe

    def ended(self, group: int) -> None:
        """That group has ended: its number may be another's soon."""
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
        """A fork is a process of its own: it must not hold its parent's pipe."""
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
"""This process's."""
