"""Copies an implementation, measures the copy, and writes it with its figures."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from pennyweight.api.measuring import finish_in_order, measure_jobs
from pennyweight.api.options import count, some
from pennyweight.api.requests import MeasureRequest, VendorRequest
from pennyweight.catalogue import Catalogue, Implementation
from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.model import JobResult, Status, UserError
from pennyweight.paths import expand_user
from pennyweight.progress import Progress
from pennyweight.standalone import check_target, package, place_in, readme, write

_ALLOWED = (
    *(Status.OK, Status.BUILD_FAILED, Status.DOES_NOT_FIT, Status.SKIPPED),
    *(Status.OUT_OF_CYCLES, Status.STACK_OVERFLOW),
)
"""Accepted outcomes of a measurement, which the README states: a small part may lack memory or
time.
"""


@dataclass(frozen=True, slots=True)
class Copy:
    """A written copy, and for each board where it was not measured the reason."""

    folder: Path
    unmeasured: dict[str, str]


def vendor(request: VendorRequest, catalogue: Catalogue, progress: Progress) -> Copy:
    """Writes the copy. If it raises UserError, nothing was written.

    The copy is measured in a temporary folder before it is moved into place.
    """
    implementation = _implementation(request.name, catalogue)
    files = package(implementation, request.api)
    into = expand_user(request.into)
    place = place_in(implementation)
    check_target(into, place, request.force)
    with tempfile.TemporaryDirectory(prefix="pennyweight-") as folder:
        write(files, Path(folder) / place)
        results = _measure(request, Path(folder) / place, catalogue, progress)
    text = readme(implementation, list(files), request.api, results)
    write({**files, "README.md": text}, into / place)
    rows = [row for each in results for row in each.measurements]
    measured = {row.board for row in rows if row.status == Status.OK}
    unmeasured = {
        row.board: f"{row.status}; {row.reason}" for row in rows if row.board not in measured
    }
    return Copy(into / place, unmeasured)


def _implementation(name: str, catalogue: Catalogue) -> Implementation:
    """The bundled implementation of a name. Raises UserError."""
    known = {each.id: each for each in catalogue.implementations}
    found = known.get(name) or known.get(name.casefold())
    if found is not None:
        return found
    of_algorithm = [each.id for each in catalogue.implementations if each.algorithm == name]
    if of_algorithm:
        raise UserError(f"{name}: this is an algorithm; choose one of {', '.join(of_algorithm)}")
    raise UserError(
        f"unknown implementation '{name}':{did_you_mean(name, known)} "
        "`pennyweight implementations` lists them"
    )


def _measure(
    request: VendorRequest, folder: Path, catalogue: Catalogue, progress: Progress
) -> list[JobResult]:
    """Measures a copy on the boards asked for. Raises UserError if it gives a wrong answer."""
    boards = some(request.boards, "boards")
    if boards == ["none"]:
        return []
    asked = MeasureRequest(
        str(folder), boards, flags=request.flags, lengths=request.lengths, jobs=request.jobs
    )
    planned = measure_jobs(asked, catalogue)
    results = [
        each.result for each in finish_in_order(planned, count(request.jobs, "jobs"), progress)
    ]
    for result in results:
        for row in result.measurements:
            if row.status not in _ALLOWED:
                raise UserError(
                    f"{request.name} on {row.board}, {row.flags}: {row.status} ({row.reason}); "
                    "nothing was written"
                )
    return results
