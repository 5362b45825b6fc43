"""Proves a hash on the part: known answers, unaligned buffers."""

from __future__ import annotations

import contextlib
from itertools import islice

from pennyweight.catalogue.algorithms import Format, KnownAnswers
from pennyweight.catalogue.implementations import Implementation
from pennyweight.model import Status
from pennyweight.target import DoesNotFitError, Failure
from pennyweight.target.aead import Placement
from pennyweight.target.hash import Hash
from pennyweight.target.parts import HashParts
from pennyweight.verify import pieces, vectors
from pennyweight.verify.expected import (
    NOT_OFFICIAL,
    DiffersError,
    Expected,
    expected_hash,
    hash_examples,
)
from pennyweight.verify.long import check_long, long_digests
from pennyweight.verify.parts import check_hash_parts, squeezed
from pennyweight.verify.records import (
    HashRecord,
    LwcText,
    cxof_grid,
    cxof_in_spread,
    hash_grid,
    hash_in_spread,
)
from pennyweight.verify.verdict import NOT_VERIFIED, Failed, Verdict, shown, too_little_ram

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
        self._level = level
        self._quick = level == "quick"
        variant = implementation.known.variant if implementation.known else None
        self._xof = variant is not None and variant.xof
        self._notes: list[str] = []
        self._passed: list[str] = []

    def verdict(self) -> Verdict:
        """Runs all checks; the first that fails decides."""
        try:
            known = self._known_answers()
            self._long()
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
                self._compare(record, where)
        files = [answers for answers in self._sets() if not vectors.is_regenerated(answers)]
        for answers in files:
            if answers.format is Format.CAVP_MONTE:
                self._monte(answers)
            else:
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
        """The 1025 records of NIST LWC, or the 1089 of a customised XOF: hash, compare."""
        text = LwcText()
        customised = self._implementation.customised
        add = text.add_cxof if customised else text.add_hash
        spread_only = self._quick and (has_others or not expected.needs_all())
        spread_only = spread_only or not expected.is_known
        compared = done = unfit = cut = 0
        stands = cxof_in_spread if customised else hash_in_spread
        for record in cxof_grid() if customised else hash_grid():
            if spread_only and not stands(record):
                continue
            where = f"record {record.count} ({record.lengths()})"
            try:
                digest, whole = self._digest_somehow(record, where)
            except DoesNotFitError:
                unfit += 1
                continue
            cut += not whole
            done += 1
            add(record, digest)
            try:
                compared += expected.compare(record.count, digest)
            except DiffersError as differs:
                if differs.official is not None:
                    raise Failed(_differs(where, differs.official, digest)) from None
                raise Failed(Failure(Status.WRONG_ANSWER, f"{where}: {NOT_OFFICIAL}")) from None
        if unfit:
            self._notes.append(f"{unfit} NIST LWC records are too long for the part's RAM")
        if expected.sha256 is not None and not (spread_only or unfit):
            if text.sha256() != expected.sha256:
                raise Failed(Failure(Status.WRONG_ANSWER, expected.mismatch(compared)))
            note = f" ({cut} of them in pieces)" if cut else ""
            self._passed.append(f"all {expected.total} {expected.name}{note}")
        elif compared and expected.name:
            self._passed.append(f"{compared} of {expected.total} {expected.name}")
        else:
            self._passed.append(f"{done} messages hashed without a fault")

    def _digest_somehow(self, record: HashRecord, where: str) -> tuple[bytes, bool]:
        """The digest, and whether it came in one call. Raises `DoesNotFitError`."""
        try:
            return self._digest(record, where), True
        except DoesNotFitError:
            if self._parts is None:
                raise
        return pieces.hashed(self._parts, record, f"{where}, in pieces"), False

    def _file(self, answers: KnownAnswers) -> None:
        """A shipped file."""
        everything = vectors.hash_records(answers)
        records = [record for record in everything if self._has_sizes(record)]
        vectors.check_count(answers, len(records))
        if self._quick:
            records = records[:: max(1, len(records) // _AGAIN)]
        done = 0
        unfit: list[HashRecord] = []
        for record in records:
            try:
                self._compare(record, self._where(record, answers))
                done += 1
            except DoesNotFitError:
                unfit.append(record)
        cut = self._in_pieces(unfit, answers)
        if len(unfit) > cut:
            more = self._level != "every" and pieces.can_cut(self._parts)
            told = pieces.untold(answers.file, len(unfit) - cut, more)
            self._notes.append(told)
        if done + cut:
            others = len(everything) - len(records) if not self._quick else 0
            self._passed.append(vectors.passed(answers, done + cut, others=others, pieces=cut))

    @staticmethod
    def _where(record: HashRecord, answers: KnownAnswers) -> str:
        return f"record {record.count} of {answers.file} ({record.lengths()})"

    def _in_pieces(self, unfit: list[HashRecord], answers: KnownAnswers) -> int:
        """Compares what does not fit as a whole; how many."""
        done = 0
        for record in pieces.chosen(unfit, self._level) if self._parts else ():
            where = f"{self._where(record, answers)}, in pieces"
            with contextlib.suppress(DoesNotFitError):
                assert self._parts is not None
                digest = pieces.hashed(self._parts, record, where)
                expected = (record.digest or b"")[: len(digest)]
                if digest[: len(expected)] != expected:
                    raise Failed(_differs(where, expected, digest))
                done += 1
        return done

    def _has_sizes(self, record: HashRecord) -> bool:
        """An XOF's output is as long as one wants; one without a string takes no other record."""
        same = self._xof or len(record.digest or b"") == self._hash.size
        return same and (self._implementation.customised or not record.custom)

    def _compare(self, record: HashRecord, where: str) -> None:
        """The answer as far as `crypto_hash` gives it, and the rest of an XOF's output piece by
        piece where the incremental API offers that. Raises `DoesNotFitError`.
        """
        expected = record.digest or b""
        digest = self._digest(record, where)
        shorter = min(len(expected), len(digest))
        if digest[:shorter] != expected[:shorter]:
            raise Failed(_differs(where, expected[:shorter], digest[:shorter]))
        if len(expected) > shorter and self._parts and self._implementation.manifest.xof:
            output = squeezed(self._parts, record, len(expected), where)
            if output != expected:
                raise Failed(_differs(f"{where}, squeezed", expected, output))

    def _monte(self, answers: KnownAnswers) -> None:
        """A chain of 100,000 hashes: every thousandth is known, so that parts of it can be run.

        All of it only where every record is asked for; else its first thousand, and the last.
        """
        chain = vectors.monte_chain(answers)
        total = len(chain.values) - 1
        vectors.check_count(answers, total)
        chosen = range(1, total + 1) if self._level == "every" else (1, total)
        if chain.most > self._hash.size and not self._squeezes():
            what = "needs output longer than crypto_hash gives"
            self._notes.append(f"{answers.file} {what}; not run")
            return
        if self._quick:
            return
        for checkpoint in chosen:
            where = f"record {checkpoint} of {answers.file}"
            found = chain.after(checkpoint, lambda message, size: self._output(message, size))
            if found != chain.values[checkpoint]:
                raise Failed(_differs(where, chain.values[checkpoint], found))
        self._passed.append(vectors.passed(answers, len(chosen)))

    def _squeezes(self) -> bool:
        return self._parts is not None and self._implementation.manifest.xof

    def _output(self, message: bytes, size: int) -> bytes:
        """As many bytes of output as asked for. Raises `DoesNotFitError`."""
        record = HashRecord(0, message, None)
        where = "a record of the Monte Carlo test"
        if size <= self._hash.size or self._parts is None:
            return self._digest(record, where)[:size]
        return squeezed(self._parts, record, size, where)

    def _digest(self, record: HashRecord, where: str) -> bytes:
        """Raises `DoesNotFitError` for a message that is too long for the part."""
        found = self._hash.hash(record.message, Placement(gap=self._gap), record.custom)
        if isinstance(found, Failure):
            if self._hash.target.lacks_room(found):
                self._hash.target.reset()
                raise DoesNotFitError(found.missing_stack, found.stack_room)
            raise Failed(found.during(f"hashing {where}"))
        return found

    def _long(self) -> None:
        """Messages of many blocks, if their digests are known."""
        digests = long_digests(self._implementation)
        if not digests:
            return
        passed, notes = check_long(
            self._implementation,
            0,
            digests,
            self._quick,
            self._hash.target,
            lambda x: self._hash.hash(x.message, Placement(gap=self._gap), b""),
            lambda _x, _digest: None,
        )
        self._passed += passed
        self._notes += notes

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
            check_hash_parts(self._parts, self._hash, self._implementation)
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
