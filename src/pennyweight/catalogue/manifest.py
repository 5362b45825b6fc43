"""`implementation.toml`: what an implementation's author tells beyond `api.h`; optional."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StrictBool, model_validator

from pennyweight.catalogue.tomlfile import Table, parse, read_text

MANIFEST = "implementation.toml"

Macro = Annotated[str, Field(pattern=r"^[A-Za-z_]\w*( [\w()+ -]+)?$")]
"""A macro's name, and its value after a space."""


class Manifest(Table):
    """The manifest's fields; all have defaults, so a package without one needs none."""

    title: str = ""
    license: str = ""
    constant_time: StrictBool | None = None
    """Does time not depend on secrets? `None`: not said."""
    word_bits: Literal[8, 16, 32, 64] | None = None
    """The width of word that the code is written for."""
    incremental: StrictBool = False
    """Does it define the functions of `pennyweight/aead.h`, `hash.h` or `mac.h`?"""
    key_setup: StrictBool = False
    """Does it define the key's set-up and the start of a message apart too?"""
    xof: StrictBool = False
    """Does it define `hash_squeeze` of `pennyweight/hash.h` too?"""
    customisation: StrictBool = False
    """Does it define `hash_init_custom` or `mac_init_custom` too?"""
    in_place: StrictBool | None = None
    """May output take the place of input? `None`: found out by trying."""
    sources: tuple[str, ...] = ()
    """Files to compile, relative to the folder, in link order; they follow those in the folder that
    are not among them.
    """
    include: tuple[str, ...] = ()
    """Further folders to look for headers in, relative to the folder."""
    defines: tuple[Macro, ...] = ()
    """Macros that all sources are compiled with."""
    notes: str = ""
    meant_for: tuple[str, ...] = ()
    """What it is written for, in words or names of cores and boards; shown, never enforced."""

    @model_validator(mode="after")
    def _more_needs_the_incremental_api(self) -> Manifest:
        for name in ("key_setup", "xof", "customisation"):
            if getattr(self, name) and not self.incremental:
                raise ValueError(f"'{name}' is part of the incremental API: set 'incremental' too")
        return self


def load_manifest(folder: Path) -> Manifest:
    """The manifest of an implementation's folder, or the defaults. Raises `UserError`."""
    path = folder / MANIFEST
    if not path.is_file():
        return Manifest()
    return parse(read_text(path), path, Manifest)
