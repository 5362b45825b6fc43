"""Measures one function of any source files: a permutation, a block cipher, a primitive."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pennyweight.build.failure import BuildError
from pennyweight.build.failure_causes import with_cause
from pennyweight.build.firmware import headers_folder
from pennyweight.build.flag_check import check_flags
from pennyweight.build.link import Linker
from pennyweight.build.objects import compile_all
from pennyweight.build.programs import Program, check_fit
from pennyweight.build.sources import SUFFIXES, Sources
from pennyweight.catalogue.boards import Board
from pennyweight.catalogue.flags import parse_flags
from pennyweight.catalogue.root import data_root
from pennyweight.measure.case_costs import Counts, repeated
from pennyweight.measure.function_call import FunctionCall, requests_of
from pennyweight.model import Status, UserError
from pennyweight.target import (
    DoesNotFitError,
    Failure,
    Layout,
    RefusedImageError,
    Result,
    Target,
)
from pennyweight.target.board_check import check_board
from pennyweight.toolchains import MissingToolchainError, for_board


@dataclass(frozen=True, slots=True)
class FunctionCost:
    """The costs of a call of a function, or the reason for their absence.

    `cycles` is that of the call after `warm` others, `cycles_cold` that of the first. `flash` and
    `ram` are the bytes that the function and its dependencies add to the empty program; `stack` is
    in bytes.
    """

    function: str
    board: str
    flags: str
    cycles: int | None = None
    cycles_cold: int | None = None
    instructions: int | None = None
    stack: int | None = None
    flash: int | None = None
    ram: int | None = None
    status: str = Status.OK.value
    reason: str = ""
    remark: str = ""
    """What the function does that is usually an error, and was allowed."""
    warm: int = 1
    """Calls before the one that `cycles` counts."""


BELOW_STACK = (
    "it accesses memory below its stack pointer, which an interrupt would overwrite; other "
    "accesses outside its buffers were not detected"
)


def time_function(
    sources: Sources,
    board: Board,
    flags: str,
    call: FunctionCall,
    setup: FunctionCall | None,
    budget: int,
    allow_below_stack: bool = False,
    warm: int = 1,
) -> FunctionCost:
    """Builds the sources and makes the calls `setup` and `call`, `warm` times before they are
    counted.

    `budget` is in cycles per call. A fault of the sources is a status with a reason. With
    `allow_below_stack`, an access below the stack pointer becomes a remark. Raises
    `UserError` for flags that are not allowed and for an invalid board file.
    """
    function = call.function
    cost = FunctionCost(function, board.id, flags, warm=warm)
    try:
        toolchain = for_board(board)
        check_flags(toolchain, board, parse_flags(flags))
        check_board(board, toolchain)
        with tempfile.TemporaryDirectory(prefix="pennyweight-") as folder:
            setting_up = setup.function if setup else None
            program, flash, ram = _build(sources, board, flags, function, setting_up, Path(folder))
        target = Target(board, program, budget)
    except MissingToolchainError as error:
        return _failed(cost, Failure(Status.SKIPPED, str(error)))
    except BuildError as error:
        cause = with_cause(error, sources, toolchain.family, board)
        return _failed(cost, Failure(cause.status, cause.reason))
    except RefusedImageError as error:
        return _failed(cost, Failure(Status.BUILD_FAILED, str(error)))
    found = target.boot_failure or count_calls(target, call, setup, warm=warm)
    remark = ""
    if isinstance(found, Failure) and found.below_stack and allow_below_stack:
        target.reset()
        target.allows_below_stack = True
        remark = BELOW_STACK
        found = count_calls(target, call, setup, warm=warm)
    if isinstance(found, Failure):
        return _failed(cost, found, flash, ram)
    return FunctionCost(
        function,
        board.id,
        flags,
        found.cycles,
        found.cycles_cold,
        found.instructions,
        found.stack,
        flash,
        ram,
        remark=remark,
        warm=warm,
    )


def _failed(
    cost: FunctionCost, failure: Failure, flash: int | None = None, ram: int | None = None
) -> FunctionCost:
    return FunctionCost(
        cost.function,
        cost.board,
        cost.flags,
        flash=flash,
        ram=ram,
        status=failure.status.value,
        reason=failure.reason,
        warm=cost.warm,
    )


def find_sources(paths: Sequence[Path], include: Sequence[Path] = ()) -> Sources:
    """The files as sources in the folder of the first one, with additional header folders.

    Raises `UserError`.
    """
    for path in paths:
        if not path.is_file():
            raise UserError(f"{path}: there is no such file; check the path")
        if not path.name.endswith(SUFFIXES):
            endings = ", ".join(SUFFIXES)
            raise UserError(f"{path}: not a source file; use files that end in {endings}")
    for path in include:
        if not path.is_dir():
            raise UserError(f"--include: {path}: there is no such folder; check the path")
    folder = paths[0].resolve().parent
    compiled = [os.path.relpath(path.resolve(), folder) for path in paths]
    beside = (path.resolve().parent for path in paths)
    folders = tuple(dict.fromkeys((*beside, *(path.resolve() for path in include))))
    others = [os.path.relpath(each, folder) for each in folders if each != folder]
    return Sources(folder, tuple(dict.fromkeys(compiled)), tuple(others), folders)


def _build(
    sources: Sources, board: Board, flags: str, function: str, setup: str | None, folder: Path
) -> tuple[Program, int, int]:
    """The program to run, and the function's own bytes of flash and RAM. Raises `BuildError`."""
    toolchain = for_board(board)
    firmware = data_root() / "firmware"
    all_flags = (*board.file.compiler.flags, *parse_flags(flags))
    objects = compile_all(toolchain, sources, all_flags, headers_folder(firmware), folder)
    names = [each.file for each in objects]
    linker = Linker(toolchain, board, all_flags, firmware, folder)
    empty = linker.link("empty", [], frozenset()).image
    alone = linker.link("alone", names, frozenset((function,)))
    whole = alone
    if setup is not None:
        whole = linker.link("whole", names, frozenset((function, setup)))
    check_fit(whole, board)
    image = whole.image
    program = Program("whole", image.elf, image.flash, image.ram)
    return program, alone.image.flash - empty.flash, alone.image.ram - empty.ram


def call_once(
    target: Target, call: FunctionCall, setup: FunctionCall | None, layout: Layout
) -> Result | Failure:
    """Writes the buffers and makes the calls `setup` and `call`."""
    target.write(layout)
    if setup is not None:
        prepared = target.call(setup.function, setup.values(layout), layout)
        if isinstance(prepared, Failure):
            return prepared.during(f"the set-up function '{setup.function}'")
    return target.call(call.function, call.values(layout), layout)


def count_calls(
    target: Target,
    call: FunctionCall,
    setup: FunctionCall | None,
    buffered: bool = True,
    warm: int = 1,
) -> Counts | Failure:
    """The costs of `call` after `setup`; `buffered` counts after `warm` calls. Raises
    `UserError`.
    """
    calls = (call,) if setup is None else (call, setup)
    try:
        layout = target.lay_out(requests_of(calls, "--setup"))
    except DoesNotFitError as error:
        return Failure(
            Status.DOES_NOT_FIT, f"{error.missing} bytes too many: no RAM for buffers and stack"
        )
    return repeated(
        lambda: call_once(target, call, setup, layout), lambda result: None, buffered, warm=warm
    )
