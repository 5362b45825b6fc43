"""From the parts of the incremental API to the three phases of a study: start, update, finish.

"Start" is the initialisation with key and nonce, "update" takes in associated data and message,
"finish" ends the message and makes the tag. What a one-shot function needs beyond them (its own
arguments, checks, the state's place) is in no phase.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pennyweight.model import Operation

START = (Operation.INIT,)
UPDATE = (Operation.AD, Operation.ENCRYPT, Operation.DECRYPT, Operation.UPDATE)
FINISH = (Operation.FINALIZE, Operation.TAG, Operation.VERIFY)


@dataclass(frozen=True, slots=True)
class Phases:
    """Cycles of each phase of one message."""

    start: int
    update: int
    finish: int

    @property
    def total(self) -> int:
        """All three."""
        return self.start + self.update + self.finish


def phases_of(cycles: Mapping[Operation, int], ad: int, m: int) -> Phases | None:
    """The phases of one message from the cycles of its parts.

    `cycles` has the parts of one direction. A part that has nothing to take in is not called and
    need not be there: `ad` and `m` are the lengths in bytes. None if a part is missing.

    >>> parts = {Operation.INIT: 10, Operation.UPDATE: 70, Operation.FINALIZE: 5, Operation.TAG: 1}
    >>> phases_of(parts, 0, 64)
    Phases(start=10, update=70, finish=6)
    """
    ends = [part for part in (Operation.TAG, Operation.VERIFY) if part in cycles]
    if Operation.INIT not in cycles or Operation.FINALIZE not in cycles or len(ends) != 1:
        return None
    takes_ad = Operation.AD in cycles and ad > 0
    takes_m = [part for part in UPDATE if part is not Operation.AD and part in cycles]
    if (ad and not takes_ad) or (m and len(takes_m) != 1):
        return None
    update = (cycles[Operation.AD] if takes_ad else 0) + (cycles[takes_m[0]] if m else 0)
    return Phases(
        start=cycles[Operation.INIT],
        update=update,
        finish=cycles[Operation.FINALIZE] + cycles[ends[0]],
    )
