"""What analyses need to know of a board and of an algorithm, kept with the results.

A campaign stores these beside its rows, so that a results folder can be read on a machine that
has neither the board's file nor the algorithm's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from pennyweight.catalogue import Algorithm, Board

DEFAULT_BLOCK = 64
"""Bytes. Where an algorithm's block is not known: a multiple of the block sizes up to 64."""


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """A board: clock in Hz, memories in bytes, current in mA at run, voltage in V."""

    id: str
    title: str
    part: str = ""
    bits: int = 0
    core: str = ""
    hz: int | None = None
    flash_bytes: int | None = None
    ram_bytes: int | None = None
    current_ma: float | None = None
    voltage_v: float | None = None


@dataclass(frozen=True, slots=True)
class AlgorithmFacts:
    """An algorithm: sizes in bytes; `block` is 0 where it is not known."""

    name: str
    title: str
    family: str = ""
    kind: str = ""
    block: int = 0
    status: str = ""


def board_facts(board: Board) -> BoardFacts:
    """The facts of a board's file."""
    energy = board.energy
    return BoardFacts(
        id=board.id,
        title=board.title,
        part=board.part,
        bits=board.bits,
        core=board.core,
        hz=board.hz,
        flash_bytes=board.flash.size,
        ram_bytes=board.ram.size,
        current_ma=energy.current_ma if energy else None,
        voltage_v=energy.voltage_v if energy else None,
    )


def algorithm_facts(algorithm: Algorithm) -> AlgorithmFacts:
    """The facts of an algorithm's file."""
    variant = algorithm.variant
    return AlgorithmFacts(
        name=variant.name,
        title=variant.title,
        family=algorithm.family,
        kind=variant.kind.value,
        block=variant.block,
        status=variant.status,
    )


T = TypeVar("T", BoardFacts, AlgorithmFacts)


def facts_from(record: type[T], values: Mapping[str, Any]) -> T:
    """Facts from what :func:`dataclasses.asdict` made of them; unknown keys are left out."""
    names = {field.name for field in fields(record)}
    return record(**{name: value for name, value in values.items() if name in names})


def by_id(boards: Iterable[BoardFacts]) -> dict[str, BoardFacts]:
    """Boards by their id; of several with one id the last."""
    return {board.id: board for board in boards}
