"""The cycle limit of a call, derived from the calls before it.

A fixed limit is too low for a slow implementation with a long message, and far too high for an
endless loop in a fast one. Costs grow by blocks, and a block costs no more than a call with the
shortest inputs, which processes at least one (its padding, or the key). So `n` more bytes cost at
most `n` such calls, however small the block is.
"""

from __future__ import annotations

_SLACK = 2
"""Margin for calls that do a little less on the shortest inputs than for each block."""


class CycleLimit:
    """The cycles of returned calls, by function.

    `least` cycles are always allowed, because the first call of a function has no predecessor.
    """

    def __init__(self, least: int) -> None:
        self._least = least
        self._known: dict[str, tuple[int, float]] = {}
        """For each function, the fewest bytes of a call, and the most cycles per additional
        byte.
        """

    def allowed(self, function: str, size: int) -> int:
        """The limit for a call on buffers of `size` bytes in total."""
        known = self._known.get(function)
        if known is None:
            return self._least
        shortest, rate = known
        growth = size - shortest + 1 if size > shortest else 1
        return max(self._least, int(_SLACK * rate * growth))

    def record(self, function: str, size: int, cycles: int) -> None:
        """Records that a call on buffers of `size` bytes returned after `cycles`."""
        shortest, rate = self._known.get(function, (size, 0.0))
        if size < shortest:
            shortest = size
        found = cycles / (1 + size - shortest)
        if found > rate or size == shortest:
            self._known[function] = (shortest, max(rate, found))
