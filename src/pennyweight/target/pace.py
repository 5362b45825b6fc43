"""How many cycles a call may take before it is given up, judged by the calls before it.

A fixed number of cycles is too few for a slow implementation with a long message and far too many
for an endless loop in a fast one. What grows with the message are whole blocks, and a block costs
no more than a call with the shortest inputs, which processes at least one (its padding, or the
key). So `n` bytes more cost at most `n` such calls, however small the block is.
"""

from __future__ import annotations

_SLACK = 2
"""For calls that do a little less on the shortest inputs than for each block."""


class Pace:
    """What the calls that returned have taken, function by function.

    `least` cycles are always allowed: the first call of a function has nothing to be judged by.
    """

    def __init__(self, least: int) -> None:
        self._least = least
        self._shortest: dict[str, int] = {}
        self._rate: dict[str, float] = {}

    def allowed(self, function: str, size: int) -> int:
        """Cycles for a call on buffers of `size` bytes in all."""
        if function not in self._shortest:
            return self._least
        growth = 1 + max(0, size - self._shortest[function])
        return max(self._least, int(_SLACK * self._rate[function] * growth))

    def took(self, function: str, size: int, cycles: int) -> None:
        """A call on buffers of `size` bytes returned after `cycles`."""
        shortest = min(size, self._shortest.get(function, size))
        self._shortest[function] = shortest
        rate = cycles / (1 + size - shortest)
        self._rate[function] = max(rate, self._rate.get(function, 0.0))
