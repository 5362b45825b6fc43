"""Lays out a library as a tree of packages in the user's cache."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

from pennyweight import cache
from pennyweight.catalogue.algorithms import Algorithm
from pennyweight.catalogue.implementation import Implementation
from pennyweight.catalogue.implementations import at_path
from pennyweight.libraries.description import Library, LibraryImplementation
from pennyweight.libraries.download import obtain
from pennyweight.libraries.files import AnyLibrary, load, load_file
from pennyweight.libraries.naming import PREFIX, UnobtainableError
from pennyweight.libraries.package import copy_adapter, write_api, write_manifest
from pennyweight.libraries.rust import RustLibrary, lay_out
from pennyweight.model import UserError
from pennyweight.paths import expand_user

_FORMAT = 2
"""Increased when the layout changes."""

_TREE = "tree"

_HEADERS = (".h", ".inc", ".def")


def implementations(text: str, algorithms: dict[str, Algorithm]) -> list[Implementation]:
    """Finds `library:NAME`, `library:NAME/ALGORITHM[/IMPLEMENTATION]`, or a library file.

    Downloads the package on first use. Raises `UserError`.
    """
    if text.startswith(PREFIX):
        name, _, wanted = text.removeprefix(PREFIX).partition("/")
        library, adapters = load(name)
    else:
        wanted = ""
        library, adapters = load_file(expand_user(text))
        if isinstance(library, RustLibrary):
            # Cargo obeys settings in a crate's folder, which may be untrusted.
            raise UserError(
                f"{text}: field 'language': a library of crates must be a bundled one, "
                "in libraries/; a library file elsewhere must be in C"
            )
    key = _key(library, adapters)
    try:
        place = cache.entry("libraries", key) or cache.fill(
            "libraries", key, lambda folder: _make(folder, library, adapters, algorithms)
        )
    except UserError as error:
        raise UnobtainableError(str(error)) from None
    # Folders of the library itself that are named like packages are ignored.
    tree = (place / _TREE).resolve()
    ours = {tree / each.folder for each in library.implementation}
    crate = isinstance(library, RustLibrary)
    found = [
        replace(each, crate=crate) for each in at_path(tree, algorithms) if each.folder in ours
    ]
    chosen = [each for each in found if not wanted or wanted in (each.algorithm, each.id)]
    if not chosen:
        known = ", ".join(each.id for each in found)
        raise UserError(f"'{text}': the library has no '{wanted}'; it has {known}")
    return chosen


def _key(library: AnyLibrary, adapters: Path) -> str:
    files = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(adapters.glob("*"))
        if path.is_file()
    }
    parts = [_FORMAT, library.model_dump(mode="json"), files]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _make(
    folder: Path,
    library: AnyLibrary,
    adapters: Path,
    algorithms: dict[str, Algorithm],
) -> None:
    """The tree: the used files in `source/`, and a folder for each implementation."""
    if isinstance(library, RustLibrary):
        lay_out(folder / _TREE, library, adapters, algorithms)
        return
    root = obtain(library, folder)
    tree = folder / _TREE
    source = tree / "source"
    for header in sorted(path for path in root.rglob("*") if path.suffix in _HEADERS):
        target = source / header.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(header, target)
    for each in library.implementation:
        for name in (*library.included, *library.sources(each)):
            target = source / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if not (root / name).is_file():
                raise UserError(f"{library.package}: has no file '{name}'; correct 'sources'")
            shutil.copyfile(root / name, target)
        _lay_out(tree, library, each, adapters, algorithms)
    for leftover in folder.iterdir():
        if leftover.name != _TREE:
            shutil.rmtree(leftover) if leftover.is_dir() else leftover.unlink()


def _lay_out(
    tree: Path,
    library: Library,
    implementation: LibraryImplementation,
    adapters: Path,
    algorithms: dict[str, Algorithm],
) -> None:
    folder = tree / implementation.folder
    folder.mkdir(parents=True)
    for name in library.adapters(implementation):
        copy_adapter(library.title, adapters / name, folder / name)
    write_api(library.title, folder, algorithms)
    if library.header:
        header = folder / library.header
        header.parent.mkdir(parents=True, exist_ok=True)
        lines = [f"#define {option}\n" for option in implementation.options]
        header.write_text("".join(lines), encoding="utf-8")
    up = os.path.relpath(tree / "source", folder)
    manifest = {
        "title": library.title,
        "license": library.license,
        "sources": [f"{up}/{name}" for name in library.sources(implementation)],
        "include": [os.path.normpath(f"{up}/{name}") for name in (*library.include, ".")],
        "defines": [*library.defines, *(() if library.header else implementation.options)],
        "incremental": implementation.incremental,
        "key_setup": implementation.key_setup,
        "notes": f"{library.package} {library.version}",
    }
    write_manifest(folder, manifest, implementation.constant_time)
