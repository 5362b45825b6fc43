"""Combines the parts of the incremental API into three phases: start, update, finish.

"Start" is the initialisation with the nonce (and with the key, unless key setup is separate),
"update" processes associated data and message, "finish" ends the message and computes the tag. The
one-shot function's additional work (its own arguments, checks, memory for the state) is in no
phase.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pennyweight.model import Operation

UPDATE = (Operation.AD, Operation.ENCRYPT, Operation.DECRYPT, Operation.UPDATE)


@dataclass(frozen=True, slots=True)
class Phases:
    """Cycles of each phase of one message; `key` is the preceding key setup, None if it is included
    in `start`.
    """

    start: int
    update: int
    finish: int
    key: int | None = None

    @property
    def total(self) -> int:
        """All three, without a separate key setup."""
        return self.start + self.update + self.finish


def phases_of(
    cycles: Mapping[Operation, int], ad: int, m: int, starts_from_copy: bool = False
) -> Phases | None:
    """The phases of one message from the cycles of its parts.

    `cycles` has the parts of one direction. Parts that have nothing to process are not called and
    may be missing: `ad` and `m` are the lengths in bytes. None if any other part is missing.
    `starts_from_copy` means that the initialisation takes only the key, as in a MAC without a
    nonce: it counts as key setup, and a message starts from a copy of the state.

    >>> parts = {Operation.INIT: 10, Operation.UPDATE: 70, Operation.FINALIZE: 5, Operation.TAG: 1}
    >>> phases_of(parts, 0, 64)
    Phases(start=10, update=70, finish=6, key=None)
    >>> phases_of(parts | {Operation.KEY: 8, Operation.START: 3}, 0, 64)
    Phases(start=3, update=70, finish=6, key=8)
    """
    ends = [part for part in (Operation.TAG, Operation.VERIFY) if part in cycles]
    if Operation.INIT not in cycles or Operation.FINALIZE not in cycles or len(ends) != 1:
        return None
    takes_ad = Operation.AD in cycles and ad > 0
    takes_m = [part for part in UPDATE if part is not Operation.AD and part in cycles]
    if (ad and not takes_ad) or (m and len(takes_m) != 1):
        return None
    update = (cycles[Operation.AD] if takes_ad else 0) + (cycles[takes_m[0]] if m else 0)
    start, key = cycles[Operation.INIT], None
    if Operation.KEY in cycles and Operation.START in cycles:
        start, key = cycles[Operation.START], cycles[Operation.KEY]
    elif starts_from_copy:
        start, key = 0, start
    return Phases(
        start=start,
        update=update,
        finish=cycles[Operation.FINALIZE] + cycles[ends[0]],
        key=key,
    )
