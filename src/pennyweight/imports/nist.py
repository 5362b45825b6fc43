"""NIST's benchmark: the CSV files of a clone as results."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from pennyweight.benchmarks import REAL_BOARD
from pennyweight.benchmarks.nist import ADDRESS, Clone, Row
from pennyweight.benchmarks.nist_boards import NistBoard
from pennyweight.build.inspection import sources_sha256
from pennyweight.catalogue import Catalogue
from pennyweight.catalogue.algorithms import by_alias
from pennyweight.catalogue.implementations import at_path
from pennyweight.imports import Imported
from pennyweight.model import JobResult, Measurement, Provenance, UserError
from pennyweight.store import ResultStore
from pennyweight.version import __version__

_FORMAT = 1
"""Increased when the written rows change."""


def import_nist(
    clone: Clone, boards: Sequence[NistBoard], catalogue: Catalogue, store: ResultStore
) -> Iterator[Imported]:
    """Adds the boards' rows to `store`, board by board. Raises `UserError`.

    Times are converted to cycles of the core (microseconds times its clock); flash is the
    benchmark's own difference from its empty program.
    """
    store.prepare()
    for board in boards:
        rows = clone.rows(board.id)
        for row in rows:
            if row.figures:
                store.add(_result(clone, board, row, catalogue))
        figures = sum(len(row.figures) for row in rows)
        yield Imported(board.board, board.title, sum(bool(row.figures) for row in rows), figures)


def _result(clone: Clone, board: NistBoard, row: Row, catalogue: Catalogue) -> JobResult:
    algorithm, sources = _identity(clone, row, catalogue)
    flags = f"{row.level} {board.flags}".strip()
    source = clone.source(board.id, row.kind)
    key = f"{_FORMAT} {source} {board} {row.kind} {algorithm} {row.id}"
    measurements = [
        Measurement(
            algorithm=algorithm,
            implementation=row.implementation,
            board=board.board,
            flags=flags,
            op=case.op.value,
            ad=case.ad,
            m=case.m,
            cycles=figure * board.cycles_per_unit,
            flash=row.flash,
        )
        for case, figure in sorted(row.figures.items())
    ]
    return JobResult(
        provenance=Provenance(
            job=hashlib.sha256(key.encode()).hexdigest(),
            sources_sha256=sources,
            board_sha256="",
            firmware_sha256="",
            compiler="",
            compiler_version=board.compiler,
            compiler_sha256="",
            simulator_version=REAL_BOARD,
            pennyweight_version=__version__,
            verified=f"measured by NIST on a real board, {board.title}: {ADDRESS}, {source}",
        ),
        measurements=measurements,
        notes=[f"figures in {board.unit}, {board.cycles_per_unit} cycles each; {board.why}"],
    )


def _identity(clone: Clone, row: Row, catalogue: Catalogue) -> tuple[str, str]:
    """The name under which `measure` has the row's algorithm, and the digest of its sources."""
    folder = clone.package(row)
    if folder is not None:
        try:
            [implementation] = at_path(folder, catalogue.algorithms)
        except UserError:
            pass
        else:
            return implementation.algorithm, sources_sha256(implementation)
    known = by_alias(row.variant, catalogue.algorithms, row.kind)
    return (known.name if known else row.variant.casefold()), ""
