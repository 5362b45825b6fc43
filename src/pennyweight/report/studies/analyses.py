"""The analyses that a study's page can show: one module each in `sections/`."""

from __future__ import annotations

from pathlib import Path

_SECTIONS = Path(__file__).parent / "sections"


def analyses() -> list[str]:
    """The names that `shows` of a study may have: those of the modules, in alphabetical order.

    The folder is listed, not imported: a study can be checked without what draws its page.
    """
    return sorted(
        path.stem.replace("_", "-")
        for path in _SECTIONS.glob("*.py")
        if not path.name.startswith("_")
    )
