"""Packages in NIST's layout whose inputs and outputs are shares."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pennyweight.catalogue import shared_api
from pennyweight.catalogue.algorithms import Algorithm
from pennyweight.catalogue.formats import supercop
from pennyweight.catalogue.implementation import Implementation
from pennyweight.model import Kind


def is_package(folder: Path) -> bool:
    """Whether the folder has the functions of the call for protected implementations."""
    return shared_api.is_package(folder)


def read(folder: Path, algorithms: dict[str, Algorithm], kind: Kind | None) -> Implementation:
    """Such a package's AEAD, or its hash, which has no shares. Raises `UserError`."""
    found = supercop.read(folder, algorithms, kind)
    if found.kind is not Kind.AEAD:
        return found
    shared = shared_api.read(folder)
    shares = found.manifest.shares or shared.shares
    return replace(
        found,
        shared=shared,
        manifest=found.manifest.model_copy(update={"shares": shares}),
        forbids_overlap=True,
    )
