"""Runs `--best`, `--small` and `--primitives`: measures both sides, prints the tables."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from scripts.bench_implementations import rivals, text_table
from scripts.bench_implementations.best import sizes, tables
from scripts.bench_implementations.best.results import LENGTHS, Result, Side, measure
from scripts.bench_implementations.best.rows import Judge, Row, means_of, rows_of
from scripts.bench_implementations.best.sizes import Size
from scripts.bench_implementations.best.timing import Timing, TimingChecks
from scripts.bench_implementations.measurements import Place
from scripts.bench_implementations.primitives import data as published
from scripts.bench_implementations.primitives import table as primitive_table
from scripts.bench_implementations.primitives.measuring import compared

from pennyweight import catalogue
from pennyweight.catalogue import Board, Catalogue, Implementation
from pennyweight.catalogue.offers import is_offered
from pennyweight.job import Job
from pennyweight.studies.fastest import is_candidate

RESULTS = Path("bench/implementations")
BOARDS = "stm32f030,samd21,sam3x8e,stm32f407-24mhz,nrf52840,atmega328p,fe310-g002,msp430f1611"
SMALL_BOARDS = "atmega328p,samd21"
FLAGS = "-O2,-O3"
SMALL_FLAGS = "-Os"
_SMALL_LENGTHS = (128,)

T = TypeVar("T")
_Key = tuple[str, str, str]
"""A rival's id, the board, and the flags."""


def main(given: Namespace) -> int:
    """Prints the requested tables; 1 if a target is missed or a bundled implementation fails."""
    known = catalogue.load()
    tables_of: list[Callable[[Namespace, Catalogue], _Printed]] = []
    if given.best or given.small:
        tables_of.append(_against_rivals)
    if given.primitives:
        tables_of.append(_against_published)
    found = [each(given, known) for each in tables_of]
    for each in found:
        print("\n".join(each.tables))
    for each in found:
        print("\n".join(each.remarks), file=sys.stderr if given.markdown else sys.stdout)
    return 0 if all(each.is_good for each in found) else 1


@dataclass(slots=True)
class _Printed:
    """Tables, what is excluded from them, and whether all targets are met."""

    tables: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    is_good: bool = True


def _against_rivals(given: Namespace, known: Catalogue) -> _Printed:
    sources = [*given.rivals, *rivals.named_libraries(given.libraries)]
    patterns = given.algorithms.split(",")
    found, unusable = rivals.everywhere(given.nist, sources, known, patterns)
    contest = _Contest(known, found, given.jobs)
    printed = _Printed(remarks=list(text_table.exclusions("the rivals", unusable, [], [])))
    if given.best:
        boards = [known.board(name) for name in (given.boards or BOARDS).split(",")]
        flags = (given.flags or FLAGS).split(",")
        own, other = contest.measured("best", boards, flags, LENGTHS)
        rows = contest.rows(boards, own, other)
        means = [means_of(board.id, rows) for board in boards]
        names = [board.id for board in boards]
        printed.tables += tables.best(rows, means, _titles(boards), given.markdown)
        printed.remarks += _remarks(own, other, names, flags)
        printed.remarks += tables.alone(rows, own, names)
        printed.is_good &= not (_fails(own) or tables.missed(rows, means))
    if given.small:
        boards = [known.board(name) for name in (given.boards or SMALL_BOARDS).split(",")]
        own, other = contest.measured("small", boards, [SMALL_FLAGS], _SMALL_LENGTHS)
        found_sizes = contest.sizes(boards, own, other)
        printed.tables += tables.small(found_sizes, _titles(boards), given.markdown)
        printed.remarks += _remarks(own, other, [board.id for board in boards], [SMALL_FLAGS])
        printed.is_good &= not (_fails(own) or any(size.misses for size in found_sizes))
    return printed


def _against_published(given: Namespace, known: Catalogue) -> _Printed:
    counts = published.load()
    flags = (given.flags or FLAGS).split(",")
    wanted = given.boards.split(",") if given.boards else []
    rows = compared(counts, known, wanted, flags, RESULTS, given.jobs)
    titles = _titles(known.boards.values())
    printed = primitive_table.table(rows, counts, titles, given.markdown)
    return _Printed(printed, is_good=not any(row.misses for row in rows))


def _titles(boards: Iterable[Board]) -> Mapping[str, str]:
    return {board.id: board.title for board in boards}


def _fails(own: Side) -> bool:
    return any(each.is_failure for each in own.excluded)


def _remarks(own: Side, other: Side, boards: list[str], flags: list[str]) -> list[str]:
    return [
        *text_table.exclusions("the rivals", other.excluded, boards, flags),
        *text_table.exclusions("Pennyweight", own.excluded, boards, flags),
    ]


class _Contest:
    """Both sides' implementations of the same algorithms, and the verdicts on the rivals."""

    def __init__(self, known: Catalogue, found: list[Implementation], workers: int | None) -> None:
        self._rivals = found
        self._algorithms = sorted({each.algorithm for each in found})
        self._own = [
            each
            for each in known.implementations
            if each.algorithm in self._algorithms and is_candidate(each)
        ]
        self._known = known
        self._workers = workers
        self._checks = TimingChecks(RESULTS / "timing.jsonl", workers)
        self._verdicts: dict[_Key, Timing] = {}

    def measured(
        self, what: str, boards: Sequence[Board], flags: Sequence[str], lengths: Sequence[int]
    ) -> tuple[Side, Side]:
        """The results of both sides."""
        sides = []
        for side, some in (("own", self._own), ("rivals", self._rivals)):
            places: list[Place] = [
                (each, board) for board in boards for each in some if is_offered(each, board)
            ]
            sides.append(measure(f"{what}-{side}", places, flags, lengths, RESULTS, self._workers))
        return sides[0], sides[1]

    def rows(self, boards: Sequence[Board], own: Side, other: Side) -> list[Row]:
        """The rows of all boards; checks the timing of the rivals that matter."""
        return self._judged(
            lambda judge: [
                row
                for board in boards
                for name in self._algorithms
                for row in rows_of(
                    name, board.id, own.at(name, board.id), other.at(name, board.id), judge
                )
            ]
        )

    def sizes(self, boards: Sequence[Board], own: Side, other: Side) -> list[Size]:
        """The smallest of both sides on all boards."""
        return self._judged(
            lambda judge: [
                size
                for board in boards
                for name in self._algorithms
                for size in sizes.sizes_of(own.at(name, board.id), other.at(name, board.id), judge)
            ]
        )

    def _judged(self, compute: Callable[[Judge], list[T]]) -> list[T]:
        """Computes again as long as verdicts are missing, which are then found in parallel."""
        while True:
            missing: dict[_Key, Result] = {}

            def judge(rival: Result, missing: dict[_Key, Result] = missing) -> Timing:
                key = _key(rival)
                if key not in self._verdicts:
                    missing[key] = rival
                return self._verdicts.get(key, Timing())

            computed = compute(judge)
            if not missing:
                return computed
            jobs = [
                Job(each.implementation, self._known.board(each.board), each.flags)
                for each in missing.values()
            ]
            self._verdicts |= zip(missing, self._checks.verdicts(jobs), strict=True)


def _key(rival: Result) -> _Key:
    return rival.implementation.id, rival.board, rival.flags
