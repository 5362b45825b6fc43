"""Tuning: from what a user asks for to a search."""

from __future__ import annotations

from pathlib import Path

from pennyweight import toolchains
from pennyweight.api.compilers import build_missing
from pennyweight.api.listing import choose_implementations
from pennyweight.api.measuring import cases_for, choose_boards
from pennyweight.api.options import count
from pennyweight.api.requests import TuneRequest
from pennyweight.catalogue import Catalogue
from pennyweight.job import Job
from pennyweight.lengths import check_pairs, parse_pairs
from pennyweight.model import UserError
from pennyweight.paths import expand_user
from pennyweight.tuning.tune import Tuning


def prepare(request: TuneRequest, catalogue: Catalogue) -> Tuning:
    """Checks a request; the search that has not begun. Raises `UserError`."""
    found = choose_implementations(catalogue, [str(request.name)])
    if len(found) != 1:
        names = ", ".join(each.id for each in found)
        raise UserError(f"{request.name}: tune takes one implementation; choose one of {names}")
    [implementation] = found
    [board] = choose_boards(catalogue, [request.board])
    lengths = (
        parse_pairs(request.lengths)
        if isinstance(request.lengths, str)
        else check_pairs(request.lengths)
    )
    cases = cases_for(implementation, lengths, None, False)
    compiler = ""
    if request.compiler is not None:
        [name] = toolchains.check_compilers([board], [str(request.compiler)])
        compiler = toolchains.compiler_for(board, name)
    build_missing([board])
    default = f"{implementation.algorithm}-{implementation.name}-{board.id}-{request.aim}.flags"
    path = expand_user(request.into) if request.into is not None else Path(default)
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise UserError(f"{path}: the flags cannot be written there; give the path of a file")
    budget = count(request.budget, "budget") or 1
    job = Job(implementation, board, "-O2", cases, compiler=compiler)
    return Tuning(job, request.aim, budget, path)
