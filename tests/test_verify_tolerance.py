"""Deviations that are accepted in third-party packages, and in which order."""

from __future__ import annotations

from packages_for_tests import files
from pennyweight.job import Job
from pennyweight.model import Status
from pennyweight.target import Target
from pennyweight.verify.tolerance import Tolerance, verify_leniently
from pennyweight.verify.verdict import Verdict
from verdicts import cached_by_project

pytestmark = cached_by_project("verification on boards")

CRASH = Verdict(Status.CRASHED, "record 1: unaligned read of 2 bytes at 0x00001103, in f (f.c:1)")
ALLOWED = Tolerance(odd_words=True)


def judged(answers: dict[Tolerance, Verdict], ignores: bool) -> tuple[Verdict, list[Tolerance]]:
    """A verdict after a crash, and what was allowed on the way."""
    asked: list[Tolerance] = []

    def check(allowed: Tolerance) -> Verdict:
        asked.append(allowed)
        return answers.get(allowed, CRASH)

    [implementation] = files().find("aes-128-gcm/table")
    return verify_leniently(implementation, CRASH, check, ignores), asked


def test_words_at_odd_addresses_are_allowed_where_the_part_does_and_nothing_else_helps() -> None:
    verdict, asked = judged({ALLOWED: Verdict(Status.OK, verified="all")}, ignores=True)
    assert (verdict.status, verdict.odd_words, verdict.verified) == (Status.OK, True, "all")
    assert verdict.notes[0].startswith(
        "accesses words at odd addresses, which this part rounds down: record"
    )
    assert asked == [Tolerance(aligned=True), ALLOWED]


def test_words_at_odd_addresses_that_follow_from_lengths_are_not_tried() -> None:
    both = Tolerance(odd_words=True, aligned=True)
    rejected = Verdict(Status.REJECTED_VALID, "record 41 was rejected")
    verdict, asked = judged({ALLOWED: rejected, both: Verdict(Status.OK)}, ignores=True)
    assert verdict.status is Status.OK and verdict.odd_words
    assert verdict.notes[1] == "takes multiples of 8 bytes only: record 41 was rejected"
    assert asked == [Tolerance(aligned=True), ALLOWED, both]


def test_what_helps_without_them_comes_first() -> None:
    aligned = Tolerance(aligned=True)
    verdict, asked = judged({aligned: Verdict(Status.OK), ALLOWED: Verdict(Status.OK)}, True)
    assert verdict.status is Status.OK and not verdict.odd_words
    assert asked == [aligned]


def test_where_they_do_not_help_or_the_part_does_not_do_so_the_crash_stays() -> None:
    wrong = Verdict(Status.WRONG_ANSWER, "record 1: expected 00, got 01")
    for ignores in (True, False):
        verdict, asked = judged({ALLOWED: wrong}, ignores)
        assert (verdict.status, verdict.reason) == (Status.CRASHED, CRASH.reason)
        assert not verdict.odd_words
        assert (ALLOWED in asked) is ignores


def test_a_part_that_heeds_the_lowest_bit_states_it() -> None:
    from packages_for_tests import PACKAGES, at, board
    from pennyweight.build import build

    of = board("atmega328p")
    folder = next((PACKAGES / "felics").iterdir())
    target = Target(of, build(Job(at(folder), of, "-Os")).programs["full"], 1_000_000)
    assert not target.allow_odd_words(True)
