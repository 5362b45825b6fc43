"""A bad cable: a terminal or TCP port that forwards to another and loses and changes bytes."""

from __future__ import annotations

import contextlib
import os
import pty
import random
import select
import socket
import threading
import tty
from collections.abc import Callable, Iterator

Damage = Callable[[bytes], bytes]
"""Transforms the bytes of one transfer."""


class Noise:
    """Changes or loses about one byte in `every`, reproducibly; `cut` loses everything."""

    def __init__(self, every: int, seed: int = 1) -> None:
        self._random = random.Random(seed)
        self._every = every
        self.cut = False
        self.damaged = 0

    def __call__(self, data: bytes) -> bytes:
        if self.cut:
            return b""
        found = bytearray()
        for byte in data:
            if self._every and self._random.randrange(self._every) == 0:
                self.damaged += 1
                if self._random.randrange(2):
                    continue
                byte ^= 1 << self._random.randrange(8)
            found.append(byte)
        return bytes(found)


@contextlib.contextmanager
def noisy_terminal(path: str, damage: Damage) -> Iterator[str]:
    """The path of a pseudo terminal that forwards to the one at `path`.

    The board's end stays open, so opening the new one does not reset the board.
    """
    own, foreign = pty.openpty()
    tty.setraw(foreign)
    board = os.open(path, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(board)
    with _pumping(own, board, damage):
        yield os.ttyname(foreign)
    for each in (own, foreign, board):
        os.close(each)


@contextlib.contextmanager
def noisy_port(port: int, damage: Damage) -> Iterator[int]:
    """The number of a TCP port that forwards to another, one connection after another."""
    listener = socket.create_server(("127.0.0.1", 0))
    ending = threading.Event()

    def serve() -> None:
        while not ending.is_set():
            with contextlib.suppress(OSError):
                one, _ = listener.accept()
                with (
                    one,
                    socket.create_connection(("127.0.0.1", port)) as other,
                    _pumping(one.fileno(), other.fileno(), damage) as done,
                ):
                    done.wait()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield listener.getsockname()[1]
    finally:
        ending.set()
        listener.close()


@contextlib.contextmanager
def _pumping(one: int, other: int, damage: Damage) -> Iterator[threading.Event]:
    """Forwards bytes between two descriptors in both directions until one closes."""
    ending = threading.Event()

    def pump() -> None:
        with contextlib.suppress(OSError):
            while not ending.is_set():
                ready, _, _ = select.select([one, other], [], [], 0.1)
                for source in ready:
                    data = os.read(source, 4096)
                    if not data:
                        return
                    os.write(other if source == one else one, damage(data))

    def run() -> None:
        pump()
        ending.set()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield ending
    finally:
        ending.set()
        thread.join(5.0)
