"""Sorts instructions into classes by what determines their time."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pennyweight.toolchains.base import Family, Mnemonics

LOADS, STORES, MULTIPLIES, BRANCHES, OTHER = (
    "loads",
    "stores",
    "multiplications and divisions",
    "branches and calls",
    "arithmetic and logic",
)

CLASSES = (LOADS, STORES, MULTIPLIES, BRANCHES, OTHER)

MECHANISMS = {
    LOADS: "wait states of data reads from flash or RAM, load-use delays",
    STORES: "write buffers and bus contention",
    MULTIPLIES: "the multiplier's latency",
    BRANCHES: "refills of the pipeline, fetches of branch targets from flash",
    OTHER: "fetches of straight-line code: wait states, prefetch, instruction cache",
}
"""The timing rules that an error in each class points to."""


def shares(family: Family, mix: Iterable[tuple[str, int, int]]) -> dict[str, float]:
    """The fraction of cycles in each class, from (mnemonic, executions, cycles)."""
    found = dict.fromkeys(CLASSES, 0)
    for name, _, cycles in mix:
        found[_class_of(family.mnemonics, name)] += cycles
    total = max(1, sum(found.values()))
    return {name: cycles / total for name, cycles in found.items()}


def _class_of(mnemonics: Mnemonics, name: str) -> str:
    patterns = {
        LOADS: mnemonics.loads,
        STORES: mnemonics.stores,
        MULTIPLIES: mnemonics.multiplications,
        BRANCHES: mnemonics.branches,
    }
    for which, pattern in patterns.items():
        if pattern is not None and re.fullmatch(pattern, name.lower()):
            return which
    return OTHER
