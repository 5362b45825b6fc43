"""Algorithm files: a family's variants with sizes, specification and known answers."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StrictBool, model_validator

from pennyweight.catalogue.attacks import Attack, by_variant
from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.catalogue.tomlfile import Table, parse, read_text
from pennyweight.model import Kind, UserError

Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.+-]*$", max_length=64)]
Bytes = Annotated[int, Field(strict=True, ge=0, le=1 << 16)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Format(StrEnum):
    """The format of a set of known answers."""

    LWC_AEAD = "lwc-aead"
    LWC_HASH = "lwc-hash"
    LWC_CXOF = "lwc-cxof"
    RECORDS = "records"
    RFC = "rfc"
    CAVP_GCM = "cavp-gcm"
    CAVP_CCM = "cavp-ccm"
    CAVP_SHA = "cavp-sha"
    CAVP_MONTE = "cavp-monte"
    WYCHEPROOF_AEAD = "wycheproof-aead"
    WYCHEPROOF_MAC = "wycheproof-mac"
    BLAKE2 = "blake2"


class Specification(Table):
    """The document that defines the algorithm."""

    title: str
    version: str = ""
    year: Annotated[int, Field(strict=True, ge=1970, le=2100)]

    @property
    def citation(self) -> str:
        """The citation: title, version and year."""
        word = "version " if self.version[:1].isdigit() else ""
        return f"{self.title}{self.version and f', {word}{self.version}'} ({self.year})"


class Starts(Table):
    """First byte of nonce, plaintext and associated data in a set in NIST LWC's form."""

    nonce: Annotated[int, Field(strict=True, ge=0, le=255)] = 0
    pt: Annotated[int, Field(strict=True, ge=0, le=255)] = 0
    ad: Annotated[int, Field(strict=True, ge=0, le=255)] = 0


class KnownAnswers(Table):
    """One set of known answers.

    `lwc-*`: the official file's text is regenerated and compared with `sha256` (LF line ends);
    `file` is optional. Other formats: `file` is in `algorithms/vectors/` (`.xz` allowed), and
    `sha256` is that of the unpacked content. `records` counts those with the variant's sizes of
    key, nonce and tag; the others are skipped.

    `records` and `rfc`: lines `Name = value`, with a blank line after each record. `cavp-*`: NIST's
    CAVP. `blake2`: the designers' JSON file, in which `select` names the function.
    """

    format: Format
    file: str = ""
    select: str = ""
    """`blake2`: the function whose records to use; keyed ones for a MAC, the others for a hash."""
    starts: Starts | None = None
    """`lwc-aead`: first bytes of the inputs, if they neither start at 0 nor follow a readable
    record.
    """
    sha256: Digest
    records: Annotated[int, Field(strict=True, ge=0)]
    spread: Annotated[str, Field(pattern=r"^([0-9a-f]{8}\s*)*$")] = ""
    """`lwc-*`: for each record of the sample (`verify.records`), the first 4 bytes of the SHA-256
    of its answer, for quick verification.
    """
    source: str


class OtherFile(Table):
    """An official file in addition to the `known_answers`: with other sizes, with functions that
    the API does not have, or a duplicate. A test on the host runs all of it.
    """

    file: str
    sha256: Digest
    records: Annotated[int, Field(strict=True, ge=1)]
    source: str
    what: str
    """A description of its records, such as "sessions of several messages"."""


class Earlier(Table):
    """The answers of an earlier version, which third-party packages may still have."""

    title: str
    """The version, such as "Xoodyak of round 2"."""
    sha256: Digest
    """SHA-256 of its LWC file, with LF line ends."""
    source: str


class Record(Table):
    """One readable known answer, in hexadecimal."""

    count: Annotated[int, Field(strict=True, ge=1)]
    key: str = ""
    nonce: str = ""
    pt: str = ""
    ad: str = ""
    ct: str = ""
    msg: str = ""
    md: str = ""
    tag: str = ""
    custom: str = ""

    @model_validator(mode="after")
    def _is_hexadecimal(self) -> Record:
        for name in ("key", "nonce", "pt", "ad", "ct", "msg", "md", "tag", "custom"):
            try:
                bytes.fromhex(getattr(self, name))
            except ValueError:
                raise ValueError(
                    f"'{name}' is not hexadecimal: write two digits for each byte"
                ) from None
        return self


class Variant(Table):
    """One algorithm; sizes in bytes. An AEAD without a nonce has `nonce = 0`.

    The API of MACs has no nonce; if a MAC needs one, it is the last part of its `key`.
    """

    name: Name
    title: str
    kind: Kind
    key: Bytes = 0
    nonce: Bytes = 0
    tag: Bytes = 0
    digest: Bytes = 0
    block: Bytes = 0
    xof: StrictBool = False
    """A hash with output of any length; `digest` is the length that `crypto_hash` writes."""
    zero_padded_key: StrictBool = False
    """A MAC under a shorter key equals that under the key padded with zeros, as with HMAC."""
    longest: Bytes = 0
    """An AEAD for messages of at most this many bytes without associated data, whose ciphertexts
    all have `tag` bytes, which contain nonce and message. 0: messages of any length."""
    status: Literal["standard", "finalist", "round 2", "caesar", "broken", "withdrawn", "other"]
    round: Literal["standard", "finalist", "round 2", "caesar", "other"] | None = None
    """The last round it reached, if its status does not state it; see `standing`."""
    primary: StrictBool = False
    """Whether it is the primary or only member of its submission of this kind."""
    note: str = ""
    specification: Specification
    aliases: tuple[str, ...] = ()
    known_answers: tuple[KnownAnswers, ...] = ()
    other_files: tuple[OtherFile, ...] = ()
    earlier: tuple[Earlier, ...] = ()
    """AEADs: earlier versions to compare with before the answers of a package are called wrong."""
    record: tuple[Record, ...] = ()
    long: Annotated[str, Field(pattern=r"^([0-9a-f]{8}\s*)*$")] = ""
    """For each long input (`verify.long_messages`), the first 4 bytes of the SHA-256 of the
    answer."""

    @model_validator(mode="after")
    def _sizes_fit_the_kind(self) -> Variant:
        needed = {
            Kind.AEAD: ("key", "nonce", "tag"),
            Kind.HASH: ("digest",),
            Kind.AUTH: ("key", "tag"),
        }[self.kind]
        for name in needed:
            without_nonce = name == "nonce" and "nonce" in self.model_fields_set
            if getattr(self, name) == 0 and not without_nonce:
                raise ValueError(f"'{self.name}' is of kind '{self.kind}': give '{name}' in bytes")
        if self.kind is Kind.AUTH and self.nonce >= self.key:
            raise ValueError(f"'{self.name}': a MAC's 'nonce' is part of its 'key'; reduce it")
        return self

    @model_validator(mode="after")
    def _says_how_far_it_came(self) -> Variant:
        if (self.status in ("broken", "withdrawn")) != (self.round is not None):
            raise ValueError(
                f"'{self.name}': broken and withdrawn variants need 'round', others must not "
                "have it; correct the field"
            )
        return self

    @property
    def standing(self) -> str:
        """The round that it reached, broken or not: standard, finalist, round 2, caesar or
        other.
        """
        return self.round or self.status

    @property
    def status_text(self) -> str:
        """Its status as shown to users: "finalist", "broken (round 2)"."""
        return f"{self.status} ({self.round})" if self.round else self.status

    @property
    def secret_key(self) -> int:
        """Bytes of the key alone, without a MAC's nonce."""
        return self.key - (self.nonce if self.kind is Kind.AUTH else 0)


class FamilyFile(Table):
    """A file of `algorithms/`."""

    family: Name
    title: str
    variant: Annotated[tuple[Variant, ...], Field(min_length=1)]
    attack: tuple[Attack, ...] = ()

    @model_validator(mode="after")
    def _whatever_is_broken_has_an_attack(self) -> FamilyFile:
        known = by_variant(self.attack, [each.name for each in self.variant])
        for each in self.variant:
            if each.status == "broken" and each.name not in known:
                raise ValueError(
                    f"'{each.name}' is broken but has no attack; add an [[attack]] "
                    "with 'summary' and 'source'"
                )
        return self


class Algorithm(Table):
    """A variant together with its family."""

    family: str
    family_title: str
    variant: Variant
    path: Path

    @property
    def name(self) -> str:
        """Official name in lower case."""
        return self.variant.name

    @property
    def kind(self) -> Kind:
        """Its kind."""
        return self.variant.kind


def load_algorithms(folder: Path) -> dict[str, Algorithm]:
    """All variants of all families by name. Raises `UserError`."""
    found: dict[str, Algorithm] = {}
    for path in sorted(folder.glob("*.toml")):
        family = parse(read_text(path), path, FamilyFile)
        for variant in family.variant:
            if variant.name in found:
                raise UserError(
                    f"{path}: the name '{variant.name}' is taken by {found[variant.name].path}; "
                    "choose another"
                )
            found[variant.name] = Algorithm(
                family=family.family, family_title=family.title, variant=variant, path=path
            )
    return dict(sorted(found.items()))


def find_algorithm(name: str, known: dict[str, Algorithm]) -> Algorithm:
    """An algorithm by name or alias. Raises `UserError`."""
    found = by_alias(name, known)
    if found is not None:
        return found
    raise UserError(
        f"unknown algorithm '{name}':{did_you_mean(name, known)} "
        "`pennyweight algorithms` lists them"
    )


def by_alias(name: str, known: dict[str, Algorithm], kind: Kind | None = None) -> Algorithm | None:
    """An algorithm (of `kind`, if given) by name, alias, or name without dashes, ignoring case."""
    folded = name.casefold()
    wanted = [each for each in known.values() if kind in (None, each.kind)]
    for algorithm in wanted:
        names = (algorithm.name, *algorithm.variant.aliases)
        if folded in (each.casefold() for each in names):
            return algorithm
    return next((each for each in wanted if folded == without_dashes(each.name)), None)


def without_dashes(name: str) -> str:
    """An algorithm's name in the form of SUPERCOP's names: letters and digits only."""
    return name.replace("-", "")


def supercop_name(algorithm: Algorithm) -> str:
    """A name of letters and digits for SUPERCOP's tree, whose scripts use it in C. `by_alias` gives
    the algorithm for it.
    """
    if algorithm.name.isalnum():
        return algorithm.name
    plain = without_dashes(algorithm.name)
    aliases = [each for each in algorithm.variant.aliases if each.isalnum()]
    return plain if plain in aliases else next(iter(aliases), plain)
