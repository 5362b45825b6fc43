"""FELICS-AEAD's packages as implementations."""

from __future__ import annotations

from pathlib import Path

from pennyweight.catalogue import felics
from pennyweight.catalogue.algorithms import Algorithm
from pennyweight.catalogue.formats.names import check_printable
from pennyweight.catalogue.implementation import Implementation
from pennyweight.catalogue.manifest import load_manifest
from pennyweight.model import Kind


def is_package(folder: Path) -> bool:
    """Whether the folder has `constants.h` and FELICS's functions, and not the one-shot API."""
    return felics.is_package(folder)


def read(folder: Path, algorithms: dict[str, Algorithm], kind: Kind | None) -> Implementation:
    """Such a package's AEAD, whatever `kind` is. Raises `UserError`."""
    sizes = felics.read(folder)
    label, version = felics.label(folder)
    check_printable(folder, label, version)
    known = felics.algorithm_of(label, sizes, algorithms)
    return Implementation(
        algorithm=known.name if known else label.casefold(),
        name=f"felics-{version}",
        folder=folder,
        kind=Kind.AEAD,
        bundled=False,
        key=sizes.key,
        nonce=sizes.nonce,
        tag=sizes.tag,
        digest=0,
        manifest=load_manifest(folder).model_copy(update={"incremental": True}),
        known=known,
        tree=folder,
        felics=sizes,
    )
