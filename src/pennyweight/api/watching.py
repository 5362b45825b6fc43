"""Measures again each time that a file of an implementation changes."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from pennyweight.api.listing import choose_implementations
from pennyweight.api.measuring import choose_boards, finish_in_order, measure_jobs
from pennyweight.api.options import count, some
from pennyweight.api.requests import MeasureRequest
from pennyweight.build.failure import BuildError
from pennyweight.build.sources import collect
from pennyweight.catalogue import Catalogue, load
from pennyweight.model import JobResult, UserError
from pennyweight.progress import Progress

_DEBOUNCE_MS = 300
"""Editors write a file in several steps; events within this time are one change."""

_TIMEOUT_MS = 250
"""How long to wait for a change before `stop` is checked again."""


@dataclass(frozen=True, slots=True)
class Round:
    """One measurement, or the reason of its failure; `changed` are the files that triggered it."""

    results: list[JobResult]
    problem: str = ""
    changed: tuple[Path, ...] = ()


def rounds(
    request: MeasureRequest, progress: Progress | None = None, stop: Event | None = None
) -> Iterator[Round]:
    """Measures, then measures again after each change, until `stop` is set or Ctrl-C.

    Raises `UserError` if `request` is wrong at the start. Later errors are a round's `problem`: a
    half-edited file is normal.
    """
    from watchfiles import watch

    catalogue = load()
    changes_of = watch(
        *folders_of(request, catalogue),
        stop_event=stop,
        debounce=_DEBOUNCE_MS,
        rust_timeout=_TIMEOUT_MS,
        yield_on_timeout=True,
    )
    # Watching starts here: an edit during the first measurement must not be lost.
    edited = next(changes_of, set())
    yield Round(_measured(request, catalogue, progress))
    for changes in itertools.chain([edited], changes_of):
        if not changes:
            continue
        changed = tuple(sorted(Path(path) for _, path in changes))
        try:
            yield Round(_measured(request, load(), progress), changed=changed)
        except UserError as error:
            yield Round([], str(error), changed)


def folders_of(request: MeasureRequest, catalogue: Catalogue) -> list[Path]:
    """The folders of all files that the measurements are built from, without nested ones.

    Raises `UserError`.
    """
    found: set[Path] = set()
    for implementation in choose_implementations(catalogue, some(request.names, "names")):
        found.add(implementation.folder.resolve())
        if implementation.problem:
            continue
        try:
            sources = collect(implementation)
            found.update(path.resolve().parent for _, path in sources.files())
        except BuildError:
            # The first round reports it; what is in the folder is watched all the same.
            continue
    for board in choose_boards(catalogue, some(request.boards, "boards")):
        found.add(board.path.resolve().parent)
    return _outermost(found)


def _outermost(folders: Iterable[Path]) -> list[Path]:
    """Folders are watched with all below them."""
    chosen: list[Path] = []
    for folder in sorted(folders):
        if not any(folder.is_relative_to(each) for each in chosen):
            chosen.append(folder)
    return chosen


def _measured(
    request: MeasureRequest, catalogue: Catalogue, progress: Progress | None
) -> list[JobResult]:
    planned = measure_jobs(request, catalogue)
    return [each.result for each in finish_in_order(planned, count(request.jobs, "jobs"), progress)]
