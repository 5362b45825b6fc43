"""Finds implementations: the bundled ones by name, anybody's by path."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pennyweight.catalogue import felics, felics_ae
from pennyweight.catalogue.algorithms import Algorithm, by_alias
from pennyweight.catalogue.api_header import API, ApiSizes, read_api, sizes_of
from pennyweight.catalogue.manifest import MANIFEST, Manifest, load_manifest
from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.catalogue.walking import walk
from pennyweight.model import Kind, Operation, UserError
from pennyweight.paths import expand_user

_CXOF = "crypto_cxof"
_KINDS: dict[str, tuple[Kind, ...]] = {
    "crypto_aead": (Kind.AEAD,),
    "crypto_hash": (Kind.HASH,),
    "crypto_aead_hash": (Kind.AEAD, Kind.HASH),
    _CXOF: (Kind.HASH,),
    "crypto_auth": (Kind.AUTH,),
}
"""What a folder of a package's tree holds; a combined package is one implementation of each."""
_OTHER_KINDS = frozenset(
    f"crypto_{kind}"
    for kind in (
        *("box", "core", "decode", "dh", "encode", "encrypt", "hashblocks", "kem", "nG", "nP"),
        *("onetimeauth", "pow", "rng", "scalarmult", "secretbox", "sign", "sort", "stream"),
        *("verify", "xof"),
    )
)
"""SUPERCOP's other kinds, which lie beside ours in its tree and are passed over there."""

_SOURCES = (".c", ".S", ".s", ".cpp", ".cc", ".cxx")
_DEPTH = 8
_NESTED = 5
"""Folders from that of the kind down to an implementation: two in most trees; SUPERCOP has
`crypto_hash/bmw256/core_2_45nm/x86-64/sse4_v1`.
"""

ONE_SHOT: dict[Kind, tuple[Operation, ...]] = {
    Kind.AEAD: (Operation.ENC, Operation.DEC),
    Kind.HASH: (Operation.HASH,),
    Kind.AUTH: (Operation.AUTH, Operation.AUTH_VERIFY),
}
"""The one-shot operations of each kind that can be measured."""

KEY_SETUP = (Operation.KEY, Operation.START)
"""What `init` is made of, where an implementation has the key's set-up apart."""

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
class _Place:
    """Where a folder lies in a tree of packages."""

    kind_folder: str
    label: str
    """The algorithm's folder."""
    name: str
    """The implementation's; those of nested folders joined by `-`."""
    tree: Path
    """The folder that holds the kind's."""


def _place(folder: Path) -> _Place | None:
    """The place of a folder in a tree of packages; `None` if it lies in none."""
    for depth in range(1, min(_NESTED, len(folder.parents))):
        above = folder.parents[depth]
        if above.name in _KINDS:
            label, *names = folder.relative_to(above).parts
            return _Place(above.name, label, "-".join(names), above.parent)
    return None


@dataclass(frozen=True, slots=True)
class Implementation:
    """One source folder of one algorithm. Picklable; sizes in bytes."""

    algorithm: str
    """Official name, or the folder's own name if no algorithm of ours has it as an alias."""
    name: str
    """The folder's name; unique together with `algorithm` among the bundled ones."""
    folder: Path
    kind: Kind
    bundled: bool
    key: int
    nonce: int
    tag: int
    digest: int
    manifest: Manifest
    known: Algorithm | None
    """The catalogue's entry with its known answers, if it has one."""
    tree: Path
    """The folder that everything it compiles must lie in."""
    forbids_overlap: bool = False
    """Its author forbids output in place of the input."""
    customised: bool = False
    """A hash that is called by `crypto_cxof`: output length and customisation string of choice."""
    nsec: int = 0
    """Size of the secret message number that it takes, as some of CAESAR's do; it is given none."""
    felics: felics.Felics | None = None
    """Written for FELICS-AEAD: seven functions take the place of the one-shot API."""
    felics_ae: felics_ae.FelicsAe | None = None
    """Written for FELICS-AE, whose one-shot API has other types of lengths."""
    crate: bool = False
    """Cargo builds it: only of a library, whose manifests are ours. Cargo does what a folder's own
    configuration says, which could be to run anything."""
    problem: str = ""
    """Why it can be neither built nor measured, in one sentence; empty if it can."""

    @property
    def id(self) -> str:
        """`algorithm/name`, as on the command line."""
        return f"{self.algorithm}/{self.name}"

    @property
    def title(self) -> str:
        """Name for people."""
        algorithm = self.known.variant.title if self.known else self.algorithm
        return f"{algorithm} {self.name}"

    @property
    def problem_anywhere(self) -> str:
        """The problem, with paths as they are in the tree wherever that lies."""
        place = _place(self.folder)
        return self.problem.replace(f"{place.tree if place else self.folder.parent}/", "")

    def operations(self) -> tuple[Operation, ...]:
        """The one-shot operations that can be measured."""
        return ONE_SHOT[self.kind]

    @property
    def longest(self) -> int:
        """Bytes of the longest message of an AEAD that takes short ones only, without associated
        data, and whose ciphertexts all have one size; 0 of all others.
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
        """Has a case associated data, or a customisation string in its place?"""
        return self.kind is Kind.AEAD or self.customised


def bundled(root: Path, algorithms: dict[str, Algorithm]) -> list[Implementation]:
    """The implementations under `root` (`implementations/`) by algorithm and name."""
    found = _read_all(root, algorithms, bundled_in=root)
    return sorted(found, key=lambda each: (each.algorithm, each.name))


def find(
    text: str, known: list[Implementation], algorithms: dict[str, Algorithm]
) -> list[Implementation]:
    """What `text` names: an algorithm (all its bundled implementations), one implementation
    (`algorithm/name`), or the path of a folder or tree. Raises `UserError`.
    """
    for candidate in (text, text.casefold()):
        hits = [each for each in known if candidate in (each.id, each.algorithm)]
        if hits:
            return hits
    algorithm = by_alias(text, algorithms)
    if algorithm is not None:
        hits = [each for each in known if each.algorithm == algorithm.name]
        if hits:
            return hits
        raise UserError(
            f"algorithm '{algorithm.name}' has no bundled implementation: "
            "give the path of a folder with one"
        )
    path = expand_user(text)
    if path.exists():
        return at_path(path, algorithms)
    names = {each.algorithm for each in known} | {each.id for each in known}
    raise UserError(
        f"unknown algorithm, implementation or folder '{text}':{did_you_mean(text, names)} "
        "`pennyweight implementations` lists them"
    )


def at_path(path: Path, algorithms: dict[str, Algorithm]) -> list[Implementation]:
    """The implementation in a folder with `api.h`, or all of those in a tree. Raises `UserError`.

    In a tree a folder that cannot be used becomes an implementation with a `problem`.
    """
    if not path.is_dir():
        raise UserError(f"{path}: not a folder; give the folder that holds {API}")
    path = path.resolve()
    if felics.is_package(path) or (path / API).is_file():
        return [_read_any(path, algorithms, None, kind) for kind in _kinds(path)]
    found = _read_all(path, algorithms, bundled_in=None)
    if not found:
        raise UserError(
            f"{path}: no {API} (nor FELICS's {felics.CONSTANTS}) in it or below it; add one that "
            "defines CRYPTO_KEYBYTES, CRYPTO_NPUBBYTES and CRYPTO_ABYTES (or CRYPTO_BYTES for a "
            "hash)"
        )
    return found


def _read_all(
    root: Path, algorithms: dict[str, Algorithm], bundled_in: Path | None
) -> list[Implementation]:
    """Every implementation under `root` by folder; those that cannot be used have a `problem`."""
    found = []
    for folder in sorted(_folders(root), key=lambda folder: folder.as_posix()):
        for kind in _kinds(folder):
            try:
                found.append(_read_any(folder, algorithms, bundled_in, kind))
            except UserError as error:
                found.append(_unusable(folder, str(error), bundled_in is not None, kind))
    return found


def _kinds(folder: Path) -> tuple[Kind | None, ...]:
    """What the folder's place in a tree says that it is; `None`: nothing, its `api.h` will."""
    place = _place(folder)
    return _KINDS[place.kind_folder] if place else (None,)


def _folders(root: Path) -> Iterator[Path]:
    """Every folder with `api.h` under `root`, and those where one should be: with sources or a
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
    """Are there sources, or a manifest, where a package's tree has an implementation?"""
    in_place = folder.parent.parent.name in _KINDS
    return in_place and any(name == MANIFEST or name.endswith(_SOURCES) for name in files)


def _holds_api(folder: Path) -> bool:
    return any(API in files for _, _, files in walk(folder))


def _read_any(
    folder: Path,
    algorithms: dict[str, Algorithm],
    bundled_in: Path | None,
    expected: Kind | None,
) -> Implementation:
    """One implementation, whatever framework it was written for. Raises `UserError`."""
    if bundled_in is None:
        if felics.is_package(folder):
            return _read_felics(folder, algorithms)
        if felics_ae.is_package(folder):
            return _read_felics_ae(folder, algorithms)
    return _read(folder, algorithms, bundled_in, expected)


def _read(
    folder: Path,
    algorithms: dict[str, Algorithm],
    bundled_in: Path | None,
    expected: Kind | None,
) -> Implementation:
    """One implementation. Raises `UserError`."""
    if not f"{folder.parent.name}{folder.name}".isprintable():
        raise UserError(
            f"{str(folder)!r}: the folder's name has a letter that cannot be printed; rename it"
        )
    if not (folder / API).is_file():
        raise UserError(
            f"{folder}: has sources but no {API}; add one that defines the sizes, such as "
            "CRYPTO_KEYBYTES, CRYPTO_NPUBBYTES and CRYPTO_ABYTES of an AEAD"
        )
    manifest = load_manifest(folder)
    api = _sizes(folder)
    place = _place(folder)
    kind_folder = place.kind_folder if place else ""
    kind = expected or _kind(api)
    if kind is None:
        raise UserError(
            f"{folder / API}: defines neither CRYPTO_KEYBYTES with CRYPTO_NPUBBYTES and "
            "CRYPTO_ABYTES (an AEAD) nor CRYPTO_BYTES (a hash); add them"
        )
    _check_sizes(folder / API, api, kind)
    label = place.label if place else folder.name
    labels = (label, *_halves(label)) if place else (label, folder.parent.name)
    entry = next(filter(None, (by_alias(each, algorithms, kind) for each in labels)), None)
    if bundled_in is not None:
        entry = _bundled_entry(folder, entry, label, api)
    elif entry is not None and not _same_sizes(api, entry, kind):
        entry = None
    return Implementation(
        algorithm=entry.name if entry else _own_name(label, kind_folder, kind),
        name=_name(folder),
        folder=folder,
        kind=kind,
        bundled=bundled_in is not None,
        # Packages of hashes may carry the sizes of the AEAD beside them.
        key=(api.key or 0) if kind is not Kind.HASH else 0,
        nonce=(api.nonce or 0) if kind is not Kind.HASH else 0,
        tag={Kind.AEAD: api.tag, Kind.HASH: 0, Kind.AUTH: api.digest}[kind] or 0,
        digest=api.digest or 0,
        nsec=api.nsec or 0,
        manifest=manifest,
        known=entry,
        customised=kind_folder == _CXOF,
        tree=bundled_in or (place.tree if place else folder),
        forbids_overlap=api.no_overlap if manifest.in_place is None else not manifest.in_place,
    )


def _sizes(folder: Path) -> ApiSizes:
    """What `api.h` defines, by headers that it includes if need be. Raises `UserError`."""
    with contextlib.suppress(UserError):
        found = read_api(folder / API)
        if _kind(found) is not None:
            return found
    macros: dict[str, str] = {}
    place = _place(folder)
    felics.define(folder / API, macros, (place.tree if place else folder).resolve())
    return sizes_of(folder / API, macros)


def _read_felics(folder: Path, algorithms: dict[str, Algorithm]) -> Implementation:
    """A package for FELICS-AEAD. Raises `UserError`."""
    sizes = felics.read(folder)
    label, version = felics.label(folder)
    if not f"{label}{version}".isprintable():
        raise UserError(f"{str(folder)!r}: the name has a letter that cannot be printed; rename it")
    known = felics.algorithm_of(label, sizes, algorithms)
    manifest = load_manifest(folder).model_copy(update={"incremental": True})
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
        manifest=manifest,
        known=known,
        tree=folder,
        felics=sizes,
    )


def _read_felics_ae(folder: Path, algorithms: dict[str, Algorithm]) -> Implementation:
    """A package for FELICS-AE. Raises `UserError`."""
    api, package = felics_ae.read(folder)
    _check_sizes(folder / API, api, Kind.AEAD)
    label, version = felics_ae.label(folder)
    if not f"{label}{version}".isprintable():
        raise UserError(f"{str(folder)!r}: the name has a letter that cannot be printed; rename it")
    known = felics_ae.algorithm_named(label, algorithms)
    if known is not None and not _same_sizes(api, known, Kind.AEAD):
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


def _halves(label: str) -> list[str]:
    """`romulusn_romulush` is Romulus-N and Romulus-H."""
    parts = label.split("_")
    return parts if len(parts) > 1 else []


def _name(folder: Path) -> str:
    """The folder's name; a combined package adds which, so that it is not taken for another."""
    place = _place(folder)
    if place is None:
        return folder.name
    combined = len(_KINDS[place.kind_folder]) > 1
    return f"{place.name}@{place.label}" if combined else place.name


def _own_name(label: str, kind_folder: str, kind: Kind) -> str:
    """What an algorithm that is not ours is called: its folder's name."""
    combined = len(_KINDS.get(kind_folder, ())) > 1
    return f"{label.casefold()}-{kind}" if combined else label.casefold()


def _kind(api: ApiSizes) -> Kind | None:
    if api.key is not None and api.nonce is not None and api.tag is not None:
        return Kind.AEAD
    if api.key is not None and api.digest is not None:
        return Kind.AUTH
    if api.digest is not None:
        return Kind.HASH
    return None


def _check_sizes(path: Path, api: ApiSizes, kind: Kind) -> None:
    needed = {
        Kind.AEAD: {"CRYPTO_KEYBYTES": api.key, "CRYPTO_NPUBBYTES": api.nonce}
        | {"CRYPTO_ABYTES": api.tag},
        Kind.HASH: {"CRYPTO_BYTES": api.digest},
        Kind.AUTH: {"CRYPTO_KEYBYTES": api.key, "CRYPTO_BYTES": api.digest},
    }[kind]
    for macro, size in needed.items():
        if size is None:
            raise UserError(f"{path}: {macro} is not defined; add it, in bytes")


def _same_sizes(api: ApiSizes, entry: Algorithm, kind: Kind) -> bool:
    variant = entry.variant
    if kind is Kind.AEAD:
        return (api.key, api.nonce, api.tag) == (variant.key, variant.nonce, variant.tag)
    if kind is Kind.HASH:
        return api.digest == variant.digest
    return (api.key, api.digest) == (variant.key, variant.tag)


def _bundled_entry(folder: Path, entry: Algorithm | None, label: str, api: ApiSizes) -> Algorithm:
    """A bundled implementation always belongs to an algorithm of ours, sizes included."""
    if entry is None:
        raise UserError(f"{folder}: no file in algorithms/ defines '{label}'; add the variant")
    if not _same_sizes(api, entry, entry.kind):
        raise UserError(
            f"{folder / API}: sizes ({api.sentence()}) differ from those of '{entry.name}' in "
            f"{entry.path}; correct one of them"
        )
    return entry


def unusable(path: Path, problem: str) -> Implementation:
    """What stands for a path that was named among others and is no implementation."""
    return _unusable(expand_user(path).resolve(), problem, False, None)


def _unusable(
    folder: Path, problem: str, is_bundled: bool, expected: Kind | None
) -> Implementation:
    kind = expected or Kind.AEAD
    place = _place(folder)
    return Implementation(
        algorithm=_own_name(
            place.label if place else folder.name, place.kind_folder if place else "", kind
        ),
        name=_name(folder),
        folder=folder,
        kind=kind,
        bundled=is_bundled,
        key=0,
        nonce=0,
        tag=0,
        digest=0,
        manifest=Manifest(),
        known=None,
        tree=folder,
        problem=problem,
    )
