"""Finds third-party implementations of catalogued algorithms in clones and libraries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from scripts.bench_implementations.measurements import NO_CALL, Call, Exclusion

from pennyweight import libraries
from pennyweight.catalogue import Catalogue, Implementation
from pennyweight.catalogue.algorithms import by_alias
from pennyweight.catalogue.implementations import at_path
from pennyweight.libraries.files import names
from pennyweight.model import UserError
from pennyweight.paths import expand_user

_SHARES = "masked: its cycles include a protection that the others lack"


def nist_tree(clone: Path) -> Path:
    """The folder of implementations of a clone of NIST's repository. Raises `UserError`."""
    tree = (clone / "implementations").resolve()
    if not tree.is_dir() or (tree.parent / "src" / "pennyweight").is_dir():
        reason = "is a clone of Pennyweight" if tree.is_dir() else "has no folder 'implementations'"
        raise UserError(
            f"{tree.parent}: {reason}; give the path of a clone of "
            "usnistgov/Lightweight-Cryptography-Benchmarking"
        )
    return tree


def in_tree(
    tree: Path, known: Catalogue, patterns: Iterable[str], call: Call
) -> tuple[list[Implementation], list[Exclusion]]:
    """Folders of matching algorithms, and those that cannot be used. Raises `UserError`."""
    found, excluded = _usable(at_path(tree, known.algorithms), known, patterns, call)
    if not found:
        only_hashes = " and has such a call; hash functions have none" * any(
            each.reason == NO_CALL for each in excluded
        )
        raise UserError(
            f"--algorithms {','.join(patterns)}: no algorithm is in both collections{only_hashes}"
        )
    return found, excluded


def everywhere(
    clone: Path, more: Sequence[str], known: Catalogue, patterns: Sequence[str]
) -> tuple[list[Implementation], list[Exclusion]]:
    """What NIST's clone, other clones (paths) and libraries (`library:NAME`) have, without masked
    implementations. Names from other clones begin with the clone's. Raises `UserError`.
    """
    found, excluded = _usable(at_path(nist_tree(clone), known.algorithms), known, patterns, Call())
    for text in more:
        try:
            candidates = _of_source(text, known)
        except libraries.UnobtainableError as error:
            excluded.append(Exclusion(text, str(error)))
            continue
        some, others = _usable(candidates, known, patterns, Call())
        prefix = "" if text.startswith(libraries.PREFIX) else f"{Path(text).resolve().stem}:"
        found += [replace(each, name=f"{prefix}{each.name}") for each in some]
        excluded += [replace(each, id=f"{prefix}{each.id}") for each in others]
    plain = [each for each in found if each.manifest.shares is None]
    excluded += [Exclusion(each.id, _SHARES) for each in found if each not in plain]
    if not plain:
        raise UserError(f"--algorithms {','.join(patterns)}: no rival has such an algorithm")
    return plain, excluded


def named_libraries(text: str | None) -> list[str]:
    """Bundled libraries, named with commas, as arguments of `everywhere`; by default all."""
    chosen = names() if text is None else filter(None, text.split(","))
    return [f"{libraries.PREFIX}{name}" for name in chosen]


def _of_source(text: str, known: Catalogue) -> list[Implementation]:
    if text.startswith(libraries.PREFIX) or text.endswith(".toml"):
        return libraries.find(text, known)
    return at_path(expand_user(text), known.algorithms)


def _usable(
    candidates: Iterable[Implementation], known: Catalogue, patterns: Iterable[str], call: Call
) -> tuple[list[Implementation], list[Exclusion]]:
    found: list[Implementation] = []
    excluded: list[Exclusion] = []
    for each in candidates:
        named = each.known or by_alias(each.algorithm, known.algorithms)
        name = named.name if named else each.algorithm
        if not any(fnmatchcase(name, pattern) for pattern in patterns):
            continue
        if each.problem or each.known is None:
            reason = each.problem_anywhere or "no algorithm of the catalogue"
            excluded.append(Exclusion(each.id, reason))
        elif not call.has(each.kind):
            excluded.append(Exclusion(each.id, NO_CALL))
        else:
            found.append(each)
    return found, excluded
