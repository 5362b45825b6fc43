"""The expected answers of a set in NIST LWC's form: single answers, a digest of all, or neither."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field

from pennyweight.catalogue.algorithms import Format, KnownAnswers, Record
from pennyweight.catalogue.implementation import Implementation
from pennyweight.model import UserError
from pennyweight.verify import name_value, vectors
from pennyweight.verify.name_value import FormatError
from pennyweight.verify.records import (
    AEAD_LONGEST,
    AEAD_RECORDS,
    HASH_LONGEST,
    HASH_RECORDS,
    AeadRecord,
    HashRecord,
    MacRecord,
    Starts,
    aead_grid,
    cxof_grid,
    cxof_in_spread,
    hash_grid,
    hash_in_spread,
    in_spread,
    pattern,
    short_digest,
)

_PACKAGE = "records of the package's own known-answer file"
_OFFICIAL = "NIST LWC records"

NOT_OFFICIAL = (
    "not the official answer, whose digest is known; put the official LWC_*_KAT_*.txt "
    "next to the sources to see it"
)


class DiffersError(Exception):
    """An answer differs from the official one, which is known directly or by its digest."""

    def __init__(self, official: bytes | None = None) -> None:
        super().__init__()
        self.official = official


@dataclass(frozen=True, slots=True)
class Expected:
    """Answers by record number, and the digest of the whole text, as far as known.

    `name` describes them; it is empty if they are single answers of the algorithm's file.
    """

    answers: dict[int, bytes] = field(default_factory=dict)
    spread: dict[int, str] = field(default_factory=dict)
    """Short digests of the answers to the sample's records."""
    sha256: str | None = None
    name: str = _OFFICIAL
    starts: Starts = field(default_factory=Starts)
    total: int = AEAD_RECORDS

    @property
    def is_known(self) -> bool:
        """Whether any answer or digest is known."""
        return bool(self.answers or self.spread) or self.sha256 is not None

    def needs_all(self) -> bool:
        """Whether all records must be computed to compare anything."""
        return self.sha256 is not None and not (self.answers or self.spread)

    def compare(self, count: int, answer: bytes) -> bool:
        """Whether the answer to record `count` is known. Raises `DiffersError` if it differs."""
        official = self.answers.get(count)
        if official is not None and official != answer:
            raise DiffersError(official)
        short = self.spread.get(count)
        if short is not None and short != short_digest(answer):
            raise DiffersError
        return official is not None or short is not None

    def mismatch(self, compared: int) -> str:
        """Why the digest of all records differs, as far as it can be determined."""
        if compared == 0:
            detail = "the digest does not show which record differs"
        else:
            detail = f"the {compared} records with known answers agree"
        return (
            f"the digest of the {self.total} {self.name} differs from the official one; {detail}; "
            "put the official LWC_*_KAT_*.txt next to the sources to see the first difference"
        )


def aead_examples(implementation: Implementation) -> list[AeadRecord]:
    """The readable records of the algorithm's file."""
    return [
        AeadRecord(
            count=record.count,
            key=bytes.fromhex(record.key),
            nonce=bytes.fromhex(record.nonce),
            ad=bytes.fromhex(record.ad),
            message=bytes.fromhex(record.pt),
            sealed=bytes.fromhex(record.ct),
        )
        for record in _records(implementation)
    ]


def hash_examples(implementation: Implementation) -> list[HashRecord]:
    """The readable records of the algorithm's file."""
    return [
        HashRecord(
            record.count,
            bytes.fromhex(record.msg),
            bytes.fromhex(record.md),
            bytes.fromhex(record.custom),
        )
        for record in _records(implementation)
    ]


def mac_examples(implementation: Implementation) -> list[MacRecord]:
    """The readable records of the algorithm's file."""
    return [
        MacRecord(
            count=record.count,
            key=bytes.fromhex(record.key),
            message=bytes.fromhex(record.msg),
            tag=bytes.fromhex(record.tag),
            size=len(bytes.fromhex(record.tag)),
            custom=bytes.fromhex(record.custom),
        )
        for record in _records(implementation)
    ]


def expected_aead(implementation: Implementation, notes: list[str]) -> Expected:
    """The expected answers of the 1089 records. Raises `UserError` for an invalid file of the
    catalogue.
    """
    longest = implementation.longest
    total = longest + 1 if longest else AEAD_RECORDS
    answers = _lwc_set(implementation, Format.LWC_AEAD, total)
    examples = aead_examples(implementation)
    starts = _starts(answers, examples)
    found = _on_grid(examples, starts, longest)
    text = _package_text(implementation, answers, notes)
    name = _OFFICIAL if answers else ""
    if answers is not None and vectors.shipped(answers):
        found = _on_grid(vectors.aead_records(answers), starts, longest)
    elif text is not None:
        try:
            records = list(name_value.aead_records(text))
        except FormatError as error:
            notes.append(f"the package's known-answer file cannot be read ({error}); not used")
        else:
            starts = _starts(answers, records) if answers is None else starts
            found = _on_grid(records, starts, longest)
            name = name or _PACKAGE
    chosen = aead_grid(implementation.key, implementation.nonce, starts, longest)
    spread = _spread(implementation, answers, (x for x in chosen if longest or in_spread(x)))
    return Expected(found, spread, answers.sha256 if answers else None, name, starts, total)


def expected_hash(implementation: Implementation, notes: list[str]) -> Expected:
    """The expected answers of the 1025 records (1089 of a customised XOF).

    Raises `UserError` for an invalid known-answer file of the catalogue.
    """
    customised = implementation.customised
    form, total = Format.LWC_HASH, HASH_RECORDS
    if customised:
        form, total = Format.LWC_CXOF, AEAD_RECORDS
    answers = _lwc_set(implementation, form, total)
    on_grid = _cxof_on_grid if customised else _hash_on_grid
    found = on_grid(hash_examples(implementation))
    text = _package_text(implementation, answers, notes)
    name = _OFFICIAL if answers else ""
    if answers is not None and vectors.shipped(answers):
        found = on_grid(vectors.hash_records(answers))
    elif text is not None:
        try:
            found = on_grid(name_value.hash_records(text))
            name = name or _PACKAGE
        except (FormatError, ValueError) as error:
            notes.append(f"the package's known-answer file cannot be read ({error}); not used")
    grid, stands = (cxof_grid, cxof_in_spread) if customised else (hash_grid, hash_in_spread)
    spread = _spread(implementation, answers, (each for each in grid() if stands(each)))
    return Expected(found, spread, answers.sha256 if answers else None, name, total=total)


def _records(implementation: Implementation) -> tuple[Record, ...]:
    return implementation.known.variant.record if implementation.known else ()


def _lwc_set(implementation: Implementation, form: Format, records: int) -> KnownAnswers | None:
    entry = implementation.known
    if entry is None:
        return None
    for answers in entry.variant.known_answers:
        if answers.format is form:
            if answers.records != records:
                raise UserError(
                    f"{entry.path}: variant '{entry.name}': a set of format '{form}' has "
                    f"{records} records, not {answers.records}; correct 'records'"
                )
            return answers
    return None


def _spread(
    implementation: Implementation,
    answers: KnownAnswers | None,
    records: Iterable[AeadRecord | HashRecord],
) -> dict[int, str]:
    """The short digests of the answers to `records`. Raises `UserError` if their number is
    wrong.
    """
    if answers is None or not answers.spread:
        return {}
    digests = answers.spread.split()
    counts = [record.count for record in records]
    if len(digests) != len(counts):
        entry = implementation.known
        assert entry is not None
        raise UserError(
            f"{entry.path}: variant '{entry.name}': field 'spread' has {len(digests)} digests, not "
            f"{len(counts)}; `python -m host.spreads {entry.name}` in tests/ prints them"
        )
    return dict(zip(counts, digests, strict=True))


def _starts(answers: KnownAnswers | None, examples: Iterable[AeadRecord]) -> Starts:
    """The first byte: stated, or from records that count up, or 0."""
    if answers is not None and answers.starts is not None:
        return Starts(answers.starts.nonce, answers.starts.pt, answers.starts.ad)
    nonce = message = ad = 0
    for record in examples:
        values = (record.nonce, record.message, record.ad)
        if _counts_up(record.key, 0) and all(_counts_up(value) for value in values):
            nonce = record.nonce[0] if record.nonce else nonce
            message = record.message[0] if record.message else message
            ad = record.ad[0] if record.ad else ad
    return Starts(nonce, message, ad)


def _counts_up(value: bytes, start: int | None = None) -> bool:
    if not value:
        return True
    return value == pattern(value[0] if start is None else start, len(value))


def _on_grid(records: Iterable[AeadRecord], starts: Starts, longest: int = 0) -> dict[int, bytes]:
    """The answers of the records whose inputs follow the rule, by the rule's number."""
    most, lengths_of_ad = (longest, 1) if longest else (AEAD_LONGEST, AEAD_LONGEST + 1)
    found: dict[int, bytes] = {}
    for record in records:
        message, ad = len(record.message), len(record.ad)
        if (
            record.sealed is not None
            and message <= most
            and ad < lengths_of_ad
            and record.key == pattern(0, len(record.key))
            and record.nonce == pattern(starts.nonce, len(record.nonce))
            and record.message == pattern(starts.message, message)
            and record.ad == pattern(starts.ad, ad)
        ):
            found[message * lengths_of_ad + ad + 1] = record.sealed
    return found


def _hash_on_grid(records: Iterable[HashRecord]) -> dict[int, bytes]:
    return {
        len(record.message) + 1: record.digest
        for record in records
        if record.digest is not None
        and len(record.message) <= HASH_LONGEST
        and record.message == pattern(0, len(record.message))
        and not record.custom
    }


def _cxof_on_grid(records: Iterable[HashRecord]) -> dict[int, bytes]:
    return {
        len(record.message) * (AEAD_LONGEST + 1) + len(record.custom) + 1: record.digest
        for record in records
        if record.digest is not None
        and max(len(record.message), len(record.custom)) <= AEAD_LONGEST
        and record.message == pattern(0, len(record.message))
        and record.custom == pattern(0x10, len(record.custom))
    }


def _package_text(
    implementation: Implementation, answers: KnownAnswers | None, notes: list[str]
) -> str | None:
    """The known-answer file of a package, unless it differs from the official one."""
    found = vectors.package_file(implementation)
    if found is None:
        return None
    path, text = found
    if answers is not None and hashlib.sha256(text.encode()).hexdigest() != answers.sha256:
        notes.append(f"{path.name} next to the sources is not the official file; not used")
        return None
    return text
