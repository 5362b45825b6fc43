"""Runs the comparison: from rows to builds, times and errors."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from pennyweight.accuracy.cases import cases
from pennyweight.accuracy.errors import Comparison, code_of, compare
from pennyweight.accuracy.sets import bad_reason
from pennyweight.accuracy.timing import Timed, Timing, time_all, timing
from pennyweight.benchmarks.nist import Clone, Row
from pennyweight.benchmarks.nist_boards import NistBoard
from pennyweight.build.sources import ASSEMBLY_SUFFIXES
from pennyweight.catalogue import Board, Catalogue
from pennyweight.catalogue.implementations import at_path
from pennyweight.model import UserError
from pennyweight.progress import Progress
from pennyweight.toolchains import for_board, missing

OTHER_COMPILER = "C code, which a different compiler built there"
"""Why a row is excluded on a board for which only assembly is compared."""


@dataclass(slots=True)
class BoardResult:
    """One board: its comparisons, and the excluded rows with the reason."""

    nist: NistBoard
    board: Board
    rows: int = 0
    comparisons: list[Comparison] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    every: int = 1
    """One of this many comparable rows was compared."""
    compiler: str = ""
    """The first line of the used compiler's `--version`."""


@dataclass(frozen=True, slots=True)
class _Planned:
    row: Row
    timing: Timing


def run(
    clone: Clone,
    boards: Sequence[NistBoard],
    catalogue: Catalogue,
    only: Sequence[str],
    workers: int | None,
    progress: Progress,
    every: Mapping[str, int] | None = None,
) -> list[BoardResult]:
    """Compares boards; `only` are shell patterns for variants, all if empty. `every` maps a board
    to N; every Nth of its comparable rows is compared.

    Raises `UserError`: a missing or broken file, a missing compiler.
    """
    results = []
    planned: list[tuple[BoardResult, _Planned]] = []
    for nist in boards:
        result = BoardResult(nist, catalogue.board(nist.board))
        absent = missing(result.board)
        if absent:
            raise UserError(absent)
        result.compiler = for_board(result.board).identity.version
        results.append(result)
        result.every = (every or {}).get(nist.board, 1)
        planned += [(result, each) for each in _plan(result, clone, only)[:: result.every]]
    if not planned:
        raise UserError(
            f"--only: no row of {', '.join(b.id for b in boards)} matches; correct or remove it"
        )
    timings = [each.timing for _, each in planned]
    times = {each.key: timed for each, timed in time_all(timings, workers, progress)}
    for result, each in planned:
        _judge(result, each.row, times[each.timing.key])
    return results


def _plan(result: BoardResult, clone: Clone, only: Sequence[str]) -> list[_Planned]:
    found = []
    for row in clone.rows(result.nist.id):
        if only and not any(fnmatchcase(row.variant, pattern) for pattern in only):
            continue
        result.rows += 1
        reason = bad_reason(result.nist.id, row.variant, row.implementation, row.level)
        folder = clone.package(row)
        if not reason and folder is None:
            reason = "the clone has no package of this name"
        if reason or folder is None:
            result.left_out.append((row.id, reason))
            continue
        if result.nist.assembly_only and not _has_assembly(folder):
            result.left_out.append((row.id, OTHER_COMPILER))
            continue
        try:
            [implementation] = at_path(folder, {})
        except UserError as error:
            result.left_out.append((row.id, str(error).replace(f"{clone.root.resolve()}/", "")))
            continue
        flags = result.nist.flags_at(row.level, result.compiler)
        wanted = tuple(case for case in cases(row.kind) if case in row.figures)
        if not wanted:
            result.left_out.append((row.id, "the board has no figures"))
            continue
        library = result.nist.bytewise_library
        wished = timing(implementation, result.board, flags, wanted, library)
        found.append(_Planned(row, wished))
    return found


def _has_assembly(package: Path) -> bool:
    return any(path.suffix in ASSEMBLY_SUFFIXES for path in package.iterdir())


def _judge(result: BoardResult, row: Row, timed: Timed) -> None:
    if result.nist.assembly_only and timed.cycles and code_of(timed) != "assembly":
        result.left_out.append((row.id, OTHER_COMPILER))
        return
    comparisons, problem = compare(result.nist, row, timed)
    result.comparisons += comparisons
    if problem:
        result.left_out.append((row.id, problem))


def read_every(text: str, boards: Sequence[NistBoard]) -> dict[str, int]:
    """Parses `--every`: a number for all of the boards, or `board=number`, several with commas.

    Raises `UserError`.
    """
    names = [nist.board for nist in boards]
    found: dict[str, int] = {}
    for part in text.split(","):
        name, equals, number = part.strip().rpartition("=")
        if equals and name not in names:
            raise UserError(f"--every: board '{name}' is not compared; use {' or '.join(names)}")
        if not re.fullmatch("[1-9][0-9]{0,5}", number):
            raise UserError(
                f"--every: '{part.strip()[:50]}' is neither a positive number nor BOARD=NUMBER; "
                f"use 3 or {names[0]}=3"
            )
        found |= dict.fromkeys([name] if equals else names, int(number))
    return found
