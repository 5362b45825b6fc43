"""Proves a hash on the part: known answers, unaligned buffers."""

from __future__ import annotations

import contextlib
from itertools import islice

from pennyweight.catalogue.algorithms import KnownAnswers
from pennyweight.catalogue.implementations import Implementation
from pennyweight.model import Status
from pennyweight.target import DoesNotFitError, Failure
from pennyweight.target.aead import Placement
from pennyweight.target.hash import Hash
from pennyweight.target.parts import HashParts
from pennyweight.verify import vectors
from pennyweight.verify.expected import Expected, expected_hash, hash_examples
from pennyweight.verify.parts import check_hash_parts
from pennyweight.verify.records import HASH_RECORDS, HashRecord, LwcText, hash_grid
from pennyweight.verify.verdict import NOT_VERIFIED, Failed, Verdict, shown, too_little_ram

_STEP = 32
_UNALIGNED = (1, 15, 64, 65, 127, 135, 137, 200)
_AGAIN = 33


class HashChecks:
    """The checks of one implementation on one board."""

    def __init__(
        self,
        function: Hash,
        parts: HashParts | None,
        implementation: Implementation,
        level: str,
    ) -> None:
        self._hash = function
        self._parts = parts
        self._gap = function.target.comfortable_gap()
        self._implementation = implementation
        self._quick = level == "quick"
        self._notes: list[str] = []
        self._passed: list[str] = []

    def verdict(self) -> Verdict:
        """Runs all checks; the first that fails decides."""
        try:
            known = self._known_answers()
            self._same_again()
            self._unaligned()
            self._incremental()
        except Failed as failed:
            failure = failed.failure
            return Verdict(failure.status, failure.reason, NOT_VERIFIED, self._notes)
        words = ", ".join(self._passed)
        return Verdict(
            Status.OK,
            verified=words if known else f"{NOT_VERIFIED}: no known answers ({words})",
            notes=self._notes,
        )

    def _known_answers(self) -> bool:
        """All sets that there are. True: there were some."""
        expected = expected_hash(self._implementation, self._notes)
        examples = hash_examples(self._implementation)
        self._empty_message()
        for record in examples:
            where = f"example {record.count} of the algorithm's file"
            with contextlib.suppress(DoesNotFitError):
                digest = self._digest(record, where)
                if digest != record.digest:
                    raise Failed(_differs(where, record.digest or b"", digest))
        files = [answers for answers in self._sets() if not vectors.is_regenerated(answers)]
        for answers in files:
            self._file(answers)
        self._grid(expected, has_others=bool(examples or files))
        return expected.is_known or bool(examples or files)

    def _empty_message(self) -> None:
        """The least that must work, before longer messages tell whether they fit beside it."""
        try:
            self._digest(next(hash_grid()), "record 1 (0 bytes)")
        except DoesNotFitError as error:
            raise Failed(too_little_ram(error)) from None

    def _sets(self) -> tuple[KnownAnswers, ...]:
        known = self._implementation.known
        return known.variant.known_answers if known else ()

    def _grid(self, expected: Expected, has_others: bool) -> None:
        """The 1025 records of NIST LWC: hash, compare."""
        text = LwcText()
        spread_only = self._quick and (has_others or not expected.needs_all())
        spread_only = spread_only or not expected.is_known
        compared = done = unfit = 0
        for record in hash_grid():
            if spread_only and (record.count - 1) % _STEP:
                continue
            where = f"record {record.count} ({len(record.message)} bytes)"
            try:
                digest = self._digest(record, where)
            except DoesNotFitError:
                unfit += 1
                continue
            done += 1
            text.add_hash(record, digest)
            answer = expected.answers.get(record.count)
            if answer is not None:
                compared += 1
                if answer != digest:
                    raise Failed(_differs(where, answer, digest))
        if unfit:
            self._notes.append(f"{unfit} NIST LWC records are too long for the part's RAM")
        elif expected.sha256 is not None and not spread_only:
            if text.sha256() != expected.sha256:
                raise Failed(Failure(Status.WRONG_ANSWER, expected.mismatch(compared)))
            self._passed.append(f"all {HASH_RECORDS} {expected.name}")
            return
        if compared:
            self._passed.append(f"{compared} of {HASH_RECORDS} {expected.name}")
        elif not expected.is_known:
            self._passed.append(f"{done} messages hashed without a fault")

    def _file(self, answers: KnownAnswers) -> None:
        """A shipped file."""
        records = [
            record
            for record in vectors.hash_records(answers)
            if len(record.digest or b"") == self._implementation.digest
        ]
        vectors.check_count(answers, len(records))
        if self._quick:
            records = records[:: max(1, len(records) // _AGAIN)]
        done = unfit = 0
        for record in records:
            where = f"record {record.count} of {answers.file} ({len(record.message)} bytes)"
            try:
                digest = self._digest(record, where)
            except DoesNotFitError:
                unfit += 1
                continue
            done += 1
            if digest != record.digest:
                raise Failed(_differs(where, record.digest or b"", digest))
        if unfit:
            self._notes.append(f"{unfit} records of {answers.file} are too long for the part's RAM")
        if done:
            self._passed.append(vectors.passed(answers, done))

    def _digest(self, record: HashRecord, where: str) -> bytes:
        """Raises `DoesNotFitError` for a message that is too long for the part."""
        found = self._hash.hash(record.message, Placement(gap=self._gap))
        if isinstance(found, Failure):
            if self._hash.target.lacks_room(found):
                self._hash.target.reset()
                raise DoesNotFitError(found.missing_stack)
            raise Failed(found.during(f"hashing {where}"))
        return found

    def _same_again(self) -> None:
        """A second call gives what the first gave, whatever came between."""
        first: list[tuple[HashRecord, bytes]] = []
        with contextlib.suppress(DoesNotFitError):
            for record in islice(hash_grid(), _AGAIN):
                first.append((record, self._digest(record, f"record {record.count}")))
        for record, digest in reversed(first):
            again = self._digest(record, f"record {record.count}, hashed again")
            if again != digest:
                where = f"record {record.count} hashed again after other messages"
                raise Failed(_differs(where, digest, again))

    def _unaligned(self) -> None:
        """A failure of a bundled implementation, a note about anybody else's."""
        try:
            for index, size in enumerate(_UNALIGNED):
                with contextlib.suppress(DoesNotFitError):
                    self._shifted(size, 1 + index % 3)
        except Failed as failed:
            if self._implementation.bundled:
                raise
            self._hash.target.reset()
            self._notes.append(f"{failed.failure.status} with {failed.failure.reason}")
            return
        self._passed.append("unaligned buffers")

    def _incremental(self) -> None:
        if self._parts is not None:
            check_hash_parts(self._parts, self._hash)
            self._passed.append("incremental API")

    def _shifted(self, size: int, offset: int) -> None:
        where = f"unaligned buffers, {size} bytes"
        record = next(record for record in hash_grid() if record.count == size + 1)
        straight = self._digest(record, where)
        shifted = self._hash.hash(record.message, Placement(offset=offset, gap=self._gap))
        if isinstance(shifted, Failure) and self._hash.target.lacks_room(shifted):
            self._hash.target.reset()
            return
        if isinstance(shifted, Failure):
            raise Failed(shifted.during(where))
        if shifted != straight:
            raise Failed(_differs(where, straight, shifted))


def _differs(where: str, expected: bytes, got: bytes) -> Failure:
    return Failure(Status.WRONG_ANSWER, f"{where}: expected {shown(expected)}, got {shown(got)}")
