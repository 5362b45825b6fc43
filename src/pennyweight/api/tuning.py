"""Prepares a search of compiler flags from a request."""

from __future__ import annotations

from pathlib import Path

from pennyweight import toolchains
from pennyweight.api.compilers import build_missing
from pennyweight.api.listing import choose_implementations
from pennyweight.api.measuring import cases_for, choose_boards
from pennyweight.api.options import DEFAULT_FLAGS, count
from pennyweight.api.requests import TuneRequest
from pennyweight.catalogue import Catalogue
from pennyweight.catalogue.offers import boards_offering, is_offered
from pennyweight.job import Job
from pennyweight.lengths import pairs_of
from pennyweight.model import UserError
from pennyweight.paths import expand_user
from pennyweight.tuning.tune import Tuning


def prepare(request: TuneRequest, catalogue: Catalogue) -> Tuning:
    """Checks a request and returns its search, which has not started. Raises `UserError`."""
    named = [str(request.name)]
    every = choose_implementations(catalogue, named)
    [board] = boards_offering(every, choose_boards(catalogue, [request.board]), named)
    found = [each for each in every if is_offered(each, board, named)]
    if len(found) != 1:
        names = ", ".join(each.id for each in found)
        raise UserError(f"{request.name}: tune takes one implementation; choose one of {names}")
    [implementation] = found
    cases = cases_for(implementation, pairs_of(request.lengths))
    compiler = ""
    if request.compiler is not None:
        chosen = toolchains.check_compilers([board], [str(request.compiler)])
        [compiler] = toolchains.compilers_for(board, chosen)
    build_missing([board])
    default = f"{implementation.algorithm}-{implementation.name}-{board.id}-{request.aim}.flags"
    path = expand_user(request.into) if request.into is not None else Path(default)
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise UserError(f"{path}: the flags cannot be written there; give the path of a file")
    budget = count(request.budget, "budget") or 1
    job = Job(implementation, board, DEFAULT_FLAGS, cases, compiler=compiler)
    return Tuning(job, request.aim, budget, path)
