"""Sends objects over a pipe: eight bytes of length, then a pickle.

Both ends run this package on one machine, and no other process has access to the pipe.
"""

from __future__ import annotations

import pickle
import struct
from typing import IO, Any

_LENGTH = struct.Struct("<Q")


def send(stream: IO[bytes], item: object) -> None:
    """Writes one object. Raises pickling errors before anything is written."""
    content = pickle.dumps(item, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(_LENGTH.pack(len(content)) + content)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Reads one object. Raises EOFError if the other end is closed."""
    (length,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    return pickle.loads(_exactly(stream, length))


def _exactly(stream: IO[bytes], count: int) -> bytes:
    content = stream.read(count)
    if content is None or len(content) < count:
        raise EOFError
    return content
