"""The simulator as a machine."""

from __future__ import annotations

from pennyweight._simulator import Machine as SimulatedMachine
from pennyweight.build import Program
from pennyweight.catalogue.boards import Board
from pennyweight.target.interface import Machine, RefusedImageError


def simulate(board: Board, program: Program) -> Machine:
    """A program on a simulated board.

    Raises `UserError` if the simulator rejects the board, `RefusedImageError` if it rejects the
    image.
    """
    simulated = board.simulated()
    try:
        return SimulatedMachine(simulated, program.elf)
    except ValueError as error:
        raise RefusedImageError(str(error)) from None
