"""Libraries of crates: a manifest and a lock file for Cargo, and adapters in Rust.

The lock file pins every crate by version and digest; Cargo downloads them, and the build needs no
network (`pennyweight.build.crate`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from pennyweight.build.crate import CRATE, LOCK
from pennyweight.catalogue.algorithms import Algorithm
from pennyweight.catalogue.tomlfile import Table, loads, read_text
from pennyweight.libraries.description import FOLDER, Place
from pennyweight.libraries.download import fetch_crates
from pennyweight.libraries.package import copy_adapter, write_api, write_manifest
from pennyweight.model import UserError

ADAPTER = "adapter.rs"
"""The name of the crate's source."""

_COMMON = "common.rs"


class RustImplementation(Table):
    """One implementation: the crate's feature for the algorithm, and an adapter."""

    folder: Annotated[str, Field(pattern=FOLDER)]
    adapter: Place
    crate: Annotated[str, Field(pattern=r"^[a-z0-9_-]+$")]
    """The crate that implements it; its version is in the lock file."""
    constant_time: bool | None = None

    @property
    def algorithm(self) -> str:
        """The algorithm, which is also the feature's name."""
        return self.folder.split("/")[1]


class RustLibrary(Table):
    """Crates, and the implementations in them."""

    title: str
    license: str
    language: Literal["rust"]
    implementation: Annotated[tuple[RustImplementation, ...], Field(min_length=1)]


def lay_out(
    tree: Path, library: RustLibrary, adapters: Path, algorithms: dict[str, Algorithm]
) -> None:
    """A crate for each implementation; its dependencies are in Cargo's cache.

    Raises `UserError`.
    """
    versions = _versions(adapters / LOCK)
    for each in library.implementation:
        folder = tree / each.folder
        folder.mkdir(parents=True)
        write_api(library.title, folder, algorithms)
        for name, target in ((each.adapter, ADAPTER), (_COMMON, _COMMON), (LOCK, LOCK)):
            copy_adapter(library.title, adapters / name, folder / target)
        manifest = read_text(adapters / CRATE) + f'default = ["{each.algorithm}"]\n'
        (folder / CRATE).write_text(manifest, encoding="utf-8")
        if each.crate not in versions:
            raise UserError(f"{adapters / LOCK}: has no crate '{each.crate}'; correct 'crate'")
        facts = {
            "title": library.title,
            "license": library.license,
            "notes": f"{each.crate} {versions[each.crate]}",
        }
        write_manifest(folder, facts, each.constant_time)
    fetch_crates(library.title, tree / library.implementation[0].folder)


def _versions(lock: Path) -> dict[str, str]:
    packages = loads(read_text(lock), lock).get("package", [])
    return {package["name"]: package["version"] for package in packages}
