"""A copy of the known contents of a device's RAM: each transfer takes milliseconds."""

from __future__ import annotations

_GAP = 16
"""Bytes that are rather transferred again than skipped."""


class Shadow:
    """The known bytes of a RAM. Addresses outside it are never known."""

    def __init__(self, base: int, size: int) -> None:
        self._base = base
        self._bytes = bytearray(size)
        self._known = bytearray(size)

    def put(self, address: int, data: bytes) -> None:
        """Records these bytes."""
        start = address - self._base
        self._bytes[start : start + len(data)] = data
        self._known[start : start + len(data)] = b"\1" * len(data)

    def forget(self, start: int, end: int) -> None:
        """Marks these bytes as unknown."""
        self._known[start - self._base : end - self._base] = bytes(end - start)

    def forget_all(self) -> None:
        """Marks all bytes as unknown."""
        self._known = bytearray(len(self._known))

    def pieces(self) -> list[tuple[int, bytes]]:
        """(address, bytes) of each run of known bytes."""
        found = []
        at = self._known.find(1)
        while at >= 0:
            close = self._known.find(0, at)
            close = len(self._known) if close < 0 else close
            found.append((at + self._base, bytes(self._bytes[at:close])))
            at = self._known.find(1, close)
        return found

    def get(self, start: int, end: int) -> bytes:
        """Known bytes."""
        return bytes(self._bytes[start - self._base : end - self._base])

    def differing(self, address: int, data: bytes) -> list[tuple[int, bytes]]:
        """(address, bytes) of the runs of `data` that are not known to be there. Short gaps are
        included, because each transfer has a head.
        """
        start = address - self._base
        if start < 0 or start + len(data) > len(self._known):
            return [(address, data)]
        found: list[tuple[int, int]] = []
        for i, byte in enumerate(data):
            if self._known[start + i] and self._bytes[start + i] == byte:
                continue
            if found and i - found[-1][1] < _GAP:
                found[-1] = (found[-1][0], i + 1)
            else:
                found.append((i, i + 1))
        return [(address + begin, data[begin:end]) for begin, end in found]

    def unknown(self, start: int, end: int) -> list[tuple[int, int]]:
        """(address, size) of each run of unknown bytes between two addresses."""
        if start < self._base or end > self._base + len(self._known):
            return [(start, end - start)]
        found = []
        at = self._known.find(0, start - self._base, end - self._base)
        while at >= 0:
            close = self._known.find(1, at, end - self._base)
            close = end - self._base if close < 0 else close
            found.append((at + self._base, close - at))
            at = self._known.find(0, close, end - self._base)
        return found
