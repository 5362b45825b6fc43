"""How long a call may take before it is given up."""

from __future__ import annotations

from packages_for_tests import AVR, board, toy
from pennyweight.build import build
from pennyweight.job import Job
from pennyweight.model import Status
from pennyweight.target import Failure, Target
from pennyweight.target.aead import Aead
from pennyweight.target.cycle_limit import CycleLimit
from verdicts import cached_by_project

pytestmark = cached_by_project("measurements")


def test_a_first_call_gets_the_least() -> None:
    assert CycleLimit(1000).allowed("f", 500) == 1000


def test_long_inputs_get_what_as_many_shortest_calls_would_take() -> None:
    limit = CycleLimit(1000)
    limit.record("f", 60, 400)
    assert limit.allowed("f", 60) == 1000
    assert limit.allowed("f", 60 + 1024) == 2 * 400 * 1025
    assert limit.allowed("another", 60 + 1024) == 1000


def test_the_slowest_rate_counts() -> None:
    limit = CycleLimit(10)
    limit.record("f", 60, 400)
    limit.record("f", 159, 4000)
    assert limit.allowed("f", 159) == 2 * 400 * 100
    limit.record("f", 60, 900)
    assert limit.allowed("f", 159) == 2 * 900 * 100


def test_longer_messages_may_take_longer_only_while_patient() -> None:
    implementation = toy("ref")
    program = build(Job(implementation, board(AVR), "-Os")).programs["full"]
    aead = Aead(Target(board(AVR), program, 100_000), implementation.tag)
    short = (bytes(16), bytes(16), b"", b"")
    long = (bytes(16), bytes(16), b"", bytes(500))
    with aead.target.extended_limits():
        assert isinstance(aead.seal(*short), bytes)
        assert isinstance(aead.seal(*long), bytes)
    found = aead.seal(*long)
    assert isinstance(found, Failure)
    assert found.status is Status.OUT_OF_CYCLES
    assert "within 100000 cycles" in found.reason and "hangs" not in found.reason


def test_an_endless_loop_ends_while_patient() -> None:
    implementation = toy("loops")
    program = build(Job(implementation, board(AVR), "-Os")).programs["full"]
    aead = Aead(Target(board(AVR), program, 100_000), implementation.tag)
    with aead.target.extended_limits():
        assert isinstance(aead.seal(bytes(16), bytes(16), b"", b""), bytes)
        found = aead.seal(bytes(16), bytes(16), b"", bytes(1))
    assert isinstance(found, Failure)
    assert found.status is Status.OUT_OF_CYCLES
    assert found.reason.endswith("it hangs there in a jump to itself, as abort() does")
