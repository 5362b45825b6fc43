"""Compares the sizes in a package's `api.h` with those of a kind or an algorithm."""

from __future__ import annotations

from pathlib import Path

from pennyweight.catalogue.algorithms import Algorithm
from pennyweight.catalogue.api_header import ApiSizes
from pennyweight.model import Kind, UserError


def kind_of(api: ApiSizes) -> Kind | None:
    """The kind that some sizes belong to; `None` if they belong to none."""
    if api.key is not None and api.nonce is not None and api.tag is not None:
        return Kind.AEAD
    if api.key is not None and api.digest is not None:
        return Kind.AUTH
    if api.digest is not None:
        return Kind.HASH
    return None


def check_sizes(path: Path, api: ApiSizes, kind: Kind) -> None:
    """Raises `UserError` if the `api.h` at `path` lacks a size that the kind has."""
    needed = {
        Kind.AEAD: {"CRYPTO_KEYBYTES": api.key, "CRYPTO_NPUBBYTES": api.nonce}
        | {"CRYPTO_ABYTES": api.tag},
        Kind.HASH: {"CRYPTO_BYTES": api.digest},
        Kind.AUTH: {"CRYPTO_KEYBYTES": api.key, "CRYPTO_BYTES": api.digest},
    }[kind]
    for macro, size in needed.items():
        if size is None:
            raise UserError(f"{path}: {macro} is not defined; add it, in bytes")


def same_sizes(api: ApiSizes, algorithm: Algorithm, kind: Kind) -> bool:
    """Whether the sizes are those of a catalogue algorithm."""
    variant = algorithm.variant
    if kind is Kind.AEAD:
        return (api.key, api.nonce, api.tag) == (variant.key, variant.nonce, variant.tag)
    if kind is Kind.HASH:
        return api.digest == variant.digest
    return (api.key, api.digest) == (variant.key, variant.tag)
