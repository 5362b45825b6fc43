"""What the fields `meant_for` and `assembly` of manifests may name."""

from __future__ import annotations

import functools
from typing import Annotated

from pydantic import AfterValidator, Field

from pennyweight.catalogue.cores import bundled_cores, load_core
from pennyweight.catalogue.root import data_root
from pennyweight.catalogue.suggest import did_you_mean


def _known(names: tuple[str, ...]) -> tuple[str, ...]:
    for name in names:
        if name not in _files() and name not in _instruction_sets():
            known = {*_files(), *_instruction_sets()}
            raise ValueError(
                f"'{name}' is not a board, a core, an instruction set or a family of cores:"
                f"{did_you_mean(name, known)} use a name of boards/ or cores/, an "
                "'instruction_set' of cores/, or a folder of firmware/ such as 'avr'"
            )
    return names


@functools.cache
def _files() -> frozenset[str]:
    """The bundled boards and cores, and the families of cores, whose start-up code is in a folder
    of that name.
    """
    root = data_root()
    boards = (path.stem for path in (root / "boards").glob("*.toml"))
    families = (path.parent.name for path in (root / "firmware").glob("*/start.*"))
    return frozenset((*boards, *bundled_cores(), *families))


@functools.cache
def _instruction_sets() -> frozenset[str]:
    return frozenset(load_core(path).file.instruction_set for path in bundled_cores().values())


def _known_instruction_sets(names: tuple[str, ...]) -> tuple[str, ...]:
    known = _instruction_sets()
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known) or f" known are {', '.join(sorted(known))}"
            raise ValueError(f"'{name}' is not an instruction set of a core in cores/:{hint}")
    return names


MeantFor = Annotated[tuple[str, ...], AfterValidator(_known)]
"""Names of boards, cores, instruction sets or families of cores."""

InstructionSets = Annotated[
    tuple[str, ...], Field(min_length=1), AfterValidator(_known_instruction_sets)
]
"""Names of instruction sets, at least one."""
