"""Counts the random words that a call drew from a generator in software.

The generators of `firmware/random/` have their state in a variable, from whose values before and
after the call the number of words follows. Nothing is added to the measured code.
"""

from __future__ import annotations

from typing import NamedTuple

from pennyweight.target.interface import Machine

LFSR = "pw_random_lfsr"
FREE = "pw_random_free"

_STEP = 0x9E3779B9
_WORD = (1 << 32) - 1
_MOST = 1 << 24
"""Words at which counting ends: more than a call within the default budget can draw."""


class SoftwareGenerator(NamedTuple):
    """A generator's variable in an image, and its value."""

    name: str
    address: int
    state: int

    @classmethod
    def of(cls, machine: Machine) -> SoftwareGenerator | None:
        """The generator of an image, with its current state; `None` if it has none."""
        for name in (LFSR, FREE):
            address = machine.symbol(name)
            if address is not None:
                return cls(name, address, 0).now(machine)
        return None

    def now(self, machine: Machine) -> SoftwareGenerator:
        """The generator with its current state."""
        return self._replace(state=int.from_bytes(machine.read(self.address, 4), "little"))

    def words_until(self, later: SoftwareGenerator) -> int:
        """The words drawn between two states."""
        if self.name == FREE:
            return (later.state - self.state) * pow(_STEP, -1, 1 << 32) & _WORD
        state, words = self.state, 0
        while state != later.state and words < _MOST:
            state ^= state << 13 & _WORD
            state ^= state >> 17
            state ^= state << 5 & _WORD
            words += 1
        return words
