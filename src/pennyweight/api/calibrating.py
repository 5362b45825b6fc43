"""Finds the memory timing of a connected part, or of a simulated one as a trial."""

from __future__ import annotations

from pennyweight.api.measuring import choose_boards
from pennyweight.api.options import some
from pennyweight.api.real_boards import benches
from pennyweight.api.requests import CalibrateRequest
from pennyweight.calibration.benchmarks import build_benchmarks
from pennyweight.calibration.run import CalibrationResult, calibrate
from pennyweight.catalogue import Catalogue
from pennyweight.catalogue.boards import Board
from pennyweight.devices.errors import CounterError
from pennyweight.model import UserError
from pennyweight.progress import Progress
from pennyweight.target.interface import Loader
from pennyweight.target.simulated import simulate

SIMULATOR = "simulator:"
"""Prefix of a place that is a simulated board, for a trial without hardware."""


def calibrate_board(
    request: CalibrateRequest, catalogue: Catalogue, progress: Progress
) -> CalibrationResult:
    """Runs the micro-benchmarks on the part at a place and fits its memory timing.

    Raises `UserError`, and `DeviceError` if the part or the connection fails.
    """
    if request.on is None:
        raise UserError(
            "give --on PLACE, such as --on probe, or --on simulator:BOARD as a trial; "
            "`pennyweight devices` lists the connected boards"
        )
    on = request.on
    chosen = choose_boards(catalogue, some(request.boards, "boards"))
    if len(chosen) != 1:
        raise UserError("--board: give one board; calibrate measures one part")
    [board] = chosen
    build_benchmarks(board)
    if on.startswith(SIMULATOR):
        _refuse_real_options(request)
        hidden = catalogue.board(on.removeprefix(SIMULATOR))
        _check_alike(board, hidden, on)
        device = f"a simulated {hidden.title}"
        return calibrate(board, _simulated(hidden), device, 1, progress)
    [bench] = benches([board], on, request.yes, request.repeats, request.supply)
    from pennyweight.devices.connect import shared

    # The board's name in results differs from its file's; the part's loader knows the latter.
    connected = shared(on, board).device
    try:
        return calibrate(board, connected.load, bench.device, bench.repeats, progress)
    except CounterError as error:
        raise UserError(f"memory timing not determined: {error}") from None


def _refuse_real_options(request: CalibrateRequest) -> None:
    """Raises `UserError` for options of real boards, which a simulated one does not have."""
    given = {
        "--yes": request.yes,
        "--repeats": request.repeats is not None,
        "--supply": request.supply is not None,
    }
    for name, is_given in given.items():
        if is_given:
            raise UserError(f"{name} is for real boards only; remove it, or give another --on")


def _simulated(hidden: Board) -> Loader:
    """A loader of programs on another board than the one they are built for."""
    return lambda _, program: simulate(hidden, program)


def _check_alike(board: Board, hidden: Board, on: str) -> None:
    """Raises `UserError` if a program for one board does not run on the other."""
    for what, own, other in (
        ("core", board.core, hidden.core),
        ("address of flash", hex(board.flash.base), hex(hidden.flash.base)),
        ("address of RAM", hex(board.ram.base), hex(hidden.ram.base)),
    ):
        if own != other:
            raise UserError(
                f"--on {on}: its {what} is {other}, but that of {board.id} is {own}; give a board "
                "that differs only in its timing"
            )
