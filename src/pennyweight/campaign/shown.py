"""The analyses that a study's page can show: one module each in `report/studies/sections/`.

The folder is read, not imported: a study can be checked without what draws its page.
"""

from __future__ import annotations

from importlib.resources import files

from pennyweight.catalogue.suggest import did_you_mean

FOLDER = ("report", "studies", "sections")


def analyses() -> list[str]:
    """The names that `shows` of a study may have: those of the modules, in alphabetical order."""
    folder = files("pennyweight").joinpath(*FOLDER)
    found = (each.name for each in folder.iterdir())
    return sorted(
        name.removesuffix(".py").replace("_", "-")
        for name in found
        if name.endswith(".py") and not name.startswith("_")
    )


def check_shown(names: tuple[str, ...]) -> None:
    """Raises ValueError with a sentence for a name that is no analysis, or stands there twice."""
    known = analyses()
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known) or f" the known ones are {', '.join(known)}"
            raise ValueError(f"unknown analysis '{name}':{hint}")
        if names.count(name) > 1:
            raise ValueError(f"'{name}' stands there twice: remove one")
