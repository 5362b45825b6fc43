"""The files of an implementation in a library's tree: adapters, `api.h`, a manifest."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

from pennyweight.catalogue.algorithms import Algorithm
from pennyweight.catalogue.manifest import MANIFEST
from pennyweight.model import Kind, UserError


def copy_adapter(title: str, adapter: Path, target: Path) -> None:
    """Copies a file from next to the library's file. Raises `UserError` if it is missing."""
    if not adapter.is_file():
        raise UserError(f"{title}: there is no '{adapter}'; add it, or correct 'adapter'")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(adapter, target)


def write_api(title: str, folder: Path, algorithms: Mapping[str, Algorithm]) -> None:
    """Writes the `api.h` of the algorithm that the parent folder is named after.

    Raises `UserError` if the catalogue has no such algorithm.
    """
    name = folder.parent.name
    if name not in algorithms:
        raise UserError(f"{title}: '{name}' is not in the catalogue; correct 'folder'")
    (folder / "api.h").write_text(_api(algorithms[name]), encoding="utf-8")


def write_manifest(folder: Path, facts: Mapping[str, object], constant_time: bool | None) -> None:
    """Writes the manifest, with `constant_time` only if known."""
    known = {} if constant_time is None else {"constant_time": constant_time}
    # JSON's strings, lists and booleans are valid TOML.
    lines = [f"{name} = {json.dumps(value)}\n" for name, value in {**facts, **known}.items()]
    (folder / MANIFEST).write_text("".join(lines), encoding="utf-8")


def _api(algorithm: Algorithm) -> str:
    variant = algorithm.variant
    sizes = {"CRYPTO_KEYBYTES": variant.key} if variant.key else {}
    if algorithm.kind is Kind.AEAD:
        sizes |= {"CRYPTO_NSECBYTES": 0, "CRYPTO_NPUBBYTES": variant.nonce}
        sizes |= {"CRYPTO_ABYTES": variant.tag, "CRYPTO_NOOVERLAP": 1}
    else:
        sizes["CRYPTO_BYTES"] = variant.digest or variant.tag
    return "".join(f"#define {name} {size}\n" for name, size in sizes.items())
