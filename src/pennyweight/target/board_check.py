"""Checks a board file with a program of Pennyweight before any other program runs on it."""

from __future__ import annotations

import functools

from pennyweight.build.failure import BuildError
from pennyweight.build.probe import PROBE, build_probe
from pennyweight.build.programs import Program
from pennyweight.catalogue.boards import Board
from pennyweight.model import Status, UserError
from pennyweight.target.buffers import DoesNotFitError
from pennyweight.target.failure import Failure
from pennyweight.target.interface import RefusedImageError
from pennyweight.target.machine import Result, Target
from pennyweight.toolchains import Toolchain

_BUDGET = 1_000_000


def check_board(board: Board, toolchain: Toolchain) -> None:
    """Raises `UserError` if even Pennyweight's own code, compiled with the board's flags, cannot be
    loaded, does not start, or computes wrong results.

    A RAM that is too small is not an error; each implementation that does not fit reports it.
    """
    reason = _contradiction(board, toolchain)
    if reason:
        raise UserError(f"{board.path}: {reason}")


@functools.lru_cache(maxsize=64)
def _contradiction(board: Board, toolchain: Toolchain) -> str:
    """The error in a board file, beginning with the field; empty if there is none."""
    flags = " ".join(board.file.compiler.flags)
    try:
        elf = build_probe(toolchain, board)
    except BuildError as error:
        if error.status is Status.DOES_NOT_FIT:
            return ""
        return (
            f"field 'compiler.flags': with '{flags}' Pennyweight's start-up code does not build "
            f"({error.reason}); use the compiler's name of the part"
        )
    try:
        target = Target(board, Program(PROBE, elf, 0, 0), _BUDGET)
    except RefusedImageError as error:
        return f"field 'memory': the smallest program cannot be loaded ({error})"
    found: Result | Failure
    if target.boot_failure is not None:
        found = target.boot_failure
    else:
        try:
            found = target.call(PROBE, [], target.lay_out([]))
        except DoesNotFitError:
            return ""
    if isinstance(found, Failure):
        if found.status is Status.STACK_OVERFLOW:
            return ""
        wrong = found.reason
    elif found.outcome.result != 0:
        wrong = f"its check number {found.outcome.result} gives a wrong answer"
    else:
        return ""
    return (
        f"field 'compiler.flags': code compiled with '{flags}' does not run on the core "
        f"'{board.core}' ({wrong}); use the flags that select this core"
    )
