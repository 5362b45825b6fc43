"""The bundled implementations: every variant of a manifest in every representation."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from pennyweight.catalogue.algorithms import Algorithm
from pennyweight.catalogue.api_header import API, header_text
from pennyweight.catalogue.family_manifest import (
    ASSEMBLY,
    FAMILY_MANIFEST,
    FamilyManifest,
    Files,
    Representation,
    Variant,
)
from pennyweight.catalogue.implementation import Implementation
from pennyweight.catalogue.leakage import shares_meet
from pennyweight.catalogue.manifest import Manifest
from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.catalogue.tomlfile import parse, read_text
from pennyweight.model import Kind, UserError

SHARED = "util"
"""The folder whose headers every implementation can include."""

_TABLE = "table"
"""The names of representations contain this word exactly if they are not constant time."""

MASKED = "masked"
"""The names of implementations contain this word exactly if they have shares."""

_LEAKS = (
    "Constant time only on cores without caches whose memories all have the same access time: "
    "the addresses of table lookups depend on secrets."
)
"""Added to the notes of every representation that is not constant time."""

_MEET = (
    "In the compiled code, the two shares of a value meet by the models of `pennyweight leakage`, "
    "on all cores that were checked."
)
"""Added to the notes of C with two shares; the figures are in docs/howto/leakage.md."""


def bundled(root: Path, algorithms: Mapping[str, Algorithm]) -> list[Implementation]:
    """The implementations of all families in `root` (`implementations/`), by algorithm and name.

    Raises `UserError` for errors in a manifest.
    """
    paths = sorted(root.glob(f"*/{FAMILY_MANIFEST}"))
    families = {path.parent.name: _Family.load(path) for path in paths}
    assembly = _assembly_of(families.values())
    found: dict[str, Implementation] = {}
    for family in families.values():
        for each in _Expansion(family, families, assembly, algorithms).implementations():
            if each.id in found:
                other = found[each.id].folder / FAMILY_MANIFEST
                raise UserError(f"{family.path}: {other} has '{each.id}' too; remove one of them")
            found[each.id] = each
    return sorted(found.values(), key=lambda each: (each.algorithm, each.name))


@dataclass(frozen=True)
class _Family:
    path: Path
    manifest: FamilyManifest

    @classmethod
    def load(cls, path: Path) -> _Family:
        """Raises `UserError`."""
        return cls(path, parse(read_text(path), path, FamilyManifest))

    @property
    def name(self) -> str:
        return self.path.parent.name

    def wrong(self, field: str, reason: str) -> UserError:
        """The error to raise for a field of the manifest."""
        return UserError(f"{self.path}: field '{field}': {reason}")


def _assembly_of(families: Iterable[_Family]) -> dict[str, tuple[str, ...]]:
    """The instruction sets of all assembly, by path relative to the root. Raises `UserError`."""
    found: dict[str, tuple[str, ...]] = {}
    for family in families:
        for name, instruction_sets in family.manifest.assembly.items():
            if not (family.path.parent / name).is_file():
                raise family.wrong(
                    f"assembly.{name}", "there is no such file; add it or correct this"
                )
            found[os.path.normpath(f"{family.name}/{name}")] = instruction_sets
    return found


@dataclass(frozen=True, slots=True)
class _Layer:
    """A table of a manifest that contributes files to an implementation."""

    family: _Family
    field: str
    files: Files


class _Expansion:
    """Creates the implementations of one family."""

    def __init__(
        self,
        family: _Family,
        families: Mapping[str, _Family],
        assembly: Mapping[str, tuple[str, ...]],
        algorithms: Mapping[str, Algorithm],
    ) -> None:
        self._family = family
        self._families = families
        self._assembly = assembly
        self._algorithms = algorithms
        self._root = family.path.parents[1]
        self._seen: set[tuple[str, Path]] = set()

    def implementations(self) -> Iterator[Implementation]:
        """Raises `UserError`."""
        known = self._family.manifest.representation
        for number, variant in enumerate(self._family.manifest.variant, start=1):
            field = f"variant[{number}]"
            named = variant.named(known)
            for name in variant.additions:
                if name not in named:
                    raise self._family.wrong(
                        f"{field}.additions",
                        f"unknown implementation '{name}':{did_you_mean(name, named)} correct it",
                    )
            for name, representation in named.items():
                if representation not in known:
                    raise self._family.wrong(
                        f"{field}.representations",
                        f"unknown representation '{representation}':"
                        f"{did_you_mean(representation, known)} "
                        f"add a table [representation.{representation}]",
                    )
                layers = self._lineage(
                    self._family, f"representation.{representation}", known[representation]
                )
                if name in variant.additions:
                    layers += self._lineage(
                        self._family, f"{field}.additions.{name}", variant.additions[name]
                    )
                for algorithm in self._algorithms_of(variant, field):
                    yield self._implementation(
                        variant, algorithm, name, [_Layer(self._family, field, variant), *layers]
                    )

    def _algorithms_of(self, variant: Variant, field: str) -> Iterator[Algorithm]:
        for name in variant.algorithms:
            if name not in self._algorithms:
                raise self._family.wrong(
                    f"{field}.algorithms",
                    f"no file in algorithms/ defines '{name}':"
                    f"{did_you_mean(name, self._algorithms)} add it there",
                )
            yield self._algorithms[name]

    def _lineage(
        self,
        family: _Family,
        field: str,
        representation: Representation,
        users: tuple[Representation, ...] = (),
    ) -> list[_Layer]:
        """A representation, after all representations that it uses."""
        if representation in users:
            raise family.wrong(f"{field}.uses", "it uses itself; remove one of the 'uses'")
        found: list[_Layer] = []
        for use in representation.uses:
            name, _, part = use.partition("/")
            used = self._families.get(name)
            if used is None or part not in used.manifest.representation:
                known = [
                    f"{each.name}/{part}"
                    for each in self._families.values()
                    for part in each.manifest.representation
                ]
                raise family.wrong(
                    f"{field}.uses",
                    f"unknown representation '{use}':{did_you_mean(use, known)} correct it",
                )
            found += self._lineage(
                used,
                f"representation.{part}",
                used.manifest.representation[part],
                (*users, representation),
            )
        return [*found, _Layer(family, field, representation)]

    def _implementation(
        self, variant: Variant, algorithm: Algorithm, name: str, layers: Sequence[_Layer]
    ) -> Implementation:
        field = f"representation.{name}"
        stated = [each.files for each in layers if isinstance(each.files, Representation)][::-1]
        title = next((each.title for each in stated if each.title), "")
        word_bits = next((each.word_bits for each in stated if each.word_bits), None)
        constant_time = all(each.constant_time for each in stated)
        if not title or word_bits is None:
            missing = "word_bits" if title else "title"
            raise self._family.wrong(f"{field}.{missing}", "it is missing; add it")
        if constant_time is (_TABLE in name):
            raise self._family.wrong(
                f"{field}.constant_time",
                f"the name of a representation must contain '{_TABLE}' if this is false, and only "
                "then; rename the representation or correct the field",
            )
        shares = next((each.shares for each in stated if each.shares), None)
        if (shares is None) is (MASKED in name):
            raise self._family.wrong(
                f"{field}.shares",
                f"the name of an implementation must contain '{MASKED}' if it has shares, and "
                "only then; rename it or correct the field",
            )
        sources = self._paths(layers, "sources", algorithm)
        assembly = _each_once(*(name for path in sources for name in self._assembly.get(path, ())))
        for layer in layers:
            if assembly and isinstance(layer.files, Representation) and layer.files.meant_for:
                raise layer.family.wrong(
                    f"{layer.field}.meant_for",
                    f"the assembly is for {' and '.join(assembly)}, by the table [assembly]; "
                    "remove this field",
                )
        notes = [
            variant.notes or next((each.notes for each in stated if each.notes), ""),
            "" if constant_time else _LEAKS,
            _MEET if shares_meet(shares, assembly) else "",
        ]
        try:
            manifest = Manifest(
                title=title.replace(
                    "{title}", variant.title.replace("{title}", algorithm.variant.title)
                ),
                license=self._family.manifest.license,
                shares=shares,
                constant_time=constant_time,
                word_bits=word_bits,
                incremental=variant.incremental,
                key_setup=variant.key_setup,
                xof=variant.xof,
                customisation=variant.customisation,
                in_place=variant.in_place,
                sources=sources,
                include=_each_once(SHARED, *self._paths(layers, "include", algorithm)),
                notes=" ".join(filter(None, notes)),
                meant_for=assembly
                or next((each.meant_for for each in stated if each.meant_for), ()),
            )
        except ValidationError as error:
            reason = str(error.errors()[0]["msg"]).removeprefix("Value error, ")
            raise self._family.wrong(layers[0].field, reason) from None
        facts = algorithm.variant
        defines = _each_once(
            *(
                macro.replace("{secret_key}", str(facts.secret_key))
                for each in layers
                for macro in each.files.defines
            )
        )
        return Implementation(
            algorithm=algorithm.name,
            name=name,
            folder=self._family.path.parent,
            kind=algorithm.kind,
            bundled=True,
            key=facts.key,
            nonce=facts.nonce if algorithm.kind is Kind.AEAD else 0,
            tag=facts.tag,
            digest=facts.tag if algorithm.kind is Kind.AUTH else facts.digest,
            manifest=manifest,
            known=algorithm,
            tree=self._root,
            forbids_overlap=variant.in_place is False,
            customised=variant.cxof,
            assembly=assembly,
            generated=((API, header_text(algorithm, defines)),),
        )

    def _paths(self, layers: Sequence[_Layer], which: str, algorithm: Algorithm) -> tuple[str, ...]:
        """The sources or header folders of all layers, relative to the root of all families."""
        found = []
        for layer in layers:
            for written in getattr(layer.files, which):
                name = written.replace("{algorithm}", algorithm.name).replace(
                    "{member}", algorithm.name.removeprefix(f"{self._family.name}-")
                )
                path = os.path.normpath(f"{layer.family.name}/{name}")
                self._check(layer, which, name, self._root / path)
                found.append(path)
        return _each_once(*found)

    def _check(self, layer: _Layer, which: str, name: str, path: Path) -> None:
        """Raises `UserError` for a path outside the families, for one that does not exist, and for
        assembly without instruction sets.
        """
        if (which, path) in self._seen:
            return
        self._seen.add((which, path))
        field = f"{layer.field}.{which}"
        inside = Path(os.path.normpath(path)).is_relative_to(self._root)
        if Path(name).is_absolute() or not inside:
            raise layer.family.wrong(field, f"'{name}' is outside {self._root}; move it there")
        if not (path.is_dir() if which == "include" else path.is_file()):
            what = "folder" if which == "include" else "file"
            raise layer.family.wrong(field, f"there is no {what} '{name}'; add it or correct this")
        relative = os.path.relpath(path, self._root)
        if relative.endswith(ASSEMBLY) and relative not in self._assembly:
            raise layer.family.wrong(
                field,
                f"no table [assembly] lists '{name}'; add it there, in the manifest of its family, "
                "with the instruction sets that it is written for",
            )


def _each_once(*names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
