"""FELICS-AE's packages as implementations."""

from __future__ import annotations

from pathlib import Path

from pennyweight.catalogue import felics_ae
from pennyweight.catalogue.algorithms import Algorithm
from pennyweight.catalogue.api_header import API
from pennyweight.catalogue.formats.names import check_printable
from pennyweight.catalogue.formats.sizes import check_sizes, same_sizes
from pennyweight.catalogue.implementation import Implementation
from pennyweight.catalogue.manifest import load_manifest
from pennyweight.model import Kind


def is_package(folder: Path) -> bool:
    """Whether the folder has FELICS-AE's `implementation.info` and a one-shot API with its
    types.
    """
    return felics_ae.is_package(folder)


def read(folder: Path, algorithms: dict[str, Algorithm], kind: Kind | None) -> Implementation:
    """Such a package's AEAD, whatever `kind` is. Raises `UserError`."""
    api, package = felics_ae.read(folder)
    check_sizes(folder / API, api, Kind.AEAD)
    label, version = felics_ae.label(folder)
    check_printable(folder, label, version)
    known = felics_ae.algorithm_named(label, algorithms)
    if known is not None and not same_sizes(api, known, Kind.AEAD):
        known = None
    manifest = load_manifest(folder)
    return Implementation(
        algorithm=known.name if known else label.casefold(),
        name=version,
        folder=folder,
        kind=Kind.AEAD,
        bundled=False,
        key=api.key or 0,
        nonce=api.nonce or 0,
        tag=package.tag,
        digest=0,
        manifest=manifest,
        known=known,
        tree=felics_ae.tree_of(folder),
        forbids_overlap=api.no_overlap if manifest.in_place is None else not manifest.in_place,
        felics_ae=package,
    )
