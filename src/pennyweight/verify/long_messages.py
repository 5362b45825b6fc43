"""Long pseudo-random inputs: official sets of the lightweight AEADs end at 32 bytes, those of some
MACs at 64, where counters, long forms of lengths and feedback have hardly begun.

What must become of them the catalogue has by short digests (`long` of a variant), from the
implementations of this project, which give the official answers and, for still longer inputs, those
of others' code (`tests/host/long_answers.tsv`). Without digests an AEAD or MAC must still take back
what it gave.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pennyweight.catalogue.algorithms import Variant
from pennyweight.catalogue.implementation import Implementation
from pennyweight.model import Kind, Status, UserError
from pennyweight.target import DoesNotFitError, Failure
from pennyweight.target.machine import Target
from pennyweight.verify.records import short_digest
from pennyweight.verify.verdict import Failed

LENGTHS = ((67, 131), (259, 515), (1031, 2051))
"""Bytes of associated data, which only AEADs have, and of message. The first two are also tried
when verification is quick, and fit into 2 KB of RAM."""

_QUICK = 2
_OF_A_LIMIT = (Status.OUT_OF_CYCLES, Status.WRONG_ANSWER)
"""How others' code ends that is too slow, or refuses long messages by what it returns."""


@dataclass(frozen=True, slots=True)
class Long:
    """One input."""

    key: bytes
    nonce: bytes
    ad: bytes
    message: bytes

    def __str__(self) -> str:
        beside = f" with {len(self.ad)} of associated data" if self.ad else ""
        return f"a message of {len(self.message)} bytes{beside}"


def long_inputs(algorithm: str, key: int, nonce: int, with_ad: bool) -> Iterator[Long]:
    """All of an algorithm: SHAKE256 of its name and a number, cut into the inputs."""
    for number, (ad, message) in enumerate(LENGTHS):
        sizes = (key, nonce, ad if with_ad else 0, message)
        text = hashlib.shake_256(f"{algorithm} long {number}".encode()).digest(sum(sizes))
        cuts = [sum(sizes[:end]) for end in range(5)]
        yield Long(*(text[start:end] for start, end in itertools.pairwise(cuts)))


def check_long(
    implementation: Implementation,
    nonce: int,
    digests: list[str],
    quick: bool,
    target: Target,
    call: Callable[[Long], bytes | Failure],
    back: Callable[[Long, bytes], None],
) -> tuple[list[str], list[str]]:
    """Calls with one input after the other as long as they fit the part; what passed, and notes.

    `nonce`: bytes of it, apart from the key; `digests`: of the answers, none if not known. `back`
    takes back what `call` gave, and raises `Failed` if it cannot. Raises `Failed`. What others'
    code does not take at all is told in the note only.
    """
    known = implementation.known
    name = known.name if known else implementation.algorithm
    inputs = long_inputs(name, implementation.key, nonce, implementation.kind is Kind.AEAD)
    done = 0
    for number, given in enumerate(inputs):
        if quick and number == _QUICK:
            break
        try:
            found = call(given)
            if isinstance(found, Failure):
                if target.lacks_room(found):
                    target.reset()
                    break
                if implementation.bundled or found.status not in _OF_A_LIMIT:
                    raise Failed(found.during(str(given)))
                target.reset()
                return _passed(done, digests), [f"does not take {given}: {found.reason}"]
            if digests and short_digest(found) != digests[number]:
                reason = f"{given}: not the right answer, of which the catalogue knows the digest"
                raise Failed(Failure(Status.WRONG_ANSWER, reason))
            back(given, found)
        except DoesNotFitError:
            break
        done += 1
    return _passed(done, digests), []


def _passed(done: int, digests: list[str]) -> list[str]:
    if not done:
        return []
    return [f"{done} long messages" if digests else f"{done} long round trips"]


def long_digests(implementation: Implementation) -> list[str]:
    """Of the answers to the algorithm's inputs, if they are known for these sizes.

    Raises `UserError` for a catalogue with too few.
    """
    entry = implementation.known
    if entry is None or not entry.variant.long or not _same_sizes(implementation, entry.variant):
        return []
    digests = entry.variant.long.split()
    if len(digests) != len(LENGTHS):
        raise UserError(
            f"{entry.path}: variant '{entry.name}': field 'long' has {len(digests)} digests, not "
            f"{len(LENGTHS)}; `python -m host.long_records {entry.name}` in tests/ prints them"
        )
    return digests


def _same_sizes(implementation: Implementation, variant: Variant) -> bool:
    names = {Kind.AEAD: ("key", "nonce", "tag"), Kind.AUTH: ("key", "tag"), Kind.HASH: ("digest",)}
    return all(
        getattr(implementation, name) == getattr(variant, name) for name in names[variant.kind]
    )
