"""Profiles of calls, as Python sees them."""

from __future__ import annotations

import pytest

from packages_for_tests import AVR, board, toy
from pennyweight._simulator import Machine
from pennyweight.build import build
from pennyweight.job import Job
from verdicts import cached_by_project

pytestmark = cached_by_project("measurements")

BUDGET = 10_000_000


def booted(name: str) -> Machine:
    """The toy package on a board, at `pw_ready`."""
    found = board(name)
    program = build(Job(toy("ref"), found, "-O2")).programs["full"]
    machine = Machine(found.simulated(), program.elf)
    ready = machine.symbol("pw_ready")
    assert ready is not None
    assert machine.boot(ready, BUDGET).exit == "returned"
    return machine


def test_a_profile_adds_up_to_the_call_that_was_not_observed() -> None:
    machine = booted(AVR)
    function = machine.symbol("crypto_aead_encrypt")
    start = machine.symbol("pw_static_end")
    assert function is not None and start is not None
    at = {"c": start, "length": start + 64, "m": start + 80, "k": start + 128}
    pointer, count = "pointer", "u64"
    arguments = [
        (pointer, at["c"]),
        (pointer, at["length"]),
        (pointer, at["m"]),
        (count, 16),
        (pointer, 0),
        (count, 0),
        (pointer, 0),
        (pointer, at["k"]),
        (pointer, at["k"]),
    ]
    machine.snapshot()
    plain = machine.call(function, arguments, BUDGET, start + 200)  # type: ignore[arg-type]
    machine.restore()
    profile = machine.profile(function, arguments, BUDGET, start + 200)  # type: ignore[arg-type]
    outcome = profile.outcome
    assert (outcome.exit, outcome.cycles, outcome.stack, outcome.result) == (
        plain.exit,
        plain.cycles,
        plain.stack,
        plain.result,
    )
    assert sum(cycles for _, _, cycles in profile.mix) == plain.cycles
    assert sum(times for _, times, _ in profile.mix) == plain.instructions
    assert sum(cycles for _, _, cycles in profile.stacks) == plain.cycles
    assert all(functions[0] == "crypto_aead_encrypt" for functions, _, _ in profile.stacks)
    written = {
        address
        for first, end, _, is_written in profile.touched
        if is_written
        for address in range(first, end)
    }
    assert set(range(at["c"], at["c"] + 16)) <= written
    assert at["m"] not in written
    with pytest.raises(ValueError, match="does not fit"):
        machine.profile(function, [("size", -1)], BUDGET, start)
