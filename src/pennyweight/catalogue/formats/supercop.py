"""Packages in the layout of SUPERCOP and of NIST's lightweight cryptography project: an `api.h`
with the sizes, and sources of the one-shot API.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

from pennyweight.catalogue import felics
from pennyweight.catalogue.algorithms import Algorithm, by_alias
from pennyweight.catalogue.api_header import API, ApiSizes, read_api, sizes_of
from pennyweight.catalogue.formats.names import check_printable
from pennyweight.catalogue.formats.sizes import check_sizes, kind_of, same_sizes
from pennyweight.catalogue.implementation import Implementation
from pennyweight.catalogue.manifest import load_manifest
from pennyweight.catalogue.package_tree import CXOF, algorithm_name, name_of, place_of
from pennyweight.catalogue.share_macros import default_shares
from pennyweight.model import Kind, UserError


def is_package(folder: Path) -> bool:
    """Whether the folder has an `api.h`."""
    return (folder / API).is_file()


def read(folder: Path, algorithms: dict[str, Algorithm], kind: Kind | None) -> Implementation:
    """The implementation in a folder. Raises `UserError`, also if `api.h` is missing."""
    check_printable(folder, folder.parent.name, folder.name)
    if not is_package(folder):
        raise UserError(
            f"{folder}: has sources but no {API}; add one that defines the sizes, such as "
            "CRYPTO_KEYBYTES, CRYPTO_NPUBBYTES and CRYPTO_ABYTES of an AEAD"
        )
    manifest = load_manifest(folder)
    if manifest.shares is None:
        manifest = manifest.model_copy(update={"shares": default_shares(folder)})
    api = _sizes(folder)
    place = place_of(folder)
    found = kind or kind_of(api)
    if found is None:
        raise UserError(
            f"{folder / API}: defines neither CRYPTO_KEYBYTES with CRYPTO_NPUBBYTES and "
            "CRYPTO_ABYTES (an AEAD) nor CRYPTO_BYTES (a hash); add them"
        )
    check_sizes(folder / API, api, found)
    label = place.label if place else folder.name
    labels = (label, *_halves(label)) if place else (label, folder.parent.name)
    entry = next(filter(None, (by_alias(each, algorithms, found) for each in labels)), None)
    if entry is not None and not same_sizes(api, entry, found):
        entry = None
    return Implementation(
        algorithm=entry.name if entry else algorithm_name(folder, found),
        name=name_of(folder),
        folder=folder,
        kind=found,
        bundled=False,
        # Packages of hashes may also define the sizes of an AEAD.
        key=(api.key or 0) if found is not Kind.HASH else 0,
        nonce=(api.nonce or 0) if found is not Kind.HASH else 0,
        tag={Kind.AEAD: api.tag, Kind.HASH: 0, Kind.AUTH: api.digest}[found] or 0,
        digest=api.digest or 0,
        nsec=api.nsec or 0,
        manifest=manifest,
        known=entry,
        customised=place is not None and place.kind_folder == CXOF,
        tree=place.tree if place else folder,
        forbids_overlap=api.no_overlap if manifest.in_place is None else not manifest.in_place,
    )


def _sizes(folder: Path) -> ApiSizes:
    """The sizes that `api.h` defines, through included headers if necessary. Raises `UserError`."""
    with contextlib.suppress(UserError):
        found = read_api(folder / API)
        if kind_of(found) is not None:
            return found
    macros: dict[str, str] = {}
    place = place_of(folder)
    felics.define(folder / API, macros, (place.tree if place else folder).resolve())
    return sizes_of(folder / API, macros)


def _halves(label: str) -> list[str]:
    """`romulusn_romulush` means Romulus-N and Romulus-H."""
    parts = label.split("_")
    return parts if len(parts) > 1 else []
