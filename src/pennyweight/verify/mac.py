"""Verifies a MAC on the part: known answers, verification, forgeries, unaligned buffers."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace

from pennyweight.catalogue.algorithms import KnownAnswers
from pennyweight.catalogue.implementation import Implementation
from pennyweight.job import Level
from pennyweight.model import Status
from pennyweight.target import DoesNotFitError, Failure
from pennyweight.target.aead import Placement
from pennyweight.target.mac import REFUSED, Mac
from pennyweight.target.parts import MacParts
from pennyweight.verify import name_value, piecewise, vectors
from pennyweight.verify.checks import Checks, sample
from pennyweight.verify.expected_answers import mac_examples
from pennyweight.verify.forgery import Part, flipped, pairs
from pennyweight.verify.long_messages import long_digests
from pennyweight.verify.name_value import FormatError
from pennyweight.verify.parts import check_mac_parts, check_mac_record
from pennyweight.verify.records import MacRecord, pattern
from pennyweight.verify.verdict import Failed, too_little_ram, wrong_answer

_LENGTHS = (*range(34), 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 135, 136, 137, 168, 200)
"""Lengths of own messages: around every block boundary of the catalogue's MACs."""

_UNALIGNED = (1, 15, 64, 65, 127, 135, 137, 200)
_BLOCK = 16


class MacChecks(Checks[MacRecord, MacParts]):
    """The checks of one MAC on one board."""

    def __init__(
        self, mac: Mac, parts: MacParts | None, implementation: Implementation, level: Level
    ) -> None:
        super().__init__(mac.target, parts, implementation, level)
        self._mac = mac
        variant = implementation.known.variant if implementation.known else None
        self._longest: int | None = None
        """Longest message of the package's own file, if it rejects longer ones."""
        self._pads_key = variant is not None and variant.zero_padded_key

    def _other_checks(self) -> Sequence[Callable[[], None]]:
        return (self._round_trips, self._long, self._unaligned, self._incremental)

    # Known answers

    def _empty_message(self) -> None:
        """A minimal check, before longer messages show whether they fit next to it."""
        try:
            self._sign(pattern(0, self._implementation.key), b"", "record 1 (0 bytes)")
        except DoesNotFitError as error:
            raise Failed(too_little_ram(error)) from None

    def _known_answers(self) -> bool:
        self._empty_message()
        compared = 0
        for record in map(self._padded, mac_examples(self._implementation)):
            if self._can_run(record):
                with contextlib.suppress(DoesNotFitError):
                    self._compare(record, f"example {record.count} of the algorithm's file")
                    compared += 1
        for answers in self._sets():
            compared += self._file(answers)
        return self._package_file() + compared > 0

    def _file(self, answers: KnownAnswers) -> int:
        """Runs a file of the catalogue: makes tags, accepts valid ones, rejects invalid ones.
        Returns their number.
        """
        everything = [self._padded(record) for record in vectors.mac_records(answers)]
        fitting = [record for record in everything if self._has_sizes(record)]
        vectors.check_count(answers, len(fitting))
        records = [record for record in fitting if self._can_run(record)]
        others = len(everything) - len(records)
        if self._quick:
            records = sample(records, lambda record: record.valid)
        done, cut = self._compare_file(records, answers.file)
        total = len(done) + len(cut)
        if total:
            rejected = sum(not record.valid for record in (*done, *cut))
            self._passed.append(vectors.passed(answers, total, rejected, others, len(cut)))
        return total

    def _compare_in_pieces(self, parts: MacParts, record: MacRecord, where: str) -> None:
        tag, accepted = piecewise.authenticated(parts, record, where)
        if record.valid and tag != record.tag:
            raise Failed(wrong_answer(where, record.tag, tag))
        if len(record.tag) == self._mac.size:
            self._must_be(record, accepted, where)

    def _package_file(self) -> int:
        """Runs the known-answer file of a package. Returns the number of records."""
        found = vectors.package_file(self._implementation)
        if found is None:
            return 0
        path, text = found
        try:
            records = [record for record in name_value.mac_records(text) if self._can_run(record)]
        except (FormatError, ValueError) as error:
            note = f"the package's known-answer file cannot be read ({error}); not used"
            self._notes.append(note)
            return 0
        tried = sample(records, lambda record: record.valid) if self._quick else records
        done, unfit = self._compare_all(tried, path.name)
        if unfit:
            self._notes.append(piecewise.unrun_note(path.name, len(unfit), can_cut=False))
        if done:
            self._find_limit(max(len(record.message) for record in records))
            name = "records of the package's own known-answer file"
            self._passed.append(f"{len(done)} of {len(records)} {name}")
        return len(done)

    def _find_limit(self, longest: int) -> None:
        """Some functions are for short messages only, and reject longer ones."""
        key = pattern(0, self._implementation.key)
        with contextlib.suppress(DoesNotFitError):
            longer = self._mac.sign(key, pattern(0, longest + 1), self._apart)
            if isinstance(longer, Failure) and longer.reason.startswith(REFUSED):
                self._longest = longest
                self._notes.append(f"rejects messages of more than {longest} bytes")

    def _takes(self, size: int) -> bool:
        return self._longest is None or size <= self._longest

    def _padded(self, record: MacRecord) -> MacRecord:
        """The record under a key of the implementation's size, if the MAC stays the same."""
        if not self._pads_key or len(record.key) > self._implementation.key:
            return record
        return replace(record, key=record.key.ljust(self._implementation.key, b"\0"))

    def _has_sizes(self, record: MacRecord) -> bool:
        sizes = (self._implementation.key, self._mac.size)
        return (len(record.key), record.size) == sizes

    def _can_run(self, record: MacRecord) -> bool:
        """Whether it has the right sizes and a customisation string can be passed."""
        customised = self._parts is not None and self._implementation.manifest.customisation
        return self._has_sizes(record) and (customised or not record.custom)

    def _compare(self, record: MacRecord, where: str) -> None:
        """Raises `Failed`, `DoesNotFitError`."""
        if record.custom and self._parts is not None:
            check_mac_record(self._parts, record, where)
            return
        if record.valid:
            tag = self._sign(record.key, record.message, where)
            if tag != record.tag:
                raise Failed(wrong_answer(where, record.tag, tag))
        if len(record.tag) == self._mac.size:
            self._check(record, where)

    def _long(self) -> None:
        """Messages of many blocks."""
        if self._longest is None:
            self._long_messages(
                0,
                long_digests(self._implementation),
                lambda x: self._mac.sign(x.key, x.message, self._apart),
                lambda x, tag: self._check(MacRecord(0, x.key, x.message, tag, len(tag)), str(x)),
            )

    # What must hold of any MAC

    def _round_trips(self) -> None:
        """Tags are accepted, rejected with any bit flipped, and the same in a second call."""
        key = pattern(0x40, self._implementation.key)
        done = 0
        for size in filter(self._takes, _LENGTHS[:: 3 if self._quick else 1]):
            where = f"a message of {size} bytes"
            message = pattern(0x51, size)
            with contextlib.suppress(DoesNotFitError):
                tag = self._sign(key, message, where)
                again = self._sign(key, message, f"{where} a second time")
                if again != tag:
                    raise Failed(wrong_answer(f"{where} a second time", tag, again))
                self._check(MacRecord(0, key, message, tag, len(tag)), where)
                for forged, what in _forgeries(key, message, tag, turn=size):
                    self._check(forged, f"{where} with modified {what}")
                done += 1
        self._passed.append(f"{done} round trips with forgeries rejected")

    def _unaligned(self) -> None:
        def check() -> None:
            for index, size in enumerate(filter(self._takes, _UNALIGNED)):
                with contextlib.suppress(DoesNotFitError):
                    self._shifted(size, 1 + index % 3)

        self._tried("unaligned buffers", check)

    def _shifted(self, size: int, offset: int) -> None:
        where = f"unaligned buffers, {size} bytes"
        key, message = pattern(0, self._implementation.key), pattern(0, size)
        placement = Placement(offset=offset, gap=self._apart.gap)
        straight = self._sign(key, message, where)
        shifted = self._sign(key, message, where, placement)
        if shifted != straight:
            raise Failed(wrong_answer(where, straight, shifted))
        self._check(MacRecord(0, key, message, straight, len(straight)), where, placement)

    def _incremental(self) -> None:
        if self._parts is not None:
            check_mac_parts(self._parts, self._mac, self._implementation.key)
            self._passed.append("incremental API")

    # Calls

    def _sign(
        self, key: bytes, message: bytes, where: str, placement: Placement | None = None
    ) -> bytes:
        """Raises `Failed`, `DoesNotFitError`."""
        found = self._mac.sign(key, message, placement or self._apart)
        return self._must_fit(found, f"authenticating {where}")

    def _check(self, record: MacRecord, where: str, placement: Placement | None = None) -> None:
        """The tag is accepted or rejected as expected. Raises `Failed`, `DoesNotFitError`."""
        found = self._mac.check(record.key, record.message, record.tag, placement or self._apart)
        self._must_be(record, self._must_fit(found, f"verifying {where}"), where)

    def _must_be(self, record: MacRecord, found: bool, where: str) -> None:
        """A valid tag must be accepted, an invalid one rejected."""
        if record.valid and not found:
            raise Failed(Failure(Status.REJECTED_VALID, f"the tag of {where} was rejected"))
        if not record.valid and found:
            raise Failed(Failure(Status.ACCEPTED_FORGERY, f"{where} was accepted"))


def _forgeries(key: bytes, message: bytes, tag: bytes, turn: int) -> list[tuple[MacRecord, str]]:
    """The message with one bit of its tag flipped, and with one of its text, different ones each
    turn; with pairs of tag bits if it consists of whole blocks.
    """
    record = MacRecord(0, key, message, tag, len(tag), valid=False)
    forged = [(replace(record, tag=flipped(tag, turn)), str(Part.TAG))]
    if len(message) % _BLOCK == 0:
        forged += [(replace(record, tag=changed), str(Part.PAIR)) for changed in pairs(tag)]
    if message:
        forged.append((replace(record, message=flipped(message, turn)), "text"))
    return forged
