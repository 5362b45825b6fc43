"""Adds causes of a failed build that the compiler's message does not show."""

from __future__ import annotations

import re

from pennyweight.build.assembly import for_another_machine
from pennyweight.build.contents import beginning_of
from pennyweight.build.failure import BuildError
from pennyweight.build.sources import Sources
from pennyweight.build.supercop import built_on_another, for_another_architecture
from pennyweight.catalogue import shared_api
from pennyweight.catalogue.boards import Board
from pennyweight.toolchains.base import Family

_NO_SYMBOL = re.compile(r"^no source defines the symbol '(?P<name>\w+)'$")
_RANDOM = re.compile(r"(?i)rand|rng|entropy")
"""In the names of functions for random numbers."""

_BEHIND_ARC4RANDOM = ("getentropy", "_getentropy")
"""What the C library's arc4random() takes from the system."""

_WORD = re.compile(r"\w+")
_LONGEST = 500


def with_cause(failure: BuildError, sources: Sources, family: Family, board: Board) -> BuildError:
    """The same failure, or one that states that the sources are for another core or incomplete."""
    cause = for_another_machine(failure, sources, family, board)
    cause = for_another_architecture(cause, sources, family.architectures)
    return _random(_only_inline(built_on_another(cause), sources))


def _random(failure: BuildError) -> BuildError:
    """The same failure, with the remedy if a function for random numbers is missing."""
    found = _NO_SYMBOL.match(failure.reason)
    if found is not None and found["name"] in shared_api.HELPERS:
        remedy = "an AEAD that takes shares also defines how to generate and combine them"
        return BuildError(failure.status, f"{failure.reason}: {remedy}")
    if found is not None and found["name"] in _BEHIND_ARC4RANDOM:
        remedy = "arc4random() needs it, and the part has none: use pw_random32()"
        return BuildError(failure.status, f'{failure.reason}: {remedy} of "pennyweight/random.h"')
    if found is None or not _RANDOM.search(found["name"]):
        return failure
    remedy = (
        "if it returns random numbers, add a source that defines it with pw_random32() of "
        '"pennyweight/random.h"'
    )
    return BuildError(failure.status, f"{failure.reason}: {remedy}")


def _only_inline(failure: BuildError, sources: Sources) -> BuildError:
    """The same failure, with an explanation if C does not define a function that the sources
    contain.
    """
    found = _NO_SYMBOL.match(failure.reason)
    if found is None:
        return failure
    defined = re.compile(rf"\b{found['name']}\s*\(")
    for name, path in sources.files():
        text = beginning_of(path).decode("utf-8", errors="replace")
        if any(_is_inline(line, defined) for line in text.splitlines()):
            why = "is only 'inline', without 'static', which is not a definition in C"
            return BuildError(failure.status, f"{failure.reason}: it {why} ({name})")
    return failure


def _is_inline(line: str, name: re.Pattern[str]) -> bool:
    """Whether a line defines an `inline` function, or a macro, of that name."""
    if len(line) > _LONGEST:
        return False
    place = name.search(line)
    words = [] if place is None else _WORD.findall(line[: place.start()].casefold())
    return "inline" in words and "static" not in words
