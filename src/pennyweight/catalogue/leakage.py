"""What docs/howto/leakage.md has on bundled implementations with shares."""

from __future__ import annotations

from collections.abc import Collection

from pennyweight.catalogue.implementation import Implementation

DOCUMENTED = "documented"
"""The page lists the checked boards and the results."""
SHARES_MEET = "shares meet"
"""Shares meet in C with two of them, on every core that was checked."""


def shares_meet(shares: int | None, assembly: Collection[str]) -> bool:
    """Whether the shares of bundled code meet; `assembly` are the instruction sets that it has
    assembly for.
    """
    return shares == 2 and not assembly


def documented(implementation: Implementation) -> str:
    """The page's result; empty if it has none."""
    if not implementation.bundled or implementation.manifest.shares is None:
        return ""
    meets = shares_meet(implementation.manifest.shares, implementation.assembly)
    return SHARES_MEET if meets else DOCUMENTED
