"""FELICS's Figure of Merit of a study's algorithms, at equal weights."""

from __future__ import annotations

from pennyweight.analysis.merit import figures_of_merit
from pennyweight.report.studies.scenarios import METRICS, balanced_builds, named_cases
from pennyweight.report.studies.view import StudyView

EQUAL = dict.fromkeys(METRICS, 1.0)

Values = dict[str, dict[str, dict[str, float]]]
"""Maps algorithm, board and metric to a value."""


def merits(
    view: StudyView,
) -> dict[str, tuple[Values, dict[str, dict[str, float]], dict[str, float]]]:
    """By scenario: the values, the smallest ones by board, and the figures at equal weights."""
    found = {}
    for case in named_cases(view):
        values: Values = {}
        minima: dict[str, dict[str, float]] = {}
        for (algorithm, board), row in balanced_builds(view, case).items():
            values.setdefault(algorithm, {})[board] = {m: float(row[m]) for m in METRICS}
            minima[board] = {m: row[f"least_{m}"] for m in METRICS}
        if values:
            found[case.name] = (values, minima, figures_of_merit(values, EQUAL, minima))
    return found
