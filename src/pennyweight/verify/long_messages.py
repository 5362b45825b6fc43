"""Long pseudo-random inputs. Official sets of the lightweight AEADs end at 32 bytes, those of some
MACs at 64, before counters, long length encodings and feedback matter.

The catalogue has short digests of the expected answers (`long` of a variant). They were computed by
this project's implementations, which give the official answers and, for still longer inputs, those
of third-party code (`tests/host/long_answers.tsv`). Without digests an AEAD or MAC must at least
accept its own output.
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
"""Bytes of associated data, which only AEADs have, and of message. The first two are also tried in
quick verification, and fit into 2 KB of RAM."""

_QUICK = 2
_OF_A_LIMIT = (Status.OUT_OF_CYCLES, Status.WRONG_ANSWER)
"""How third-party code may fail that is too slow, or rejects long messages with its return
value.
"""


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
    """All inputs of an algorithm: SHAKE256 of its name and a number, cut into pieces."""
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
    """Calls with one input after the other while they fit the part; returns what passed, and notes.

    `nonce`: its bytes, if separate from the key; `digests`: of the answers, empty if unknown.
    `back` reverses the output of `call`, and raises `Failed` if it cannot. Raises `Failed`. If
    third-party code does not accept an input at all, only the note states it.
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
                reason = f"{given}: the answer does not match the catalogue's digest"
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
    """The digests of the answers to the algorithm's inputs, if known for these sizes.

    Raises `UserError` for a catalogue with too few digests.
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
