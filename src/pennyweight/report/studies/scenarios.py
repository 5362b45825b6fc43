"""The named cases of a study with a single pair of lengths, and the best builds for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pennyweight.analysis.choice import balanced
from pennyweight.model import Kind
from pennyweight.report.studies.view import StudyView

METRICS = {"flash": "Code", "ram_and_stack": "RAM", "cycles": "Time"}
"""The metrics of a scenario, FELICS's three: bytes of flash, of static RAM and stack, cycles."""

_BUILDS = """
SELECT algorithm, title, board, implementation, flags, cycles, flash, ram, stack,
       ram + stack AS ram_and_stack, job
FROM study_rows
WHERE kind = 'aead' AND op = 'enc' AND ad = ? AND m = ? AND cycles IS NOT NULL
  AND flash IS NOT NULL AND ram IS NOT NULL
ORDER BY board, algorithm, cycles, implementation, flags
"""


@dataclass(frozen=True, slots=True)
class Named:
    """A named case of an AEAD; lengths in bytes."""

    name: str
    title: str
    ad: int
    m: int


def named_cases(view: StudyView) -> list[Named]:
    """The study's named AEAD cases with a single pair of lengths, in order."""
    found = []
    for group in view.record.get("scenarios", []):
        lengths = {(ad, m) for _, ad, m in group["cases"]}
        if Kind(group["kind"]) is Kind.AEAD and len(lengths) == 1:
            ((ad, m),) = lengths
            found.append(Named(str(group["name"]), str(group.get("title", "")), ad, m))
    return found


def balanced_builds(view: StudyView, case: Named) -> dict[tuple[str, str], dict[str, Any]]:
    """By algorithm and board, the build that is best at equal weights of flash, RAM and time.

    The smallest values, which all values are divided by, are those of all builds on the board.
    """
    by_board: dict[str, list[dict[str, Any]]] = {}
    for row in view.query(_BUILDS, case.ad, case.m):
        by_board.setdefault(row["board"], []).append(row)
    found = {}
    for board, rows in by_board.items():
        least = {metric: float(min(row[metric] for row in rows)) for metric in METRICS}
        for algorithm in dict.fromkeys(row["algorithm"] for row in rows):
            own = [row for row in rows if row["algorithm"] == algorithm]
            best = balanced(own, METRICS, least)
            assert best is not None
            found[algorithm, board] = dict(best) | {
                f"least_{metric}": value for metric, value in least.items()
            }
    return found
