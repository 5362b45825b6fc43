"""Compares the simulator with a connected board on a fixed set of calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from pennyweight.accuracy.board_errors import CallError, page, pair, write
from pennyweight.accuracy.instruction_classes import shares
from pennyweight.api.measuring import cases_for, finish_in_order
from pennyweight.api.real_boards import Bench, benches
from pennyweight.campaign.plan import planned
from pennyweight.catalogue import Catalogue, Implementation
from pennyweight.catalogue.boards import Board
from pennyweight.job import Job
from pennyweight.measure.observed import profile_case
from pennyweight.model import Measurement, UserError
from pennyweight.progress import Progress
from pennyweight.target import Failure
from pennyweight.toolchains import family

ALGORITHMS = (
    "aes-128-gcm",
    "ascon-aead128",
    "chacha20-poly1305",
    "gift-cofb",
    "sha-256",
    "tinyjambu-128",
)
"""Tables and multiplications in GF(2), 64-bit logic, additions and multiplications, bit slices,
additions with rotations, shifts of short registers."""

LENGTHS = ((0, 16), (0, 128))
FLAGS = "-O2"


@dataclass(frozen=True, slots=True)
class BoardAccuracy:
    """The comparison with one board, and its page."""

    board: Board
    device: str
    errors: list[CallError]
    reasons: list[str]
    path: Path


def compare_board(
    catalogue: Catalogue,
    boards: Sequence[Board],
    on: str,
    yes: bool,
    repeats: int | None,
    supply: str | None,
    only: Sequence[str],
    folder: Path,
    workers: int | None = None,
    progress: Progress | None = None,
) -> list[BoardAccuracy]:
    """Measures the fixed set in the simulator and on the board at a place; writes a page for each
    of `boards` that its part matches.

    Raises `UserError`, and `DeviceError` if the board or the connection fails.
    """
    chosen = [
        each
        for algorithm in ALGORITHMS
        for each in catalogue.find(algorithm)
        if not only or any(fnmatchcase(each.id, f"{word}*") for word in only)
    ]
    if not chosen:
        raise UserError(
            f"--only: no implementation of {', '.join(ALGORITHMS)} matches {', '.join(only)}"
        )
    found = []
    for bench in benches(boards, on, yes, repeats, supply):
        board = next(each for each in boards if each.sha256 == bench.board.sha256)
        simulated = _measure(Bench(board), chosen, workers, progress)
        measured = _measure(bench, chosen, 1, progress)
        errors, reasons = pair(simulated, measured, _shares(board, chosen))
        text = page(board.title, bench.device, errors, reasons)
        path = write(folder, board.id, text)
        found.append(BoardAccuracy(board, bench.device, errors, reasons, path))
    return found


def _measure(
    bench: Bench,
    implementations: Sequence[Implementation],
    workers: int | None,
    progress: Progress | None,
) -> list[Measurement]:
    jobs = [
        planned(
            Job(
                each,
                bench.board,
                FLAGS,
                cases_for(each, LENGTHS),
                "quick",
                on=bench.on,
                device=bench.device,
                repeats=bench.repeats,
            )
        )
        for each in implementations
    ]
    ended = finish_in_order(jobs, workers, progress)
    return [row for finished in ended for row in finished.result.measurements]


def _shares(
    board: Board, implementations: Sequence[Implementation]
) -> dict[tuple[str, str], dict[str, float]]:
    """The instruction mix of each implementation and operation at the largest length."""
    found = {}
    folder = family(board).firmware
    for each in implementations:
        for case in cases_for(each, LENGTHS[-1:]):
            profile = profile_case(Job(each, board, FLAGS, [case]))
            if not isinstance(profile, Failure):
                found[each.id, case.op.value] = shares(folder, profile.profile.mix)
    return found
