"""What the studies' pages are computed with: maps, phases, fronts, balanced builds, spreads."""

from __future__ import annotations

import doctest
import math

import pytest

from pennyweight import published
from pennyweight.analysis import maps, means, phases
from pennyweight.analysis.choice import balanced, pareto_front
from pennyweight.analysis.maps import contest, ratio_map
from pennyweight.analysis.means import over_boards
from pennyweight.analysis.phases import Phases, phases_of
from pennyweight.model import Operation


@pytest.mark.parametrize("module", [maps, means, phases])
def test_the_examples_in_the_docstrings_hold(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]


def test_a_map_computed_by_hand_names_the_faster_algorithm() -> None:
    own = {(0, 0): 100, (0, 16): 200, (16, 0): 400, (16, 16): 300, (64, 64): 10}
    other = {(0, 0): 200, (0, 16): 100, (16, 0): 400, (16, 16): 1200, (8, 8): 5}
    ratios = ratio_map(own, other)
    assert ratios == {(0, 0): 2.0, (0, 16): 0.5, (16, 0): 1.0, (16, 16): 4.0}
    found = contest(ratios)
    assert found is not None
    assert (found.pairs, found.won) == (4, 2)  # as fast as the other is not won
    assert (found.best, found.largest) == ((16, 16), 4.0)
    assert (found.worst, found.smallest) == ((0, 16), 0.5)
    assert found.spread.mean == pytest.approx(math.sqrt(2))  # (2 * 0.5 * 1 * 4) ** (1 / 4)
    assert contest({}) is None
    assert ratio_map({(0, 0): 0}, {(0, 0): 5}) == {}


def test_the_map_of_the_published_curves_states_what_the_study_states() -> None:
    """On the Cortex-M0 ChaCha20-Poly1305 beats AES-GCM at every length of the EUR 1 study."""
    curves: dict[str, dict[tuple[int, int], int]] = {}
    for figure in published.load("one-euro").figures:
        if figure.metric == "cycles":
            lengths = (int(figure.of("ad") or 0), int(figure.of("m") or 0))
            curves.setdefault(figure.algorithm, {})[lengths] = int(figure.value)
    found = contest(ratio_map(curves["chacha20-poly1305"], curves["aes-128-gcm"]))
    assert found is not None
    assert found.won == found.pairs == 65
    # At 256 bytes the study's table has 328,558 and 146,862 cycles.
    ratios = ratio_map(curves["chacha20-poly1305"], curves["aes-128-gcm"])
    assert ratios[16, 256] == 328558 / 146862


AEAD_PARTS = {
    Operation.INIT: 100,
    Operation.AD: 20,
    Operation.ENCRYPT: 64,
    Operation.FINALIZE: 30,
    Operation.TAG: 5,
}


def test_phases_by_hand() -> None:
    assert phases_of(AEAD_PARTS, 4, 36) == Phases(100, 84, 35)
    assert phases_of(AEAD_PARTS, 4, 36).total == 219  # type: ignore[union-attr]
    # What has nothing to take in is not called, whatever it would have cost.
    assert phases_of(AEAD_PARTS, 0, 36) == Phases(100, 64, 35)
    assert phases_of(AEAD_PARTS, 4, 0) == Phases(100, 20, 35)
    opening = {Operation.DECRYPT: 70, Operation.VERIFY: 9}
    sealing = (Operation.ENCRYPT, Operation.TAG)
    parts = {op: cycles for op, cycles in AEAD_PARTS.items() if op not in sealing} | opening
    assert phases_of(parts, 4, 36) == Phases(100, 90, 39)


@pytest.mark.parametrize(
    "missing", [Operation.INIT, Operation.AD, Operation.FINALIZE, Operation.TAG]
)
def test_phases_without_a_part_are_none(missing: Operation) -> None:
    left = {op: cycles for op, cycles in AEAD_PARTS.items() if op is not missing}
    assert phases_of(left, 4, 36) is None


def test_the_balanced_build_by_hand() -> None:
    points = [
        {"name": "fast", "cycles": 100, "flash": 400},  # 1 + 4
        {"name": "small", "cycles": 900, "flash": 100},  # 9 + 1
        {"name": "both", "cycles": 200, "flash": 200},  # 2 + 2
        {"name": "unknown", "cycles": 1, "flash": None},
    ]
    assert balanced(points, ["cycles", "flash"])["name"] == "both"  # type: ignore[index]
    assert balanced(points, ["cycles"])["name"] == "unknown"  # type: ignore[index]
    # Against the least of a larger field, code weighs little: 100/10 + 400/400 wins.
    field = {"cycles": 10.0, "flash": 400.0}
    assert balanced(points, ["cycles", "flash"], field)["name"] == "fast"  # type: ignore[index]
    assert balanced([points[3]], ["flash"]) is None
    # Nothing needs static RAM but one: no ratio, no say.
    assert balanced([{"ram": 0, "c": 2}, {"ram": 8, "c": 1}], ["ram", "c"]) == {"ram": 8, "c": 1}


def test_the_front_over_three_goals_by_hand() -> None:
    points = [
        {"name": "a", "cycles": 1, "flash": 9, "ram": 9},
        {"name": "b", "cycles": 9, "flash": 1, "ram": 9},
        {"name": "c", "cycles": 9, "flash": 9, "ram": 1},
        {"name": "d", "cycles": 9, "flash": 9, "ram": 9},
        {"name": "e", "cycles": 5, "flash": 5, "ram": 5},
        {"name": "f", "cycles": 5, "flash": 5, "ram": 6},
        {"name": "g", "cycles": 1, "flash": 9, "ram": 9},
    ]
    front = pareto_front(points, ["cycles", "flash", "ram"])
    assert [p["name"] for p in front] == ["a", "b", "c", "e", "g"]  # g equals a: neither beats


def test_spreads_over_boards_by_hand() -> None:
    cycles = {
        "base": {"avr": 100.0, "arm": 100.0, "msp": 100.0},
        "fast": {"avr": 50.0, "arm": 12.5},
        "elsewhere": {"riscv": 1.0},
    }
    found = over_boards(cycles, "base")
    assert set(found) == {"base", "fast"}
    spread, boards = found["fast"]
    assert boards == 2
    assert spread.mean == pytest.approx(4.0)  # of 2 and 8
    assert spread.deviation == pytest.approx(math.exp(math.log(2) * math.sqrt(2)))
    assert found["base"][0] == pytest.approx((1.0, 1.0))
    assert over_boards(cycles, "unknown") == {}
