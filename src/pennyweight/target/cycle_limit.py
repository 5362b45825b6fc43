"""How many cycles a call may take before it is given up, judged by the calls before it.

A fixed number of cycles is too few for a slow implementation with a long message and far too many
for an endless loop in a fast one. What grows with the message are whole blocks, and a block costs
no more than a call with the shortest inputs, which processes at least one (its padding, or the
key). So `n` bytes more cost at most `n` such calls, however small the block is.
"""

from __future__ import annotations

_SLACK = 2
"""For calls that do a little less on the shortest inputs than for each block."""


class CycleLimit:
    """What the calls that returned have taken, function by function.

    `least` cycles are always allowed: the first call of a function has nothing to be judged by.
    """

    def __init__(self, least: int) -> None:
        self._least = least
        self._known: dict[str, tuple[int, float]] = {}
        """Of each function, the fewest bytes of a call and the most cycles for a byte more."""

    def allowed(self, function: str, size: int) -> int:
        """Cycles for a call on buffers of `size` bytes in all."""
        known = self._known.get(function)
        if known is None:
            return self._least
        shortest, rate = known
        growth = size - shortest + 1 if size > shortest else 1
        return max(self._least, int(_SLACK * rate * growth))

    def record(self, function: str, size: int, cycles: int) -> None:
        """A call on buffers of `size` bytes returned after `cycles`."""
        shortest, rate = self._known.get(function, (size, 0.0))
        if size < shortest:
            shortest = size
        found = cycles / (1 + size - shortest)
        if found > rate or size == shortest:
            self._known[function] = (shortest, max(rate, found))
