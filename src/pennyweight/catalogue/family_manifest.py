"""Reads `manifest.toml`, which defines how a family's sources are combined.
implementations/README.md explains the fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, StrictBool, field_validator

from pennyweight.catalogue.algorithms import Name
from pennyweight.catalogue.meant_for import InstructionSets, MeantFor
from pennyweight.catalogue.tomlfile import Table

FAMILY_MANIFEST = "manifest.toml"

ASSEMBLY = ".S"
"""The suffix of assembly files, which are preprocessed: on other targets they are empty."""

Define = Annotated[str, Field(pattern=r"^[A-Za-z_]\w*( ([\w()+ -]+|\{secret_key\}))?$")]
Reference = Annotated[str, Field(pattern=r"^[a-z0-9-]+/[a-z0-9-]+$")]
"""A representation of another family, such as `aes/ct32`."""


def _by_name(given: object) -> object:
    """Converts a list of names to a table that maps each name to itself."""
    if isinstance(given, list) and all(isinstance(each, str) for each in given):
        return {name: name for name in given}
    return given


class Files(Table):
    """Files relative to the manifest's folder, in link order.

    In paths `{algorithm}` is the algorithm's name and `{member}` is that name without the
    family's: `n` for `romulus-n` in `romulus/`.
    """

    sources: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    """Folders to search for headers, in this order."""
    defines: tuple[Define, ...] = ()
    """Macros for `api.h`: `NAME`, or `NAME value`. The value `{secret_key}` is the size of the key
    in bytes without a MAC's nonce.
    """


class Representation(Files):
    """One way to compute a primitive. Missing titles, notes, widths and cores are inherited from
    the last representation in `uses` that has them.
    """

    uses: tuple[Reference, ...] = ()
    """Representations of other families; their sources are linked first."""
    title: str = ""
    """One line for tables and reports; `{title}` is the algorithm's title."""
    notes: str = ""
    shares: Annotated[int, Field(ge=2, le=16)] | None = None
    """The number of shares of a masked implementation, whose name then contains `masked`."""
    word_bits: Literal[8, 16, 32, 64] | None = None
    constant_time: StrictBool = True
    """Also false if anything that it uses is false."""
    meant_for: MeantFor = ()
    """What the code is optimised for. With assembly, `[assembly]` states that instead."""


class Variant(Files):
    """Algorithms that are built from the same sources, and the API that these define."""

    algorithms: Annotated[tuple[Name, ...], Field(min_length=1)]
    representations: Annotated[dict[Name, str], BeforeValidator(_by_name)] = Field(
        default_factory=dict
    )
    """The manifest's representations that these algorithms have, by the names of their
    implementations. In a list, the names are those of the representations; empty: all.
    """
    additions: dict[Name, Representation] = Field(default_factory=dict)
    """Additions to single implementations, by name. Their files follow the others; their other
    fields replace those of the representation.
    """
    title: str = "{title}"
    """Replaces the algorithm's title in those of representations; `{title}` is the original one."""
    notes: str = ""
    """Replaces the notes of the representations."""
    incremental: StrictBool = False
    key_setup: StrictBool = False
    xof: StrictBool = False
    customisation: StrictBool = False
    cxof: StrictBool = False
    """The one-shot function is `crypto_cxof`."""
    in_place: StrictBool | None = None

    @field_validator("algorithms")
    @classmethod
    def _each_once(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        repeated = next((name for name in names if names.count(name) > 1), None)
        if repeated is not None:
            raise ValueError(f"'{repeated}' is listed twice: remove one")
        return names

    def named(self, known: Mapping[str, Representation]) -> dict[str, str]:
        """Maps the name of each implementation to that of its representation."""
        return self.representations or {name: name for name in known}


class FamilyManifest(Table):
    """A file `manifest.toml`. If it has no variants, its representations are for other families."""

    license: str = "MIT"
    assembly: dict[str, InstructionSets] = Field(default_factory=dict)
    """The sources of the folder that are assembly, `.S` files or inline assembly in C, with the
    instruction sets that each is written for. On all others, C that another implementation has too
    replaces it.
    """
    representation: Annotated[dict[Name, Representation], Field(min_length=1)]
    variant: tuple[Variant, ...] = ()
