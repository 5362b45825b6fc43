"""Finds implementations: bundled ones by name, others by path."""

from __future__ import annotations

from pathlib import Path

from pennyweight.catalogue import felics
from pennyweight.catalogue.algorithms import Algorithm, by_alias
from pennyweight.catalogue.api_header import API
from pennyweight.catalogue.formats import format_of, supercop
from pennyweight.catalogue.implementation import Implementation
from pennyweight.catalogue.manifest import Manifest
from pennyweight.catalogue.package_tree import (
    algorithm_name,
    kinds_of,
    name_of,
    packages_below,
)
from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.model import Kind, UserError
from pennyweight.paths import expand_user


def find(
    text: str, known: list[Implementation], algorithms: dict[str, Algorithm]
) -> list[Implementation]:
    """Finds what `text` names: an algorithm (all its bundled implementations), one implementation
    (`algorithm/name`), or the path of a folder or tree. Raises `UserError`.
    """
    for candidate in (text, text.casefold()):
        hits = [each for each in known if candidate in (each.id, each.algorithm)]
        if hits:
            return hits
    algorithm = by_alias(text, algorithms)
    if algorithm is not None:
        hits = [each for each in known if each.algorithm == algorithm.name]
        if hits:
            return hits
        raise UserError(
            f"algorithm '{algorithm.name}' has no bundled implementation: "
            "pass the path of a folder with one"
        )
    path = expand_user(text)
    if path.exists():
        return at_path(path, algorithms)
    names = {each.algorithm for each in known} | {each.id for each in known}
    raise UserError(
        f"unknown algorithm, implementation or folder '{text}':{did_you_mean(text, names)} "
        "`pennyweight implementations` lists them"
    )


def at_path(path: Path, algorithms: dict[str, Algorithm]) -> list[Implementation]:
    """The implementation in a folder with a package, or all of those in a tree. Raises `UserError`.

    In a tree, an invalid folder becomes an implementation with a `problem`.
    """
    if not path.is_dir():
        raise UserError(f"{path}: not a folder; pass the folder that contains {API}")
    path = path.resolve()
    if format_of(path) is not None:
        return [_read(path, algorithms, kind) for kind in kinds_of(path)]
    found = []
    for folder in sorted(packages_below(path), key=lambda folder: folder.as_posix()):
        for kind in kinds_of(folder):
            try:
                found.append(_read(folder, algorithms, kind))
            except UserError as error:
                found.append(_unusable(folder, str(error), kind))
    if not found:
        raise UserError(
            f"{path}: no {API} (nor FELICS's {felics.CONSTANTS}) in it or below it; add one that "
            "defines CRYPTO_KEYBYTES, CRYPTO_NPUBBYTES and CRYPTO_ABYTES (or CRYPTO_BYTES for a "
            "hash)"
        )
    return found


def _read(folder: Path, algorithms: dict[str, Algorithm], kind: Kind | None) -> Implementation:
    """One implementation of any supported framework. Raises `UserError`."""
    return (format_of(folder) or supercop).read(folder, algorithms, kind)


def unusable(path: Path, problem: str) -> Implementation:
    """A placeholder for an invalid path among several names."""
    return _unusable(expand_user(path).resolve(), problem, None)


def _unusable(folder: Path, problem: str, kind: Kind | None) -> Implementation:
    expected = kind or Kind.AEAD
    return Implementation(
        algorithm=algorithm_name(folder, expected),
        name=name_of(folder),
        folder=folder,
        kind=expected,
        bundled=False,
        key=0,
        nonce=0,
        tag=0,
        digest=0,
        manifest=Manifest(),
        known=None,
        tree=folder,
        problem=problem,
    )
