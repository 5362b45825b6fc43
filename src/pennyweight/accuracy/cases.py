"""The figures of a row to compare, and the differences that are its steady marginals."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from pennyweight.model import Case, Kind, Operation

_LENGTHS = (0, 16, 64, 128, 256, 512)
_PAIRS = ((256, 512), (128, 256), (64, 128))


@dataclass(frozen=True, slots=True)
class Marginal:
    """The cost of `more` minus that of the shorter `less`, without set-up and harness."""

    name: str
    less: Case
    more: Case


def cases(kind: Kind) -> list[Case]:
    """The cases to run: messages, associated data, and a few with both."""
    if kind is Kind.HASH:
        return [Case(Operation.HASH, 0, length) for length in _LENGTHS]
    pairs = [(0, length) for length in _LENGTHS]
    pairs += [(length, 0) for length in _LENGTHS[1:]]
    pairs += [(16, 16), (64, 64), (128, 128)]
    return [Case(op, ad, m) for op in (Operation.ENC, Operation.DEC) for ad, m in pairs]


def marginals(kind: Kind, known: Container[Case]) -> list[Marginal]:
    """For each direction and kind of input, the longest pair of lengths with figures.

    Short pairs are for boards with too little RAM for longer ones.
    """
    found = []
    for name, op, is_ad in _series(kind):
        for pair in _PAIRS:
            less, more = (Case(op, n, 0) if is_ad else Case(op, 0, n) for n in pair)
            if less in known and more in known:
                found.append(Marginal(f"{name}({pair[1]}) - {name}({pair[0]})", less, more))
                break
    return found


def _series(kind: Kind) -> list[tuple[str, Operation, bool]]:
    if kind is Kind.HASH:
        return [("hash", Operation.HASH, False)]
    return [
        ("encrypt", Operation.ENC, False),
        ("decrypt", Operation.DEC, False),
        ("associated data", Operation.ENC, True),
    ]
