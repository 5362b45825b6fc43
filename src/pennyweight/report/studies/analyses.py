"""The analyses on a study's page: one module each in `sections/`."""

from __future__ import annotations

from pathlib import Path

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
