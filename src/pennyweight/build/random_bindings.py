"""Functions for random numbers that packages define themselves, bound to `pw_random32` by name.

Each file in `firmware/random/bindings/` defines the functions of one framework. Its name is that of
the package's source that it replaces. It is used if another file of the package calls one of its
functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from pennyweight.build.contents import beginning_of, content_of
from pennyweight.catalogue.root import data_root
from pennyweight.snapshot import once

_DEFINED = re.compile(rb"^BOUND [\w ]*?\b(\w+)\(", re.MULTILINE)


def bound(files: Iterable[tuple[str, Path]]) -> tuple[Path, ...]:
    """The bindings that a package's files, by name, need. Raises `OSError`."""
    known = _known()
    calls = [(Path(name).stem, content_of(path).random) for name, path in files]
    return tuple(
        binding
        for binding, functions in known.items()
        if any(stem != binding.stem and functions & called for stem, called in calls)
    )


def _known() -> dict[Path, frozenset[str]]:
    """The functions that each binding defines."""

    def find() -> dict[Path, frozenset[str]]:
        return {
            path: frozenset(name.decode() for name in _DEFINED.findall(beginning_of(path)))
            for path in sorted((data_root() / "firmware" / "random" / "bindings").glob("*.c"))
        }

    return once("random bindings", (), find)
