"""Lays a library out as a tree of packages in the user's cache."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path

from pennyweight import cache
from pennyweight.catalogue.algorithms import Algorithm
from pennyweight.catalogue.implementations import Implementation, at_path
from pennyweight.catalogue.manifest import MANIFEST
from pennyweight.libraries import PREFIX
from pennyweight.libraries.description import Library, LibraryImplementation, load
from pennyweight.libraries.obtain import obtain
from pennyweight.libraries.rust import RustLibrary, lay_out
from pennyweight.model import Kind, UserError

_FORMAT = 2
"""Raise when the layout changes."""

_TREE = "tree"

_HEADERS = (".h", ".inc", ".def")


def implementations(text: str, algorithms: dict[str, Algorithm]) -> list[Implementation]:
    """What `library:NAME` means, or `library:NAME/ALGORITHM[/IMPLEMENTATION]`.

    Downloads the package the first time. Raises `UserError`.
    """
    name, _, wanted = text.removeprefix(PREFIX).partition("/")
    library, adapters = load(name)
    key = _key(library, adapters)
    place = cache.entry("libraries", key) or cache.fill(
        "libraries", key, lambda folder: _make(folder, library, adapters, algorithms)
    )
    # A library may call its own folders as packages are called: those are not meant.
    tree = (place / _TREE).resolve()
    ours = {tree / each.folder for each in library.implementation}
    found = [each for each in at_path(tree, algorithms) if each.folder in ours]
    chosen = [each for each in found if not wanted or wanted in (each.algorithm, each.id)]
    if not chosen:
        known = ", ".join(each.id for each in found)
        raise UserError(f"'{text}': the library has no '{wanted}'; it has {known}")
    return chosen


def _key(library: Library | RustLibrary, adapters: Path) -> str:
    files = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(adapters.glob("*"))
        if path.is_file()
    }
    parts = [_FORMAT, library.model_dump(mode="json"), files]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _make(
    folder: Path,
    library: Library | RustLibrary,
    adapters: Path,
    algorithms: dict[str, Algorithm],
) -> None:
    """The tree: the files that are used under `source/`, and a folder for each implementation."""
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
        if not (adapters / name).is_file():
            raise UserError(f"{library.title}: there is no '{adapters / name}'; correct 'adapter'")
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(adapters / name, folder / name)
    algorithm = implementation.folder.split("/")[1]
    if algorithm not in algorithms:
        raise UserError(f"{library.title}: '{algorithm}' is no algorithm of ours; correct 'folder'")
    (folder / "api.h").write_text(api_header(algorithms[algorithm]), encoding="utf-8")
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
    if implementation.constant_time is not None:
        manifest["constant_time"] = implementation.constant_time
    # JSON's texts, lists and truth values are TOML's too.
    lines = [f"{name} = {json.dumps(value)}\n" for name, value in manifest.items()]
    (folder / MANIFEST).write_text("".join(lines), encoding="utf-8")


def api_header(algorithm: Algorithm) -> str:
    """An `api.h` for an algorithm of ours."""
    variant = algorithm.variant
    sizes = {"CRYPTO_KEYBYTES": variant.key} if variant.key else {}
    if algorithm.kind is Kind.AEAD:
        sizes |= {"CRYPTO_NSECBYTES": 0, "CRYPTO_NPUBBYTES": variant.nonce}
        sizes |= {"CRYPTO_ABYTES": variant.tag, "CRYPTO_NOOVERLAP": 1}
    else:
        sizes["CRYPTO_BYTES"] = variant.digest or variant.tag
    return "".join(f"#define {name} {size}\n" for name, size in sizes.items())
