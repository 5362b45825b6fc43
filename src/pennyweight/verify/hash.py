"""Verifies a hash on the part: known answers, unaligned buffers."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from itertools import islice

from pennyweight.catalogue.algorithms import Format, KnownAnswers
from pennyweight.catalogue.implementation import Implementation
from pennyweight.job import Level
from pennyweight.model import Status
from pennyweight.target import DoesNotFitError, Failure
from pennyweight.target.aead import Placement
from pennyweight.target.hash import Hash
from pennyweight.target.parts import HashParts
from pennyweight.verify import piecewise, vectors
from pennyweight.verify.checks import Checks, sample
from pennyweight.verify.expected_answers import (
    NOT_OFFICIAL,
    DiffersError,
    Expected,
    expected_hash,
    hash_examples,
)
from pennyweight.verify.long_messages import long_digests
from pennyweight.verify.parts import check_hash_parts, squeezed
from pennyweight.verify.records import (
    HashRecord,
    LwcText,
    cxof_grid,
    cxof_in_spread,
    hash_grid,
    hash_in_spread,
)
from pennyweight.verify.verdict import Failed, too_little_ram, wrong_answer

_UNALIGNED = (1, 15, 64, 65, 127, 135, 137, 200)
_AGAIN = 33


class HashChecks(Checks[HashRecord, HashParts]):
    """The checks of one hash on one board."""

    def __init__(
        self,
        function: Hash,
        parts: HashParts | None,
        implementation: Implementation,
        level: Level,
    ) -> None:
        super().__init__(function.target, parts, implementation, level)
        self._hash = function
        variant = implementation.known.variant if implementation.known else None
        self._xof = variant is not None and variant.xof

    def _other_checks(self) -> Sequence[Callable[[], None]]:
        return (self._long, self._same_again, self._unaligned, self._incremental)

    def _known_answers(self) -> bool:
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
        """A minimal check, before longer messages show whether they fit next to it."""
        try:
            self._digest(next(hash_grid()), "record 1 (0 bytes)")
        except DoesNotFitError as error:
            raise Failed(too_little_ram(error)) from None

    def _grid(self, expected: Expected, has_others: bool) -> None:
        """Hashes and compares the 1025 records of NIST LWC, or the 1089 of a customised XOF."""
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
                digest, whole = self._digest_whole_or_piecewise(record, where)
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
                    raise Failed(wrong_answer(where, differs.official, digest)) from None
                raise Failed(Failure(Status.WRONG_ANSWER, f"{where}: {NOT_OFFICIAL}")) from None
        if unfit:
            self._notes.append(f"{unfit} NIST LWC records are {piecewise.TOO_LONG}")
        if expected.sha256 is not None and not (spread_only or unfit):
            if text.sha256() != expected.sha256:
                raise Failed(Failure(Status.WRONG_ANSWER, expected.mismatch(compared)))
            note = f" ({cut} of them in pieces)" if cut else ""
            self._passed.append(f"all {expected.total} {expected.name}{note}")
        elif compared and expected.name:
            self._passed.append(f"{compared} of {expected.total} {expected.name}")
        else:
            self._passed.append(f"{done} messages hashed without a fault")

    def _digest_whole_or_piecewise(self, record: HashRecord, where: str) -> tuple[bytes, bool]:
        """The digest, and whether it was computed in one call. Raises `DoesNotFitError`."""
        try:
            return self._digest(record, where), True
        except DoesNotFitError:
            if self._parts is None:
                raise
        return piecewise.hashed(self._parts, record, f"{where}, in pieces"), False

    def _file(self, answers: KnownAnswers) -> None:
        """Runs a file of the catalogue."""
        everything = vectors.hash_records(answers)
        records = [record for record in everything if self._has_sizes(record)]
        vectors.check_count(answers, len(records))
        if self._quick:
            records = sample(records)
        done, cut = self._compare_file(records, answers.file)
        if done or cut:
            others = len(everything) - len(records) if not self._quick else 0
            total = len(done) + len(cut)
            self._passed.append(vectors.passed(answers, total, others=others, pieces=len(cut)))

    def _compare_in_pieces(self, parts: HashParts, record: HashRecord, where: str) -> None:
        digest = piecewise.hashed(parts, record, where)
        expected = (record.digest or b"")[: len(digest)]
        if digest[: len(expected)] != expected:
            raise Failed(wrong_answer(where, expected, digest))

    def _has_sizes(self, record: HashRecord) -> bool:
        """An XOF can give output of any length; one without a customisation string skips records
        with one.
        """
        same = self._xof or len(record.digest or b"") == self._hash.size
        return same and (self._implementation.customised or not record.custom)

    def _compare(self, record: HashRecord, where: str) -> None:
        """Compares the output of `crypto_hash`, and the rest of an XOF's output piece by piece if
        the incremental API supports it. Raises `DoesNotFitError`.
        """
        expected = record.digest or b""
        digest = self._digest(record, where)
        shorter = min(len(expected), len(digest))
        if digest[:shorter] != expected[:shorter]:
            raise Failed(wrong_answer(where, expected[:shorter], digest[:shorter]))
        if len(expected) > shorter and self._parts and self._implementation.manifest.xof:
            output = squeezed(self._parts, record, len(expected), where)
            if output != expected:
                raise Failed(wrong_answer(f"{where}, squeezed", expected, output))

    def _monte(self, answers: KnownAnswers) -> None:
        """A chain of 100,000 hashes. Every thousandth is known, so that parts of it can be run.

        Runs all of it only if every record is requested; otherwise its first and last thousand.
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
                raise Failed(wrong_answer(where, chain.values[checkpoint], found))
        self._passed.append(vectors.passed(answers, len(chosen)))

    def _squeezes(self) -> bool:
        return self._parts is not None and self._implementation.manifest.xof

    def _output(self, message: bytes, size: int) -> bytes:
        """Output of the requested length. Raises `DoesNotFitError`."""
        record = HashRecord(0, message, None)
        where = "a record of the Monte Carlo test"
        if size <= self._hash.size or self._parts is None:
            return self._digest(record, where)[:size]
        return squeezed(self._parts, record, size, where)

    def _digest(self, record: HashRecord, where: str) -> bytes:
        """Raises `DoesNotFitError` for a message that is too long for the part."""
        found = self._hash.hash(record.message, self._apart, record.custom)
        return self._must_fit(found, f"hashing {where}")

    def _long(self) -> None:
        """Messages of many blocks, if their digests are known."""
        digests = long_digests(self._implementation)
        if digests:
            self._long_messages(
                0,
                digests,
                lambda x: self._hash.hash(x.message, self._apart, b""),
                lambda _x, _digest: None,
            )

    def _same_again(self) -> None:
        """A second call gives the same result as the first, whatever was called in between."""
        first: list[tuple[HashRecord, bytes]] = []
        with contextlib.suppress(DoesNotFitError):
            for record in islice(hash_grid(), _AGAIN):
                first.append((record, self._digest(record, f"record {record.count}")))
        for record, digest in reversed(first):
            again = self._digest(record, f"record {record.count}, hashed again")
            if again != digest:
                where = f"record {record.count} hashed again after other messages"
                raise Failed(wrong_answer(where, digest, again))

    def _unaligned(self) -> None:
        def check() -> None:
            for index, size in enumerate(_UNALIGNED):
                with contextlib.suppress(DoesNotFitError):
                    self._shifted(size, 1 + index % 3)

        self._tried("unaligned buffers", check)

    def _incremental(self) -> None:
        if self._parts is not None:
            check_hash_parts(self._parts, self._hash, self._implementation)
            self._passed.append("incremental API")

    def _shifted(self, size: int, offset: int) -> None:
        where = f"unaligned buffers, {size} bytes"
        record = next(record for record in hash_grid() if record.count == size + 1)
        straight = self._digest(record, where)
        placement = Placement(offset=offset, gap=self._apart.gap)
        shifted = self._must_fit(self._hash.hash(record.message, placement), where)
        if shifted != straight:
            raise Failed(wrong_answer(where, straight, shifted))
