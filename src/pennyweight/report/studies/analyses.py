"""The analyses on a study's page: one module each in `sections/`."""

from __future__ import annotations

from pathlib import Path

SECTION = "section"
"""The function of each module that writes its section of the page."""

_SECTIONS = Path(__file__).parent / "sections"


def analyses() -> list[str]:
    """The allowed names in `shows` of a study: those of the modules, in alphabetical order.

    The folder is listed, not imported, so that a study can be validated without drawing libraries.
    """
    return sorted(
        path.stem.replace("_", "-")
        for path in _SECTIONS.glob("*.py")
        if not path.name.startswith("_")
    )


def module_of(name: str) -> str:
    """The module of an analysis, relative to `pennyweight`."""
    return f"report.studies.sections.{name.replace('-', '_')}"
