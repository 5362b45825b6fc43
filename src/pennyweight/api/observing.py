"""Calls that are looked at closely: which ones a request means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pennyweight.api.compilers import build_missing
from pennyweight.api.listing import choose_implementations
from pennyweight.api.measuring import cases_for, choose_boards, parse_operations
from pennyweight.catalogue import Board, Implementation, load
from pennyweight.lengths import parse_pairs
from pennyweight.measure import DEFAULT_BUDGET
from pennyweight.model import Case, UserError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Request:
    """One call of one implementation on one board."""

    implementation: Implementation
    board: Board
    case: Case

    @property
    def title(self) -> str:
        """`ascon-aead128/small on stm32f030, enc 16:64`."""
        case = self.case
        return f"{self.implementation.id} on {self.board.id}, {case.op.value} {case.ad}:{case.m}"

    def fields(self, flags: str) -> dict[str, Any]:
        """What names the call, as rows have it."""
        return {
            "implementation": self.implementation.id,
            "board": self.board.id,
            "flags": flags,
            "op": self.case.op.value,
            "ad": self.case.ad,
            "m": self.case.m,
        }


def requests(name: str, boards: Sequence[str], length: str, op: str | None) -> list[Request]:
    """The calls that a command means: every implementation that `name` stands for, every board.

    Raises `UserError` for anything that is not there, and for more than one length or operation.
    """
    catalogue = load()
    pairs = parse_pairs(length, "--length")
    if len(pairs) != 1:
        raise UserError(f"--length: '{length}' means {len(pairs)} pairs; give one, such as 16:64.")
    operations = None if op is None else parse_operations(op)
    if operations is not None and len(operations) != 1:
        raise UserError(f"--op: '{op}' means {len(operations)} operations; give one, such as enc.")
    chosen = choose_implementations(catalogue, [name])
    on = choose_boards(catalogue, boards)
    requests = [
        Request(implementation, board, cases_for(implementation, pairs, operations)[0])
        for implementation in chosen
        for board in on
    ]
    build_missing(on)
    return requests


def observe(
    observe_case: Callable[[Implementation, Board, str, Case, int], T],
    request: Request,
    flags: str,
    budget: int | None,
) -> T:
    """Looks at a call with `profile_case` or `follow_case`."""
    cycles = DEFAULT_BUDGET if budget is None else budget
    return observe_case(request.implementation, request.board, flags, request.case, cycles)
