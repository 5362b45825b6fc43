"""On which boards `make test` runs a bundled implementation: few, always the same ones.

Every implementation times every board is `make verify-all`. Here each implementation gets one board
of each width of core, and all boards get their share of implementations.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from pennyweight.catalogue import Board


def boards_for(implementation: str, boards: Iterable[Board]) -> list[Board]:
    """One 8- or 16-bit and one 32-bit board, chosen by the implementation's name.

    Boards with the same core and memories give the same answers: one of them stands for all.
    """
    distinct = {(each.core, each.flash.size, each.ram.size): each for each in boards}
    chosen = []
    for widths in ((8, 16), (32,)):
        group = sorted((each for each in distinct.values() if each.bits in widths), key=_id)
        if group:
            chosen.append(group[_number(implementation) % len(group)])
    return chosen


def _id(board: Board) -> str:
    return board.id


def _number(name: str) -> int:
    """The same on every machine, unlike `hash`."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big")
