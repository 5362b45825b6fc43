"""`implementation.toml`: optional facts that an author states in addition to `api.h`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StrictBool, model_validator

from pennyweight.catalogue.meant_for import MeantFor
from pennyweight.catalogue.tomlfile import Table, parse, read_text

MANIFEST = "implementation.toml"

Macro = Annotated[str, Field(pattern=r"^[A-Za-z_]\w*( [\w()+ -]+)?$")]
"""A macro's name, and its value after a space."""


class Manifest(Table):
    """The manifest's fields; all have defaults, so it is optional."""

    title: str = ""
    license: str = ""
    shares: Annotated[int, Field(ge=2, le=16)] | None = None
    """Of a masked implementation: the number of shares of a secret; `None`: not masked."""
    constant_time: StrictBool | None = None
    """Whether time is independent of secrets; `None`: not stated."""
    word_bits: Literal[8, 16, 32, 64] | None = None
    """The width of the words that the code uses."""
    incremental: StrictBool = False
    """Whether it defines the functions of `pennyweight/aead.h`, `hash.h` or `mac.h`."""
    key_setup: StrictBool = False
    """Whether it also defines key setup and the start of a message as separate functions."""
    xof: StrictBool = False
    """Whether it also defines `hash_squeeze` of `pennyweight/hash.h`."""
    customisation: StrictBool = False
    """Whether it also defines `hash_init_custom` or `mac_init_custom`."""
    in_place: StrictBool | None = None
    """Whether output and input may share a buffer; `None`: tested automatically."""
    sources: tuple[str, ...] = ()
    """Files to compile, relative to the folder, in link order; other files of the folder come
    first.
    """
    include: tuple[str, ...] = ()
    """Additional folders to search for headers, relative to the folder."""
    defines: tuple[Macro, ...] = ()
    """Macros that all sources are compiled with."""
    notes: str = ""
    meant_for: MeantFor = ()
    """What the code is optimised for; shown, never enforced."""

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
