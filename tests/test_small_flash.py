"""The promise of `small`: no other implementation of its algorithm takes less flash at -Os, except
for those that are not constant-time if it is.

Each family is built for every kind of core, its algorithms taking turns: they share most sources.
"""

from __future__ import annotations

import pytest

from board_inputs import inputs_of_jobs
from packages_for_tests import board, files
from pennyweight.build import build
from pennyweight.catalogue import Implementation
from pennyweight.job import Job
from verdicts import Inputs, cached

BOARDS = (
    "atmega328p",
    "msp430f1611",
    "samd21",
    "sam3x8e",
    "fe310-g002",
    "esp8266",
    "pic32mx340",
)


def _with_small() -> dict[str, list[list[Implementation]]]:
    """By family, the implementations of each algorithm that has `small` and others."""
    algorithms: dict[str, list[Implementation]] = {}
    for each in files().implementations:
        algorithms.setdefault(each.algorithm, []).append(each)
    families: dict[str, list[list[Implementation]]] = {}
    for name, group in algorithms.items():
        if len(group) > 1 and any(each.name == "small" for each in group):
            families.setdefault(files().algorithms[name].family, []).append(group)
    return families


def _turns(algorithms: int) -> list[tuple[int, str]]:
    """Which algorithm of a family on which board: each board has one, each algorithm a board."""
    turns = max(algorithms, len(BOARDS))
    return [(turn % algorithms, BOARDS[turn % len(BOARDS)]) for turn in range(turns)]


FAMILIES = _with_small()


def test_turns_leave_no_board_and_no_algorithm_out() -> None:
    for count in range(1, 12):
        assert {name for _, name in _turns(count)} == set(BOARDS)
        assert {algorithm for algorithm, _ in _turns(count)} == set(range(count))


def _jobs(family: str) -> list[tuple[Implementation, str, list[Job]]]:
    """On each turn: the small implementation, the board, and what is compared there."""
    turns = []
    for algorithm, name in _turns(len(FAMILIES[family])):
        group = FAMILIES[family][algorithm]
        [small] = (each for each in group if each.name == "small")
        compared = [
            Job(each, board(name), "-Os")
            for each in group
            if each.manifest.constant_time or not small.manifest.constant_time
        ]
        turns.append((small, name, compared))
    return turns


def inputs(family: str) -> Inputs:
    return inputs_of_jobs(*(job for *_, jobs in _jobs(family) for job in jobs))


@pytest.mark.parametrize("family", FAMILIES)
@cached("flash of small implementations", inputs)
def test_small_takes_the_least_flash(family: str) -> None:
    larger = []
    for small, name, jobs in _jobs(family):
        flash = {each.implementation.name: build(each).sizes.flash for each in jobs}
        sizes = {each: size for each, size in flash.items() if size is not None}
        if sizes["small"] > min(sizes.values()):
            larger.append((small.algorithm, name, sizes))
    assert larger == []
