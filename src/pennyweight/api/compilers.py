"""Compilers that Pennyweight builds: on request, or because a requested board needs one."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from pennyweight.catalogue import Board
from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.model import UserError
from pennyweight.pool import available_cores
from pennyweight.progress import Bar, Progress, wants_bar
from pennyweight.toolchains import FAMILIES, building, family
from pennyweight.toolchains.recipes.arm_none_eabi_gcc_7 import ARM_GCC_7
from pennyweight.toolchains.recipes.recipe import Recipe

OLDER = {ARM_GCC_7.name: ARM_GCC_7}
"""Recipes of compilers that other projects used, to compare with; no board requires them."""


class _Lines:
    """Progress without a terminal: a line for each stage."""

    def start(self, total: int) -> None:
        """Does nothing: the number of compiler output lines is of no interest."""

    def working_on(self, title: str) -> None:
        """Prints the stage that starts."""
        print(f"pennyweight: {title}", file=sys.stderr, flush=True)

    def step(self) -> None:
        """Does nothing."""


def build_toolchain(name: str, jobs: int | None = None, source: Path | None = None) -> Path:
    """Builds a family's compiler, unless it has been built from the sources on this machine.

    `name` is the family's or its firmware folder's (``msp430``), or one of `OLDER`. `source` is an
    archive of its sources, if no package provides them. Raises UserError.
    """
    if name in OLDER:
        if source is not None:
            building.bring(OLDER[name], source)
        return _build(name, OLDER[name], jobs)
    built = {each.firmware: each for each in FAMILIES.values() if each.recipe is not None}
    names = {**built, **{each.name: each for each in built.values()}}
    if name in names:
        found = names[name]
        assert found.recipe is not None
        if source is not None:
            building.bring(found.recipe, source)
        return _build(found.name, found.recipe, jobs)
    known = (*names, *OLDER)
    if name in FAMILIES:
        raise UserError(
            f"Pennyweight does not build {name}: install it with {FAMILIES[name].remedy()}"
        )
    raise UserError(
        f"unknown toolchain '{name}':{did_you_mean(name, known) or ' known are '}"
        f"{'' if did_you_mean(name, known) else ', '.join((*built, *OLDER))}"
    )


def build_missing(boards: Iterable[Board], jobs: int | None = None) -> None:
    """Builds the missing compilers that these boards need, if Pennyweight can build them.

    If packages for the build are missing, nothing is built; the measurements on the board then list
    them. Raises UserError if a build fails.
    """
    for name in dict.fromkeys(family(board).name for board in boards):
        wanted = FAMILIES[name]
        recipe = wanted.recipe
        if recipe is not None and wanted.locate() is None and not recipe.missing_packages():
            _build(name, recipe, jobs)


def _build(name: str, recipe: Recipe, jobs: int | None) -> Path:
    workers = jobs or available_cores()
    if wants_bar():
        with Bar(f"Building {name}") as bar:
            return building.build(recipe, workers, bar)
    lines: Progress = _Lines()
    if building.find(recipe) is None:
        lines.working_on(f"building {name}, {recipe.minutes} minutes, once")
    return building.build(recipe, workers, lines)
