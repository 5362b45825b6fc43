"""Imports results that third parties measured, with their source.

Imported results are a results folder, so that `pennyweight compare` can compare them with simulated
cycles. They need a separate folder, because a row of a real board would replace the simulated row
of the same name.
"""

from __future__ import annotations

from dataclasses import dataclass

from pennyweight.benchmarks import EXTERNAL, REAL_BOARD
from pennyweight.model import UserError
from pennyweight.store import ResultStore
from pennyweight.store.reading import open_results

_OURS = f"simulator_version <> '{REAL_BOARD}' AND NOT starts_with(simulator_version, '{EXTERNAL}')"


@dataclass(frozen=True, slots=True)
class Imported:
    """The rows imported from one board."""

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
            f"--results: {store.folder} has simulated results; use a separate folder for imported "
            "results, such as --results imported"
        )
