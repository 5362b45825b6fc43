"""Puts all sources and headers of a bundled implementation into one folder.

Families share files, and the order of header folders decides which of several headers of one name a
source gets. A flat copy needs no such order: each file has a name of its own, and every `#include`
line names the file that it means.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pennyweight.build.firmware import headers_folder
from pennyweight.build.includes import header_of, reached, with_names
from pennyweight.build.sources import collect
from pennyweight.catalogue.implementation import Implementation
from pennyweight.catalogue.root import data_root

ONE_SHOT = "one_shot.h"
"""The header that declares the one-shot functions.

It may not have SUPERCOP's name, `crypto_aead.h`: a source would find it before SUPERCOP's own,
which gives the functions other names.
"""

_INCLUDED_SOURCE = ".inc"
"""The suffix, in place of `.c`, of a source that others include: build systems compile all `*.c`.
"""


@dataclass(frozen=True, slots=True)
class Flat:
    """Files by name with their text; `compiled` are the sources in link order."""

    files: dict[str, str]
    compiled: tuple[str, ...]


def flatten(implementation: Implementation) -> Flat:
    """All files that a bundled implementation is compiled from. Raises `BuildError`, `OSError`."""
    sources = collect(implementation)
    generated = dict(sources.generated)
    headers = headers_folder(data_root() / "firmware")
    folders = [*(sources.folder / name for name in sources.include), headers]
    compiled = [sources.folder / name for name in sources.compiled]
    declared = "cxof" if implementation.customised else implementation.kind.value
    own = headers / f"crypto_{declared}.h"
    paths = [own, *reached(compiled, folders, generated)]
    names = _flat_names(paths, compiled, own, generated)
    files = dict(generated)
    for path in paths:

        def renamed(name: str, path: Path = path) -> str:
            found = header_of(name, path.parent, folders, generated)
            return names[found] if found else name

        text = path.read_text(encoding="utf-8")
        if path == own:
            text = _one_shot(path.name, text)
        elif path.parent != headers:
            text = with_names(text, renamed)
        files[names[path]] = text
    return Flat(files, tuple(names[path] for path in compiled))


def _flat_names(
    paths: Iterable[Path], compiled: Iterable[Path], own: Path, taken: Iterable[str]
) -> dict[Path, str]:
    """A name for each file: its own, preceded by those of as many folders as make it unique.

    `own` declares the one-shot functions; the other headers are those of other operations.
    """
    sources = list(compiled)
    names = {own: ONE_SHOT}
    used = {*taken, ONE_SHOT}
    for path in dict.fromkeys([*sources, *paths]):
        if path in names:
            continue
        if path.parent == own.parent:
            names[path] = f"{path.stem.removeprefix('crypto_')}_{ONE_SHOT}"
            continue
        suffix = _INCLUDED_SOURCE if path.suffix == ".c" and path not in sources else path.suffix
        parts = path.with_suffix(suffix).parts
        candidates = ("_".join(parts[-count:]) for count in range(1, len(parts)))
        name = next(each for each in candidates if each not in used)
        used.add(name)
        names[path] = name
    return names


def _one_shot(original: str, text: str) -> str:
    """The declarations of the copy's own one-shot functions, which SUPERCOP declares. It does not
    declare those of other operations.
    """
    return (
        "/* SUPERCOP gives these functions other names, in a header of its own. */\n"
        f'#ifdef SUPERCOP\n#include "{original}"\n#else\n\n{text}\n#endif\n'
    )
