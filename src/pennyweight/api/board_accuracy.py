"""Compares the simulator with a connected board on a fixed set of calls."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from fnmatch import fnmatchcase
from pathlib import Path

from pennyweight.accuracy.board_errors import CallError, page, pair, write
from pennyweight.accuracy.instruction_classes import shares
from pennyweight.api.compilers import build_missing
from pennyweight.api.measuring import cases_for, choose_boards
from pennyweight.api.options import count, texts
from pennyweight.api.real_boards import Bench, benches
from pennyweight.api.requests import AccuracyRequest
from pennyweight.campaign.engine import Tally, run_campaign
from pennyweight.campaign.plan import Plan, PlannedJob, planned
from pennyweight.campaign.record import campaign_record
from pennyweight.catalogue import Catalogue, Implementation
from pennyweight.catalogue.boards import Board
from pennyweight.catalogue.offers import boards_offering, is_offered
from pennyweight.job import Job
from pennyweight.measure.call_analysis import profile_case
from pennyweight.model import Kind, Measurement, UserError
from pennyweight.progress import Progress
from pennyweight.store import ResultStore, open_store
from pennyweight.store.atomic import make_folder
from pennyweight.store.reading import open_results
from pennyweight.studies import Study
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

_COLUMNS = tuple(each.name for each in fields(Measurement))


@dataclass(frozen=True, slots=True)
class BoardAccuracy:
    """The comparison with one board, and its page."""

    board: Board
    device: str
    errors: list[CallError]
    reasons: list[str]
    path: Path


def compare_board(
    request: AccuracyRequest, catalogue: Catalogue, progress: Progress | None = None
) -> list[BoardAccuracy]:
    """Measures the fixed set in the simulator and on the board at a place; writes a page for each
    of the request's boards that its part matches.

    The jobs are stored like those of a study, so an interrupted comparison continues, and reports
    show both sides. Raises `UserError`, and `DeviceError` if the board or the connection fails.
    """
    if request.every != "1":
        raise UserError("--every works with --nist only; remove it")
    boards = choose_boards(catalogue, texts(request.boards, "boards"))
    workers, only = count(request.jobs, "jobs"), texts(request.only, "only")
    every = [
        each
        for algorithm in ALGORITHMS
        for each in catalogue.find(algorithm)
        if not only or any(fnmatchcase(each.id, f"{word}*") for word in only)
    ]
    if not every:
        raise UserError(
            f"--only: no implementation of {', '.join(ALGORITHMS)} matches {', '.join(only)}"
        )
    boards = boards_offering(every, boards, only)
    places = benches(boards, request.on, request.yes, request.repeats, request.supply)
    build_missing(bench.board for bench in places)
    store = open_store(request.results or "results")
    store.prepare()
    output = Path(request.output or ".")
    make_folder(output)
    found = []
    for bench in places:
        board = next(each for each in boards if each.sha256 == bench.board.sha256)
        chosen = [each for each in every if is_offered(each, board, only)]
        simulated, measured = _jobs(Bench(board), chosen), _jobs(bench, chosen)
        plan = Plan([*simulated, *measured], {})
        store.add_campaign(
            _study(board).id, campaign_record(_study(board), plan, store.campaigns())
        )
        run_campaign(simulated, store, Tally(), workers, progress)
        run_campaign(measured, store, Tally(), 1, progress)
        store.refresh()
        errors, reasons = pair(
            _rows(store, simulated), _rows(store, measured), _shares(board, chosen)
        )
        text = page(board.title, bench.device, errors, reasons)
        path = write(output, board.id, text)
        found.append(BoardAccuracy(board, bench.device, errors, reasons, path))
    return found


def _jobs(bench: Bench, implementations: Sequence[Implementation]) -> list[PlannedJob]:
    return [
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


def _study(board: Board) -> Study:
    """The comparison as a study, under which a report shows it."""
    cases = [
        {"name": kind.value, "kind": kind, "ad": 0, "m": [m for _, m in LENGTHS]}
        for kind in (Kind.AEAD, Kind.HASH)
    ]
    return Study.model_validate(
        {
            "id": re.sub("[^a-z0-9-]", "-", f"accuracy-{board.id}")[:60],
            "title": f"Simulator and board: {board.title}",
            "about": "The fixed set of implementations that `pennyweight accuracy --on` measures "
            "in the simulator and on a connected board.",
            "boards": (board.id,),
            "algorithms": ALGORITHMS,
            "flags": (FLAGS,),
            "verify": "quick",
            "cases": cases,
        }
    )


def _rows(store: ResultStore, jobs: Sequence[PlannedJob]) -> list[Measurement]:
    """The stored rows of jobs, in their order; those of failed jobs have a reason."""
    order = {job.key: i for i, job in enumerate(jobs)}
    with open_results(store, with_symbols=False) as results:
        found = results.query(
            f"SELECT job, {', '.join(_COLUMNS)} FROM measurements WHERE list_contains(?, job)",
            [list(order)],
        ).to_pylist()
    found.sort(key=lambda row: (order[row["job"]], row["op"], row["ad"], row["m"]))
    return [Measurement(**{name: row[name] for name in _COLUMNS}) for row in found]


def _shares(
    board: Board, implementations: Sequence[Implementation]
) -> dict[tuple[str, str], dict[str, float]]:
    """The instruction mix of each implementation and operation at the largest length."""
    found = {}
    for each in implementations:
        for case in cases_for(each, LENGTHS[-1:]):
            profile = profile_case(Job(each, board, FLAGS, [case]))
            if not isinstance(profile, Failure):
                found[each.id, case.op.value] = shares(family(board), profile.profile.mix)
    return found
