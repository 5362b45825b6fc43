"""Finds words that macros can paste together to a test for a file.

Pasting joins whole tokens (ISO C11 6.10.3.3), so that all parts of the hidden word are words of the
package. Single letters do not count as parts: with them, and with `_` and `include`, a large
package such as wolfSSL has all parts without a hidden test. So a package can still hide a test by
spelling it letter by letter; its own results then depend on a file that is not in its jobs' names.
"""

from __future__ import annotations

import re
from collections.abc import Set

HIDDEN = ("__has_include", "__has_embed")
"""Words with which a source tests for files."""

_WORD = re.compile(r"[A-Za-z_]\w*")


def parts_in(text: str) -> frozenset[str]:
    """The words of a text that can be parts of a hidden word."""
    words = {word for word in _WORD.findall(text) if word == "_" or len(word) > 1}
    return frozenset(part for part in words if any(part in hidden for hidden in HIDDEN))


def pasted(parts: Set[str]) -> tuple[str, ...]:
    """At least two of the parts that make a hidden word in this order, or nothing."""
    for hidden in HIDDEN:
        found: dict[int, tuple[str, ...]] = {0: ()}
        for end in range(1, len(hidden) + 1):
            for begin in range(end):
                part = hidden[begin:end]
                if begin in found and part in parts and part != hidden:
                    found[end] = (*found[begin], part)
                    break
        if len(hidden) in found:
            return found[len(hidden)]
    return ()
