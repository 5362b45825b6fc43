"""The common part of the checks of every kind of algorithm: their order, records and verdict."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from pennyweight.catalogue.algorithms import KnownAnswers
from pennyweight.catalogue.implementation import Implementation
from pennyweight.job import Level
from pennyweight.model import Status
from pennyweight.target import DoesNotFitError, Failure, Target
from pennyweight.target.aead import Placement
from pennyweight.target.parts import AeadParts, HashParts, MacParts
from pennyweight.verify import piecewise
from pennyweight.verify.long_messages import Long, check_long
from pennyweight.verify.records import AeadRecord, HashRecord, MacRecord
from pennyweight.verify.verdict import NOT_VERIFIED, Failed, Verdict, must_fit

SPREAD = 33
"""Number of records of a file in the sample for quick verification."""

R = TypeVar("R", AeadRecord, HashRecord, MacRecord)
P = TypeVar("P", AeadParts, HashParts, MacParts)
T = TypeVar("T")


class Checks(ABC, Generic[R, P]):
    """The checks of one implementation on one board; the first failure ends them."""

    def __init__(
        self, target: Target, parts: P | None, implementation: Implementation, level: Level
    ) -> None:
        self._target = target
        self._parts: P | None = parts
        self._implementation = implementation
        self._level = level
        self._quick = level == "quick"
        self._apart = Placement(gap=target.comfortable_gap())
        self._in_place = False
        """Whether output and input may share a buffer. Only tried for AEADs."""
        self._notes: list[str] = []
        self._passed: list[str] = []

    def verdict(self) -> Verdict:
        """Runs the known answers, then all other checks."""
        try:
            known = self._known_answers()
            for check in self._other_checks():
                check()
        except Failed as failed:
            failure = failed.failure
            return Verdict(failure.status, failure.reason, NOT_VERIFIED, self._notes)
        words = ", ".join(self._passed)
        return Verdict(
            Status.OK,
            verified=words if known else f"{NOT_VERIFIED}: no known answers ({words})",
            notes=self._notes,
            in_place=self._in_place,
        )

    @abstractmethod
    def _known_answers(self) -> bool:
        """Runs all available sets. Returns whether there were any. Raises `Failed`."""

    @abstractmethod
    def _other_checks(self) -> Sequence[Callable[[], None]]:
        """The checks for any implementation, in order. Each raises `Failed`."""

    @abstractmethod
    def _compare(self, record: R, where: str) -> None:
        """Runs one record. Raises `Failed`, `DoesNotFitError`."""

    @abstractmethod
    def _compare_in_pieces(self, parts: P, record: R, where: str) -> None:
        """Runs one record through the incremental API. Raises `Failed`, `DoesNotFitError`."""

    def _sets(self) -> tuple[KnownAnswers, ...]:
        known = self._implementation.known
        return known.variant.known_answers if known else ()

    def _compare_file(self, records: Iterable[R], file: str) -> tuple[list[R], list[R]]:
        """Runs a file's records; returns those that passed, in one piece and in several. Adds
        notes.
        """
        done, unfit = self._compare_all(records, file)
        in_pieces = self._compare_unfit(unfit, file)
        if len(unfit) > len(in_pieces):
            more = self._level != "every" and piecewise.can_cut(self._parts)
            self._notes.append(piecewise.unrun_note(file, len(unfit) - len(in_pieces), more))
        return done, in_pieces

    def _compare_all(self, records: Iterable[R], file: str) -> tuple[list[R], list[R]]:
        """Runs records; returns those that passed, and those that do not fit the part's RAM."""
        done: list[R] = []
        unfit: list[R] = []
        for record in records:
            try:
                self._compare(record, f"record {record.count} of {file} ({record.lengths()})")
                done.append(record)
            except DoesNotFitError:
                unfit.append(record)
        return done, unfit

    def _compare_unfit(self, unfit: Sequence[R], file: str) -> list[R]:
        """Runs records in pieces that do not fit in one; returns those that passed."""
        done: list[R] = []
        parts = self._parts
        if parts is None or not piecewise.can_cut(parts):
            return done
        for record in piecewise.chosen(unfit, self._level):
            where = f"record {record.count} of {file} ({record.lengths()}), in pieces"
            with contextlib.suppress(DoesNotFitError):
                self._compare_in_pieces(parts, record, where)
                done.append(record)
        return done

    def _long_messages(
        self,
        nonce: int,
        digests: list[str],
        call: Callable[[Long], bytes | Failure],
        back: Callable[[Long, bytes], None],
    ) -> None:
        """Messages of many blocks, as in :func:`check_long`."""
        passed, notes = check_long(
            self._implementation, nonce, digests, self._quick, self._target, call, back
        )
        self._passed += passed
        self._notes += notes

    def _tried(self, what: str, check: Callable[[], None]) -> bool:
        """Whether a check of buffer placement passes. A failure of third-party code is a note."""
        try:
            check()
        except Failed as failed:
            if self._implementation.bundled:
                raise
            self._target.reset()
            self._notes.append(f"{failed.failure.status} with {failed.failure.reason}")
            return False
        self._passed.append(what)
        return True

    def _must_fit(self, found: T | Failure, doing: str) -> T:
        return must_fit(self._target, found, doing)


def sample(records: Sequence[R], valid: Callable[[R], bool] = lambda record: True) -> list[R]:
    """A sample of valid and invalid records of a file."""
    kept: list[R] = []
    for wanted in (True, False):
        group = [record for record in records if valid(record) is wanted]
        kept += group[:: max(1, len(group) // SPREAD)]
    return kept
