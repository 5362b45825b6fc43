"""Studies by name, checked against the analyses that a report can show."""

from __future__ import annotations

from pennyweight import studies
from pennyweight.report.studies.analyses import analyses
from pennyweight.studies import Study


def find_study(name: str) -> Study:
    """A study by name, or by the path of its file. Raises UserError."""
    return studies.find_study(name, analyses())
