"""Verifies an AEAD on the part: known answers, decryption, forgeries, in-place and unaligned
buffers.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence

from pennyweight.catalogue.algorithms import Earlier, KnownAnswers
from pennyweight.catalogue.implementation import Implementation
from pennyweight.job import Level
from pennyweight.model import Status
from pennyweight.target import DoesNotFitError, Failure
from pennyweight.target.aead import Aead, Opened, Placement
from pennyweight.target.parts import AeadParts
from pennyweight.target.shared_aead import SharedAead
from pennyweight.verify import piecewise, vectors
from pennyweight.verify.checks import Checks, sample
from pennyweight.verify.expected_answers import (
    NOT_OFFICIAL,
    DiffersError,
    Expected,
    aead_examples,
    expected_aead,
)
from pennyweight.verify.felics import FILE, own_record
from pennyweight.verify.forgery import Part, forge, forgeries, leaves_plaintext
from pennyweight.verify.long_messages import Long, long_digests
from pennyweight.verify.parts import check_aead_parts
from pennyweight.verify.records import AeadRecord, LwcText, Starts, aead_grid, in_spread
from pennyweight.verify.shares import check_shares
from pennyweight.verify.tolerance import STRICT, Tolerance
from pennyweight.verify.verdict import Failed, too_little_ram, wrong_answer

_OTHER = Starts(nonce=0x91, message=0x51, ad=0x31)
"""Inputs without zeros, so that they differ from an output that has not been written."""


class AeadChecks(Checks[AeadRecord, AeadParts]):
    """The checks of one AEAD on one board."""

    def __init__(
        self,
        aead: Aead,
        parts: AeadParts | None,
        implementation: Implementation,
        level: Level,
        allowed: Tolerance = STRICT,
    ) -> None:
        super().__init__(aead.target, parts, implementation, level)
        self._aead = aead
        self._allowed = allowed
        variant = implementation.known.variant if implementation.known else None
        self._block = variant.block if variant and variant.block else 16

    def _other_checks(self) -> Sequence[Callable[[], None]]:
        if self._implementation.shared is not None:
            # The caller checks the length of a ciphertext before it makes shares of it.
            return (self._long,)
        return (
            self._long,
            self._too_short,
            self._over_input,
            self._unaligned,
            self._incremental,
        )

    # Known answers

    def _known_answers(self) -> bool:
        """Runs all available sets, or a round trip if none is available."""
        if isinstance(self._aead, SharedAead):
            check_shares(self._aead, next(iter(self._spread())), self._notes)
        if self._allowed.earlier is not None:
            return self._answers_of(self._allowed.earlier)
        of_felics = self._implementation.felics or self._implementation.felics_ae
        if self._allowed.own_only or (of_felics and not self._sets()):
            own = own_record(self._implementation.folder)
            if own is not None:
                self._own(own)
            self._grid(Expected(), has_others=False)
            return own is not None
        expected = expected_aead(self._implementation, self._notes)
        examples = aead_examples(self._implementation)
        self._empty_message()
        for record in filter(self._is_tried, examples):
            with contextlib.suppress(DoesNotFitError):
                self._compare(record, f"example {record.count} of the algorithm's file")
        files = [answers for answers in self._sets() if not vectors.is_regenerated(answers)]
        self._grid(expected, has_others=bool(examples or files))
        for answers in files:
            self._file(answers)
        return expected.is_known or bool(examples or files)

    def _answers_of(self, earlier: Earlier) -> bool:
        self._empty_message()
        expected = Expected(sha256=earlier.sha256, name=f"records of {earlier.title}")
        self._grid(expected, has_others=False)
        return True

    def _own(self, record: AeadRecord) -> None:
        with contextlib.suppress(DoesNotFitError):
            self._compare(record, f"its own test vector in {FILE}")
            self._passed.append("its own test vector")

    def _empty_message(self) -> None:
        """A minimal check, before longer messages show whether they fit next to it."""
        record = next(filter(self._is_tried, self._records(Starts())))
        try:
            self._seal(record, f"record 1 ({record.lengths()})")
        except DoesNotFitError as error:
            raise Failed(too_little_ram(error)) from None

    def _records(self, starts: Starts) -> tuple[AeadRecord, ...]:
        """The inputs of the records of NIST LWC."""
        sizes = self._implementation
        return aead_grid(sizes.key, sizes.nonce, starts, sizes.longest)

    def _grid(self, expected: Expected, has_others: bool) -> None:
        """The records of NIST LWC: encrypt, compare, decrypt, forge."""
        text = LwcText()
        quick = self._quick and (has_others or not expected.needs_all())
        spread_only = quick or self._allowed.aligned or self._allowed.least > 0
        compared = opened = unfit = 0
        total = expected.total
        lack = None
        for record in self._records(expected.starts):
            if spread_only and not self._in_spread(record):
                continue
            where = f"record {record.count} ({record.lengths()})"
            try:
                sealed = self._seal(record, where)
                is_compared = _compared(expected, record.count, sealed, where)
                if self._in_spread(record):
                    self._seal_again(record, sealed, where)
                if not self._quick or self._in_spread(record):
                    self._open(record, sealed, where)
                    opened += 1
            except DoesNotFitError as error:
                unfit += 1
                lack = error
                continue
            text.add_aead(record, sealed)
            compared += is_compared
        if lack is not None and not opened:
            raise Failed(too_little_ram(lack))
        if unfit:
            self._notes.append(f"{unfit} of {total} records are {piecewise.TOO_LONG}")
            spread_only = True
        if expected.sha256 is not None and not spread_only and text.sha256() != expected.sha256:
            raise Failed(Failure(Status.WRONG_ANSWER, expected.mismatch(compared)))
        if expected.sha256 is not None and not spread_only:
            self._passed.append(f"all {total} {expected.name}")
        elif compared and expected.name:
            self._passed.append(f"{compared} of {total} {expected.name}")
        self._passed.append(f"{opened} of {total} round trips with forgeries rejected")

    def _seal(self, record: AeadRecord, where: str) -> bytes:
        """Raises `DoesNotFitError`."""
        found = self._aead.seal(record.key, record.nonce, record.ad, record.message, self._apart)
        return self._must_fit(found, f"encrypting {where}")

    def _seal_again(self, record: AeadRecord, sealed: bytes, where: str) -> None:
        """The same call gives the same answer: no state is kept between calls."""
        again = self._seal(record, where)
        if again != sealed:
            raise Failed(wrong_answer(f"encrypting {where} a second time", sealed, again))

    def _open(self, record: AeadRecord, sealed: bytes, where: str) -> None:
        """Decrypts a record and forgeries of it. Raises `DoesNotFitError`."""
        opened = self._must_fit(
            self._aead.open(record.key, record.nonce, record.ad, sealed, self._apart),
            f"decrypting {where}",
        )
        if not opened.accepted:
            raise Failed(Failure(Status.REJECTED_VALID, f"{where} was rejected"))
        if opened.plaintext != record.message:
            found = wrong_answer(f"decrypting {where}", record.message, opened.plaintext)
            raise Failed(found)
        for forgery in forgeries(record, sealed, self._aead.tag, self._block):
            what = f"{where} with modified {forgery.part}"
            rejected = self._must_fit(
                self._aead.open(record.key, forgery.nonce, forgery.ad, forgery.sealed, self._apart),
                f"decrypting {what}",
            )
            self._must_be_rejected(rejected, what)

    def _file(self, answers: KnownAnswers) -> None:
        """A file of the catalogue: valid records in both directions, invalid ones rejected."""
        everything = vectors.aead_records(answers)
        records = [record for record in everything if self._has_sizes(record)]
        vectors.check_count(answers, len(records))
        others = len(everything) - len(records)
        if self._quick:
            records = sample(records, lambda record: record.valid)
        done, cut = self._compare_file(filter(self._is_tried, records), answers.file)
        if done or cut:
            invalid = sum(not record.valid for record in (*done, *cut))
            total = len(done) + len(cut)
            self._passed.append(vectors.passed(answers, total, invalid, others, len(cut)))

    def _compare_in_pieces(self, parts: AeadParts, record: AeadRecord, where: str) -> None:
        sealed = record.sealed or b""
        if record.valid:
            found = piecewise.sealed(parts, record, where)
            if found != sealed:
                raise Failed(wrong_answer(where, sealed, found))
        self._must_open(record, piecewise.opened(parts, record, sealed, where), where)

    def _is_tried(self, record: AeadRecord) -> bool:
        if self._allowed.aligned:
            return (len(record.message) % 8, len(record.ad) % 8) == (0, 0)
        return len(record.message) >= self._allowed.least

    def _in_spread(self, record: AeadRecord) -> bool:
        """Whether the record belongs to the sample."""
        if self._allowed.aligned:
            return self._is_tried(record)
        if self._implementation.longest:
            return True
        return in_spread(record) and self._is_tried(record)

    def _has_sizes(self, record: AeadRecord) -> bool:
        implementation = self._implementation
        sizes = (len(record.key), len(record.nonce), record.tag or implementation.tag)
        return sizes == (implementation.key, implementation.nonce, implementation.tag)

    def _compare(self, record: AeadRecord, where: str) -> None:
        sealed = record.sealed or b""
        if record.valid:
            found = self._seal(record, where)
            if found != sealed:
                raise Failed(wrong_answer(where, sealed, found))
        opened = self._must_fit(
            self._aead.open(record.key, record.nonce, record.ad, sealed, self._apart),
            f"decrypting {where}",
        )
        self._must_open(record, opened, where)

    def _must_open(self, record: AeadRecord, opened: Opened, where: str) -> None:
        """Decrypts a valid record; an invalid one must be rejected."""
        if not record.valid:
            self._must_be_rejected(opened, where)
        elif not opened.accepted:
            raise Failed(Failure(Status.REJECTED_VALID, f"{where} was rejected"))
        elif opened.plaintext != record.message:
            raise Failed(wrong_answer(f"decrypting {where}", record.message, opened.plaintext))

    def _long(self) -> None:
        """Encrypts and decrypts messages and associated data of many blocks."""
        implementation = self._implementation
        allowed = self._allowed
        if implementation.longest or allowed.aligned:
            return
        own = allowed.own_only or allowed.earlier is not None
        digests = [] if own else long_digests(implementation)
        self._long_messages(
            implementation.nonce,
            digests,
            lambda x: self._aead.seal(x.key, x.nonce, x.ad, x.message, self._apart),
            self._takes_back,
        )

    def _takes_back(self, given: Long, sealed: bytes) -> None:
        """Raises `Failed`, `DoesNotFitError`."""
        record = AeadRecord(0, given.key, given.nonce, given.ad, given.message, sealed)
        opened = self._aead.open(given.key, given.nonce, given.ad, sealed, self._apart)
        where = str(given)
        self._must_open(record, self._must_fit(opened, f"decrypting {where}"), where)

    def _too_short(self) -> None:
        """A ciphertext shorter than a tag must be rejected; third-party code that does not gets a
        note.
        """
        record = next(filter(self._is_tried, self._records(_OTHER)))
        with contextlib.suppress(DoesNotFitError):
            sealed = self._seal(record, f"a message of {len(record.message)} bytes")
            for size in (0, self._aead.tag - 1):
                what = f"a ciphertext of {size} bytes, shorter than a tag,"
                found = self._aead.open(
                    record.key, record.nonce, record.ad, sealed[:size], self._apart
                )
                if self._implementation.bundled:
                    self._must_be_rejected(self._must_fit(found, f"decrypting {what}"), what)
                elif isinstance(found, Failure) or found.accepted:
                    self._aead.target.reset()
                    self._notes.append("does not reject a ciphertext that is shorter than a tag")
                    return

    # Placement of buffers

    def _over_input(self) -> None:
        """Output and input in one buffer, both directions. A failure is a failure of a bundled
        implementation unless its manifest declares it; third-party code gets a note and is measured
        with separate buffers.
        """
        if not self._implementation.forbids_overlap:
            over = [Placement(in_place=True, gap=self._apart.gap)]
            self._in_place = self._placed("in-place buffers", over)

    def _unaligned(self) -> None:
        if not self._allowed.aligned:
            shifted = [Placement(offset=offset, gap=self._apart.gap) for offset in (1, 2, 3)]
            self._placed("unaligned buffers", shifted)

    def _incremental(self) -> None:
        if self._parts is not None:
            implementation = self._implementation
            check_aead_parts(
                self._parts,
                self._aead,
                implementation.key,
                implementation.nonce,
                self._in_spread,
            )
            self._passed.append("incremental API")

    def _placed(self, what: str, placements: list[Placement]) -> bool:
        """Runs 33 records under each of these placements."""

        def check() -> None:
            for record in self._spread():
                placement = placements[record.count % len(placements)]
                with contextlib.suppress(DoesNotFitError):
                    self._same_as_separate(record, placement, f"{what}, {record.lengths()}")

        return self._tried(what, check)

    def _spread(self) -> Iterable[AeadRecord]:
        return filter(self._in_spread, self._records(_OTHER))

    def _same_as_separate(self, record: AeadRecord, placement: Placement, where: str) -> None:
        plain = (record.key, record.nonce, record.ad)
        sealed = self._must_fit(self._aead.seal(*plain, record.message, self._apart), where)
        found = self._must_fit(self._aead.seal(*plain, record.message, placement), where)
        if found != sealed:
            raise Failed(wrong_answer(where, sealed, found))
        opened = self._must_fit(self._aead.open(*plain, sealed, placement), where)
        if not opened.accepted:
            raise Failed(Failure(Status.REJECTED_VALID, f"{where}: a valid message was rejected"))
        if opened.plaintext != record.message:
            raise Failed(wrong_answer(where, record.message, opened.plaintext))
        forged = forge(record, sealed, self._aead.tag, Part.TAG, record.count)
        rejected = self._must_fit(self._aead.open(*plain, forged.sealed, placement), where)
        if rejected.accepted:
            raise Failed(Failure(Status.ACCEPTED_FORGERY, f"{where}: a forged tag was accepted"))
        if rejected.plaintext == record.message and any(record.message):
            self._plaintext_left(where)

    # Outcomes

    def _must_be_rejected(self, opened: Opened, what: str) -> None:
        if opened.accepted:
            raise Failed(Failure(Status.ACCEPTED_FORGERY, f"{what} was accepted"))
        if leaves_plaintext(opened.plaintext):
            self._plaintext_left(what)

    def _plaintext_left(self, what: str) -> None:
        """An error for bundled implementations, one note for third-party code."""
        if self._implementation.bundled:
            reason = f"{what} was rejected, but its output buffer contains plaintext"
            raise Failed(Failure(Status.WRONG_ANSWER, reason))
        note = "a rejected message leaves plaintext in the output buffer"
        if note not in self._notes:
            self._notes.append(note)


def _compared(expected: Expected, count: int, sealed: bytes, where: str) -> bool:
    """Whether the record's answer is known. A wrong answer raises `Failed`."""
    try:
        return expected.compare(count, sealed)
    except DiffersError as differs:
        if differs.official is not None:
            raise Failed(wrong_answer(where, differs.official, sealed)) from None
        raise Failed(Failure(Status.WRONG_ANSWER, f"{where}: {NOT_OFFICIAL}")) from None
