"""Compares simulated boards with NIST's measurements on real ones."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pennyweight.accuracy import page
from pennyweight.accuracy.run import BoardResult, read_every, run
from pennyweight.api.options import count, texts
from pennyweight.api.real_boards import refuse_without_place
from pennyweight.api.requests import AccuracyRequest
from pennyweight.benchmarks.nist import read_clone
from pennyweight.benchmarks.nist_boards import choose_boards
from pennyweight.catalogue import Catalogue
from pennyweight.model import UserError
from pennyweight.progress import Progress


@dataclass(frozen=True, slots=True)
class NistAccuracy:
    """The comparison with each board, and the written files."""

    results: list[BoardResult]
    files: list[Path]


def compare_nist(
    request: AccuracyRequest, catalogue: Catalogue, progress: Progress
) -> NistAccuracy:
    """Builds and runs the packages of a clone, and writes the page and its figures.

    Raises `UserError`: a missing or broken file, a missing compiler, an option for real boards.
    """
    if request.nist is None:
        raise UserError("give --nist PATH, the clone of NIST's benchmarks")
    if request.results is not None:
        raise UserError("--results works with --on only; remove it")
    refuse_without_place(request.on, request.yes, request.repeats, request.supply)
    clone = read_clone(str(request.nist))
    boards = choose_boards(texts(request.boards, "boards"), clone, catalogue)
    only, every = texts(request.only, "only"), read_every(request.every, boards)
    workers = count(request.jobs, "jobs")
    results = run(clone, boards, catalogue, only, workers, progress, every)
    return NistAccuracy(results, page.write(results, Path(request.output or "docs"), only))
