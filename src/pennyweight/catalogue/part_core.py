"""Width and extensions in a board file agree with its core.

The width decides how figures are grouped and what is linked, the extensions what is decoded: a
wrong one would show nowhere but in the figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_NARROW: Mapping[str, int] = {"avre+": 8, "avrxt": 8, "msp430": 16}
"""Bits of the cores that are no 32-bit ones."""
_EXTENSIONS: Mapping[str, tuple[str, ...]] = {
    "sifive-e31": ("zba", "zbb", "zbkb"),
    "sifive-e31-g000": ("zba", "zbb", "zbkb"),
}
"""What a part with the core may have or not. The manufacturer's parts have none of them."""


def what_disagrees(core: str, bits: int, extensions: Sequence[str]) -> tuple[str, str] | None:
    """Field and what is wrong with it, with the remedy, for the end of a sentence.

    `None` if nothing is. `core` is one that the simulator knows.
    """
    right = _NARROW.get(core, 32)
    if bits != right:
        return "bits", f"is {bits}, but the core '{core}' has {right}; write bits = {right}"
    known = _EXTENSIONS.get(core, ())
    for name in extensions:
        if not known:
            return "core.extensions", f"the core '{core}' has no optional extensions; remove it"
        if name not in known:
            return (
                "core.extensions",
                f"'{name}' is not an extension of '{core}'; use {', '.join(known)}",
            )
    return None
