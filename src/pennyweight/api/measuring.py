"""Creates and runs the jobs of one-off measurements and verifications."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pennyweight import toolchains
from pennyweight.api.buildflags import all_flags, one_build
from pennyweight.api.compilers import build_missing
from pennyweight.api.listing import choose_implementations
from pennyweight.api.options import count, random_source, some, texts
from pennyweight.api.real_boards import benches
from pennyweight.api.requests import MeasureRequest, VerifyRequest
from pennyweight.api.sharing import shared
from pennyweight.campaign.engine import Finished, run_jobs
from pennyweight.campaign.plan import PlannedJob, planned
from pennyweight.catalogue import Board, Catalogue, Implementation
from pennyweight.catalogue.implementation import ONE_SHOT, PARTS
from pennyweight.catalogue.offers import boards_offering, has_own_code, is_offered
from pennyweight.job import DEFAULT_BUDGET, Job, Level
from pennyweight.lengths import pairs_of
from pennyweight.model import MOST_CASES, Case, Operation, UserError
from pennyweight.progress import Progress


def choose_boards(catalogue: Catalogue, names: Iterable[str | Path]) -> list[Board]:
    """Boards by name or by the path of their file; by default all bundled ones. Raises UserError.

    Does not build compilers, which takes minutes: the rest of the request is checked first.
    """
    chosen: dict[str, Board] = {}
    for name in names:
        board = catalogue.board(str(name))
        first = chosen.setdefault(board.id, board)
        if first.sha256 != board.sha256:
            raise UserError(
                f"{name}: field 'id': '{board.id}' is also the id of {first.path}; give each "
                "board a different id"
            )
    return list(chosen.values()) or list(catalogue.boards.values())


def parse_operations(text: str) -> list[Operation]:
    """Parses the operations given to ``--op``, such as ``enc,dec``. Raises UserError."""
    known = [each for kind in ONE_SHOT.values() for each in kind]
    chosen = []
    for word in text.split(","):
        if word.strip() not in known:
            raise UserError(f"--op: '{word.strip()}' is not an operation; use {', '.join(known)}.")
        chosen.append(Operation(word.strip()))
    return list(dict.fromkeys(chosen))


def cases_for(
    implementation: Implementation,
    lengths: Sequence[tuple[int, int]],
    operations: Sequence[Operation] | None = None,
    parts: bool = False,
) -> list[Case]:
    """The requested cases for one implementation, in the order of the lengths.

    By default all operations of its kind; otherwise those of `operations` that its kind has. Only
    an AEAD has associated data; for other kinds that length is ignored. `parts` adds the
    incremental functions; for implementations without them, the rows are skipped with that reason.
    Raises UserError if no operation applies.
    """
    own = implementation.operations()
    chosen = [op for op in own if operations is None or op in operations]
    if not chosen:
        asked = ", ".join(operations or ())
        raise UserError(
            f"{implementation.id} is of kind '{implementation.kind}' and has no operation {asked}: "
            f"use --op {','.join(own)} or remove --op."
        )
    if parts:
        chosen += implementation.parts() or PARTS[implementation.kind]
    if len(chosen) * len(lengths) > MOST_CASES:
        raise UserError(
            f"{implementation.id}: {len(chosen)} operations at {len(lengths):,} pairs of lengths "
            f"are more than the {MOST_CASES:,} cases of a job; give fewer lengths or operations"
        )
    has_ad = implementation.takes_ad
    cases = [Case(op, ad if has_ad else 0, m) for op in chosen for ad, m in lengths]
    return list(dict.fromkeys(cases))


def measure_jobs(request: MeasureRequest, catalogue: Catalogue) -> list[PlannedJob]:
    """The jobs of a one-off measurement: every implementation, board and set of flags.

    Missing compilers are built, after everything else has been checked. Raises UserError.
    """
    names = some(request.names, "names")
    implementations = shared(choose_implementations(catalogue, names), request.shares)
    boards = choose_boards(catalogue, some(request.boards, "boards"))
    boards = boards_offering(implementations, boards, names, requested=True)
    flags = all_flags(request.flags, request.flags_from)
    lengths = pairs_of(request.lengths)
    operations = None if request.op is None else parse_operations(",".join(some(request.op, "op")))
    budget = count(request.budget, "budget") or DEFAULT_BUDGET
    warm = count(request.warm, "warm") or 1
    level = request.verify
    if isinstance(level, bool):
        level = "full" if level else "none"
    wanted = [
        (each, cases_for(each, lengths, operations, request.parts)) for each in implementations
    ]
    compilers = toolchains.check_compilers(boards, texts(request.compilers, "compilers"))
    places = benches(boards, request.on, request.yes, request.repeats, request.supply, budget)
    build_missing(bench.board for bench in places)
    return [
        planned(
            Job(
                implementation,
                bench.board,
                each,
                cases,
                level,
                budget,
                compiler,
                on=bench.on,
                device=bench.device,
                repeats=bench.repeats,
                random=random_source(request.random),
                warm=warm,
            )
        )
        for implementation, cases in wanted
        for bench in places
        if is_offered(implementation, bench.board, names)
        for compiler in toolchains.compilers_for(bench.board, compilers)
        for each in flags
    ]


def verify_jobs(
    request: VerifyRequest,
    implementations: Sequence[Implementation],
    boards: Sequence[Board],
    level: Level = "full",
) -> list[PlannedJob]:
    """Jobs that run every known answer and then the shortest case. Raises UserError.

    Random words come from software by default: the answers do not depend on their source.
    """
    names = texts(request.names, "names")
    implementations = shared(implementations, request.shares)
    boards = boards_offering(implementations, boards, names)
    compilers = toolchains.check_compilers(boards, texts(request.compilers, "compilers"))
    flags = one_build(request.flags, request.flags_from)
    places = benches(boards, request.on, request.yes, None, request.supply)
    if request.on is not None:
        build_missing(bench.board for bench in places)
    return [
        planned(
            Job(
                each,
                bench.board,
                flags,
                [Case(each.operations()[0], 0, 0)],
                level,
                compiler=compiler,
                on=bench.on,
                device=bench.device,
                random=random_source(request.random) or "lfsr",
            )
        )
        for each in implementations
        for bench in places
        if has_own_code(each, bench.board, names)
        for compiler in toolchains.compilers_for(bench.board, compilers)
    ]


def finish_in_order(
    jobs: Sequence[PlannedJob], workers: int | None = None, progress: Progress | None = None
) -> Iterator[Finished]:
    """Runs jobs on all cores and yields them in the requested order.

    Raises UserError for an invalid job; failures of workers are in the result.
    """
    ended: dict[str, Finished] = {}
    order = iter(jobs)
    expected = next(order, None)
    for finished in run_jobs(jobs, workers, progress):
        if isinstance(finished.problem, UserError):
            raise finished.problem
        ended[finished.job.key] = finished
        while expected is not None and expected.key in ended:
            yield ended[expected.key]
            expected = next(order, None)


def verdict_of(finished: Finished) -> dict[str, Any]:
    """Whether an implementation passed verification in one build, and which known answers
    passed.
    """
    row = finished.result.measurements[0]
    return {
        "algorithm": row.algorithm,
        "implementation": row.implementation,
        "board": row.board,
        "flags": row.flags,
        "compiler": finished.result.provenance.compiler,
        "status": row.status,
        "verified": finished.result.provenance.verified,
        "reason": row.reason,
    }


def rows_of(finished: Finished) -> list[dict[str, Any]]:
    """The rows of a job with their origin and its notes, as ``--format json`` prints them."""
    origin = asdict(finished.result.provenance)
    notes = {"notes": "; ".join(finished.result.notes)}
    return [{**row.as_dict(), **origin, **notes} for row in finished.result.measurements]
