"""An implementation, and the operations that can be measured."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pennyweight.catalogue import felics, felics_ae, shared_api
from pennyweight.catalogue.algorithms import Algorithm
from pennyweight.catalogue.manifest import Manifest
from pennyweight.catalogue.package_tree import place_of
from pennyweight.model import Kind, Operation

ONE_SHOT: dict[Kind, tuple[Operation, ...]] = {
    Kind.AEAD: (Operation.ENC, Operation.DEC),
    Kind.HASH: (Operation.HASH,),
    Kind.AUTH: (Operation.AUTH, Operation.AUTH_VERIFY),
}
"""The one-shot operations of each kind."""

KEY_SETUP = (Operation.KEY, Operation.START)
"""The parts of `init`, if an implementation has separate key setup."""

PARTS: dict[Kind, tuple[Operation, ...]] = {
    Kind.AEAD: (
        Operation.INIT,
        Operation.AD,
        Operation.ENCRYPT,
        Operation.DECRYPT,
        Operation.FINALIZE,
        Operation.TAG,
        Operation.VERIFY,
    ),
    Kind.HASH: (Operation.INIT, Operation.UPDATE, Operation.FINALIZE),
    Kind.AUTH: (
        Operation.INIT,
        Operation.UPDATE,
        Operation.FINALIZE,
        Operation.TAG,
        Operation.VERIFY,
    ),
}
"""The incremental operations of each kind."""


@dataclass(frozen=True, slots=True)
class Implementation:
    """Sources of one algorithm. Picklable; sizes in bytes."""

    algorithm: str
    """Official name, or the folder's own name if the catalogue has no algorithm with that alias."""
    name: str
    """The folder's name, or a bundled implementation's representation; unique among those of an
    `algorithm`.
    """
    folder: Path
    """Its folder; for a bundled implementation, its family's."""
    kind: Kind
    bundled: bool
    key: int
    nonce: int
    tag: int
    digest: int
    manifest: Manifest
    known: Algorithm | None
    """The catalogue's entry with its known answers, if available."""
    tree: Path
    """The folder that must contain everything it compiles."""
    generated: tuple[tuple[str, str], ...] = ()
    """Headers that are not files, by name, with their text: `api.h` of a bundled implementation.
    Its sources and header folders are relative to `tree`; otherwise they are relative to `folder`.
    """
    forbids_overlap: bool = False
    """The author does not allow output and input in the same buffer."""
    customised: bool = False
    """A hash with the function `crypto_cxof`: variable output length and customisation string."""
    assembly: tuple[str, ...] = ()
    """The instruction sets that a bundled implementation's assembly is written for; empty if it has
    none. On all others it is built from C alone.
    """
    nsec: int = 0
    """Size of the secret message number, which some CAESAR candidates take; none is passed."""
    felics: felics.Felics | None = None
    """Written for FELICS-AEAD: seven functions replace the one-shot API."""
    felics_ae: felics_ae.FelicsAe | None = None
    """Written for FELICS-AE, whose one-shot API has other types for lengths."""
    shared: shared_api.SharedApi | None = None
    """An AEAD whose inputs and outputs are shares: other functions replace the one-shot API."""
    requested_shares: str = ""
    """The number of shares that the user chose, such as ``3`` or ``3:1``; empty: the package's."""
    crate: bool = False
    """Built by Cargo. Only bundled libraries are, because Cargo obeys the configuration in a
    folder, which could run any command."""
    problem: str = ""
    """Why it can be neither built nor measured, in one sentence; empty if it can."""

    @property
    def id(self) -> str:
        """`algorithm/name`, as on the command line."""
        return f"{self.algorithm}/{self.name}"

    @property
    def title(self) -> str:
        """Full name."""
        algorithm = self.known.variant.title if self.known else self.algorithm
        return f"{algorithm} {self.name}"

    @property
    def problem_anywhere(self) -> str:
        """The problem, with paths relative to the tree."""
        place = place_of(self.folder)
        return self.problem.replace(f"{place.tree if place else self.folder.parent}/", "")

    def operations(self) -> tuple[Operation, ...]:
        """The one-shot operations that can be measured."""
        return ONE_SHOT[self.kind]

    @property
    def longest(self) -> int:
        """Bytes of the longest message of an AEAD for short messages without associated data, whose
        ciphertexts all have one size; 0 for others.
        """
        return self.known.variant.longest if self.known else 0

    def parts(self) -> tuple[Operation, ...]:
        """The incremental operations that can be measured; none without the incremental API."""
        if not self.manifest.incremental:
            return ()
        squeeze = (Operation.SQUEEZE,) if self.manifest.xof else ()
        apart = KEY_SETUP if self.manifest.key_setup and self.kind is not Kind.HASH else ()
        return (*PARTS[self.kind], *apart, *squeeze)

    @property
    def takes_ad(self) -> bool:
        """Whether a case has associated data, or a customisation string instead."""
        return self.kind is Kind.AEAD or self.customised
