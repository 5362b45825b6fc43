"""Frames on a serial line, as `firmware/device/serial.c` describes them."""

from __future__ import annotations

import binascii

START = 0x7E


def frame(payload: bytes) -> bytes:
    """A payload with start, size and CRC-16."""
    body = bytes((len(payload),)) + payload
    return bytes((START,)) + body + binascii.crc_hqx(body, 0xFFFF).to_bytes(2, "big")


def take(waiting: bytearray) -> bytes | None:
    """The payload of the first complete frame received; `None` if there is none yet.

    Bytes that were taken or cannot be part of a frame are removed. Noise may look like the start of
    a long frame, so a complete frame after it is accepted.
    """
    first = None
    start = waiting.find(START)
    while start >= 0:
        size = waiting[start + 1] if start + 1 < len(waiting) else 0
        end = start + size + 4
        if not size or end > len(waiting):
            first = start if first is None else first
        else:
            body, crc = waiting[start + 1 : end - 2], waiting[end - 2 : end]
            if binascii.crc_hqx(bytes(body), 0xFFFF) == int.from_bytes(crc, "big"):
                del waiting[:end]
                return bytes(body[1:])
        start = waiting.find(START, start + 1)
    del waiting[: len(waiting) if first is None else first]
    return None
