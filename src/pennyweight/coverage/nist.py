"""How much of NIST's tree can be built, verified and measured, according to a board's CSV file.

Only the existence of the figures matters, not their values.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from pennyweight.benchmarks.nist import Clone, Row
from pennyweight.benchmarks.nist_boards import NistBoard
from pennyweight.catalogue import Catalogue
from pennyweight.coverage.pairs import PAIRS, Coverage, Pair, board_with_compiler, plan, tried
from pennyweight.model import Case, Kind, Operation, UserError
from pennyweight.progress import Progress
from pennyweight.snapshot import snapshot_scope

_HASHED = (0, 8, 16, 64, 128, 512)
"""Six lengths of a hash's message, in bytes."""


def cases(row: Row) -> tuple[Case, ...]:
    """Those of the six lengths for which the board has a figure; otherwise the shortest it has."""
    if row.kind is Kind.HASH:
        wanted = [Case(Operation.HASH, 0, m) for m in _HASHED]
    else:
        wanted = [Case(op, ad, m) for op in (Operation.ENC, Operation.DEC) for ad, m in PAIRS]
    found = tuple(case for case in wanted if case in row.figures)
    return found or tuple(sorted(row.figures, key=lambda case: case.ad + case.m)[:1])


def cover(
    clone: Clone,
    nist: NistBoard,
    catalogue: Catalogue,
    only: Sequence[str],
    levels: Sequence[str],
    every: int,
    workers: int | None,
    progress: Progress,
) -> Coverage:
    """Tries a board's pairs; `only` are shell patterns for variants, `levels` flags such as -O2,
    all if empty; every Nth pair is tried, as given by `every`.

    Raises `UserError`: a missing or broken file, a missing compiler, nothing to try.
    """
    board = board_with_compiler(nist.board, catalogue)
    rows = [
        row
        for row in clone.rows(nist.id)
        if row.figures
        and (not levels or row.level in levels)
        and (not only or any(fnmatchcase(row.variant, pattern) for pattern in only))
    ][::every]
    if not rows:
        raise UserError(f"--only: no row of {nist.id} matches; remove a filter")
    with snapshot_scope():
        planned = [
            plan(_pair(row, nist), clone.package(row), clone.root, board, cases(row), catalogue)
            for row in rows
        ]
    return tried(nist.title, planned, board, workers, progress)


def _pair(row: Row, nist: NistBoard) -> Pair:
    return Pair(
        kind=row.kind,
        variant=row.variant,
        implementation=row.implementation,
        board=nist.board,
        flags=f"{row.level} {nist.flags}".strip(),
    )
