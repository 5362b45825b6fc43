"""Chooses known answers for a small test: the readable ones of the algorithm's file, and a few of
each file of known answers that the project ships.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from pennyweight.catalogue.algorithms import Format, KnownAnswers
from pennyweight.catalogue.implementation import Implementation
from pennyweight.model import Kind
from pennyweight.verify import vectors
from pennyweight.verify.expected_answers import aead_examples, hash_examples, mac_examples
from pennyweight.verify.records import AeadRecord, HashRecord, MacRecord

_OF_EACH_FILE = 12
_LONGEST = 600
"""Bytes of the longest value. A string in C may have 4,095 characters (C11, 5.2.4.1), two a byte.
"""
_SHORTEST_DIGEST = 16

R = TypeVar("R", AeadRecord, HashRecord, MacRecord)


@dataclass(frozen=True, slots=True)
class Answer:
    """A record, and where it is from."""

    source: str
    values: tuple[bytes, ...]
    """AEAD: key, nonce, associated data, message, ciphertext with tag. Hash: message, customisation
    string, digest. MAC: key, message, customisation string, tag.
    """
    valid: bool = True


def answers(implementation: Implementation, customised: bool) -> list[Answer]:
    """The answers of an implementation's algorithm; those under a customisation string only if it
    is `customised`. Raises `UserError` if a file of known answers is damaged.
    """
    known = implementation.known
    assert known is not None, "every bundled implementation has its algorithm's file"
    found = _OF_KIND[implementation.kind](implementation, known.variant.known_answers)
    if implementation.kind is Kind.AEAD or customised:
        return list(found)
    custom = 1 if implementation.kind is Kind.HASH else 2
    return [each for each in found if not each.values[custom]]


def _aead(implementation: Implementation, sets: Sequence[KnownAnswers]) -> Iterator[Answer]:
    wanted = (implementation.key, implementation.nonce, implementation.tag)

    def answer(source: str, record: AeadRecord) -> Answer | None:
        tag = implementation.tag if record.tag is None else record.tag
        if (len(record.key), len(record.nonce), tag) != wanted:
            return None
        values = (record.key, record.nonce, record.ad, record.message, record.sealed or b"")
        return Answer(source, values, record.valid)

    yield from _chosen(sets, aead_examples(implementation), vectors.aead_records, answer)


def _hash(implementation: Implementation, sets: Sequence[KnownAnswers]) -> Iterator[Answer]:
    def answer(source: str, record: HashRecord) -> Answer | None:
        digest = record.digest or b""
        if len(digest) < _SHORTEST_DIGEST:
            return None
        return Answer(source, (record.message, record.custom, digest))

    yield from _chosen(sets, hash_examples(implementation), vectors.hash_records, answer)


def _mac(implementation: Implementation, sets: Sequence[KnownAnswers]) -> Iterator[Answer]:
    known = implementation.known
    pads = known is not None and known.variant.zero_padded_key
    wanted = (implementation.key, implementation.tag, implementation.tag)

    def answer(source: str, record: MacRecord) -> Answer | None:
        if pads:
            record = replace(record, key=record.key.ljust(implementation.key, b"\0"))
        if (len(record.key), record.size, len(record.tag)) != wanted:
            return None
        return Answer(source, (record.key, record.message, record.custom, record.tag), record.valid)

    yield from _chosen(sets, mac_examples(implementation), vectors.mac_records, answer)


_OF_KIND: dict[Kind, Callable[[Implementation, Sequence[KnownAnswers]], Iterator[Answer]]] = {
    Kind.AEAD: _aead,
    Kind.HASH: _hash,
    Kind.AUTH: _mac,
}


def _chosen(
    sets: Sequence[KnownAnswers],
    examples: Sequence[R],
    read: Callable[[KnownAnswers], Sequence[R]],
    answer: Callable[[str, R], Answer | None],
) -> Iterator[Answer]:
    """The answers that a record gives; `None` if its sizes are different."""
    yield from _usable(answer(f"record {each.count}", each) for each in examples)
    for each in sets:
        if vectors.is_regenerated(each) or each.format is Format.CAVP_MONTE:
            continue
        name = each.file.removesuffix(".xz")
        found = (answer(f"{name}, record {record.count}", record) for record in read(each))
        yield from _spread(list(_usable(found)))


def _usable(found: Iterator[Answer | None]) -> Iterator[Answer]:
    for each in found:
        if each is not None and max(map(len, each.values)) <= _LONGEST:
            yield each


def _spread(found: Sequence[Answer]) -> list[Answer]:
    """As many as are wanted, at equal distances, with the first and the last."""
    if len(found) <= _OF_EACH_FILE:
        return list(found)
    last = len(found) - 1
    return [found[last * index // (_OF_EACH_FILE - 1)] for index in range(_OF_EACH_FILE)]
