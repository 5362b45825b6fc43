"""Takes over results that others measured on real boards, with their source.

Imported results are a results folder like any other, so that `pennyweight compare` can hold
simulated cycles against them. They are kept in a folder of their own: a row of a real board would
otherwise stand where the simulated one of the same name belongs.
"""

from __future__ import annotations

from dataclasses import dataclass

from pennyweight.benchmarks import REAL_BOARD, THEIRS
from pennyweight.model import UserError
from pennyweight.store import ResultStore
from pennyweight.store.reading import open_results

_OURS = f"simulator_version <> '{REAL_BOARD}' AND NOT starts_with(simulator_version, '{THEIRS}')"


@dataclass(frozen=True, slots=True)
class Imported:
    """What came from one board."""

    board: str
    title: str
    builds: int
    figures: int


def refuse_simulated(store: ResultStore) -> None:
    """Raises `UserError` if a folder has results that were not imported."""
    if not store.job_files():
        return
    with open_results(store) as results:
        others = results.query(f"SELECT count(*) AS n FROM measurements WHERE {_OURS}")
    if others["n"][0].as_py():
        raise UserError(
            f"--results: {store.folder} has simulated results; give imported ones a folder of "
            "their own, such as --results imported"
        )
