"""Finds the headers that sources include by name, without a compiler.

Conditions are not evaluated, so that the result is the same for every core: a header that any of
them includes counts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path

from pennyweight.build.contents import Known

_INCLUDE = re.compile(
    r'^[ \t]*#[ \t]*(?:include[ \t]+|define[ \t]+\w+[ \t]+(?="[^"\n]+\.h"))"(?P<name>[^"\n]+)"',
    re.MULTILINE,
)
"""A header that is included by its name, or that a macro names for an `#include` of that."""

_names: Known[tuple[str, ...]] = Known()


def reached(
    sources: Iterable[Path], folders: Sequence[Path], given: Collection[str] = ()
) -> list[Path]:
    """The sources and all files that they include with `#include "..."`, each once, in order.

    A name is searched next to the including file, then in `folders`. Files that are `given` and not
    next to it, or not found, belong to another package and are omitted. Raises `OSError`.
    """
    found: dict[Path, None] = dict.fromkeys(sources)
    waiting = list(found)
    while waiting:
        path = waiting.pop(0)
        for name in _included(path):
            header = header_of(name, path.parent, folders, given)
            if header is not None and header not in found:
                found[header] = None
                waiting.append(header)
    return list(found)


def given_to(paths: Iterable[Path], given: Collection[str]) -> set[str]:
    """Those of the `given` headers that files include and that are not next to them."""
    return {
        name
        for path in paths
        for name in _included(path)
        if name in given and not (path.parent / name).is_file()
    }


def header_of(
    name: str, beside: Path, folders: Sequence[Path], given: Collection[str] = ()
) -> Path | None:
    """The file that a name means in a source of the folder `beside`; see :func:`reached`."""
    own = beside / name
    if own.is_file():
        return Path(os.path.normpath(own))
    if name in given:
        return None
    return next(
        (Path(os.path.normpath(each / name)) for each in folders if (each / name).is_file()), None
    )


def with_names(text: str, replacement: Callable[[str], str]) -> str:
    """A source with other names of the headers that it includes."""

    def line(found: re.Match[str]) -> str:
        start, end = (at - found.start() for at in found.span("name"))
        return f"{found[0][:start]}{replacement(found['name'])}{found[0][end:]}"

    return _INCLUDE.sub(line, text)


def _included(path: Path) -> tuple[str, ...]:
    def find() -> tuple[str, ...]:
        return tuple(_INCLUDE.findall(path.read_text(encoding="utf-8", errors="replace")))

    return _names.of(path, find)
