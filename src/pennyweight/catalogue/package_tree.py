"""The location of a package in a tree such as SUPERCOP's: `crypto_aead/<algorithm>/<name>`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pennyweight.catalogue import felics
from pennyweight.catalogue.api_header import API
from pennyweight.catalogue.manifest import MANIFEST
from pennyweight.catalogue.walking import walk
from pennyweight.model import Kind

CXOF = "crypto_cxof"
KINDS: dict[str, tuple[Kind, ...]] = {
    "crypto_aead": (Kind.AEAD,),
    "crypto_hash": (Kind.HASH,),
    "crypto_aead_hash": (Kind.AEAD, Kind.HASH),
    CXOF: (Kind.HASH,),
    "crypto_auth": (Kind.AUTH,),
}
"""The contents of a kind's folder; a combined package is one implementation of each kind."""

_OTHER_KINDS = frozenset(
    f"crypto_{kind}"
    for kind in (
        *("box", "core", "decode", "dh", "encode", "encrypt", "hashblocks", "kem", "nG", "nP"),
        *("onetimeauth", "pow", "rng", "scalarmult", "secretbox", "sign", "sort", "stream"),
        *("verify", "xof"),
    )
)
"""SUPERCOP's other kinds, which are skipped."""

_SOURCES = (".c", ".S", ".s", ".cpp", ".cc", ".cxx")
_DEPTH = 8
_NESTED = 5
"""Maximum depth from the kind's folder to an implementation: two in most trees; SUPERCOP has
`crypto_hash/bmw256/core_2_45nm/x86-64/sse4_v1`.
"""


@dataclass(frozen=True, slots=True)
class Place:
    """The location of a folder in a tree of packages."""

    kind_folder: str
    label: str
    """The algorithm's folder."""
    name: str
    """The name of the implementation; those of nested folders are joined with `-`."""
    tree: Path
    """The parent of the kind's folder."""

    @property
    def is_combined(self) -> bool:
        """Whether each folder has implementations of several kinds."""
        return len(KINDS[self.kind_folder]) > 1


def place_of(folder: Path) -> Place | None:
    """The location of a folder in a tree of packages; `None` if it is in none."""
    for depth in range(1, min(_NESTED, len(folder.parents))):
        above = folder.parents[depth]
        if above.name in KINDS:
            label, *names = folder.relative_to(above).parts
            return Place(above.name, label, "-".join(names), above.parent)
    return None


def kinds_of(folder: Path) -> tuple[Kind | None, ...]:
    """The kinds that the location of a folder defines; `None`: its `api.h` decides."""
    place = place_of(folder)
    return KINDS[place.kind_folder] if place else (None,)


def name_of(folder: Path) -> str:
    """The name of the implementation in a folder. A combined package includes the algorithm's
    folder, to keep it distinct.
    """
    place = place_of(folder)
    if place is None:
        return folder.name
    return f"{place.name}@{place.label}" if place.is_combined else place.name


def algorithm_name(folder: Path, kind: Kind) -> str:
    """The name of an algorithm that is not in algorithms/: its folder's name."""
    place = place_of(folder)
    if place is None:
        return folder.name.casefold()
    return f"{place.label.casefold()}-{kind}" if place.is_combined else place.label.casefold()


def packages_below(root: Path) -> Iterator[Path]:
    """Every folder with a package under `root`, and those where one should be: with sources or a
    manifest, in an implementation's place. Links to folders are not followed.
    """
    for place, folders, files in walk(root):
        here = Path(place)
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".")
            and name not in _OTHER_KINDS
            and not (here / name).is_symlink()
        )
        if len(here.relative_to(root).parts) >= _DEPTH:
            folders[:] = []
        lacking = here != root and _lacks_api(here, files) and not _holds_api(here)
        of_felics = felics.CONSTANTS in files and felics.is_package(here)
        if API in files or lacking or of_felics:
            folders[:] = []
            yield here


def _lacks_api(folder: Path, files: list[str]) -> bool:
    """Whether there are sources, or a manifest, at the location of an implementation."""
    in_place = folder.parent.parent.name in KINDS
    return in_place and any(name == MANIFEST or name.endswith(_SOURCES) for name in files)


def _holds_api(folder: Path) -> bool:
    return any(API in files for _, _, files in walk(folder))
