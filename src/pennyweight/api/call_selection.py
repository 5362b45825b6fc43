"""Selects the calls that a request analyses."""

from __future__ import annotations

from typing import Any

from pennyweight.api.buildflags import one_build
from pennyweight.api.compilers import build_missing
from pennyweight.api.listing import choose_implementations
from pennyweight.api.measuring import cases_for, choose_boards, parse_operations
from pennyweight.api.options import some
from pennyweight.api.requests import CallRequest
from pennyweight.api.sharing import shared
from pennyweight.catalogue import load
from pennyweight.catalogue.offers import boards_offering, is_offered
from pennyweight.job import DEFAULT_BUDGET, Job
from pennyweight.lengths import parse_pairs
from pennyweight.model import UserError


def calls(request: CallRequest) -> list[Job]:
    """The calls to analyse, as jobs with one case each: every matching implementation on every
    board.

    Raises `UserError` for unknown names, and for more than one length or operation.
    """
    catalogue = load()
    pairs = parse_pairs(request.length, "--length")
    if len(pairs) != 1:
        raise UserError(
            f"--length: '{request.length}' lists {len(pairs)} pairs; give one, such as 16:64."
        )
    operations = None if request.op is None else parse_operations(request.op)
    if operations is not None and len(operations) != 1:
        raise UserError(
            f"--op: '{request.op}' lists {len(operations)} operations; give one, such as enc."
        )
    implementations = shared(choose_implementations(catalogue, [request.name]), request.shares)
    boards = boards_offering(
        implementations,
        choose_boards(catalogue, some(request.boards, "boards")),
        [request.name],
        requested=True,
    )
    cases = {each.id: cases_for(each, pairs, operations)[:1] for each in implementations}
    flags = one_build(request.flags, request.flags_from)
    build_missing(boards)
    budget = request.budget or DEFAULT_BUDGET
    return [
        Job(each, board, flags, cases[each.id], budget=budget)
        for each in implementations
        for board in boards
        if is_offered(each, board, [request.name])
    ]


def title(job: Job) -> str:
    """For example `ascon-aead128/small on stm32f030, enc 16:64`."""
    case = job.cases[0]
    return f"{job.implementation.id} on {job.board.id}, {case.op.value} {case.ad}:{case.m}"


def fields(job: Job) -> dict[str, Any]:
    """The fields that identify the call, as in rows."""
    case = job.cases[0]
    return {
        "implementation": job.implementation.id,
        "board": job.board.id,
        "flags": job.flags,
        "op": case.op.value,
        "ad": case.ad,
        "m": case.m,
    }
