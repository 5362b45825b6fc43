"""Which implementations are offered on which boards.

An implementation with assembly is offered only on cores with an instruction set that the assembly
is written for. On all others it is the same C as another implementation, with the same figures.
There it can still be named, as `ascon-aead128/asm`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pennyweight.catalogue.boards import Board
from pennyweight.catalogue.implementation import Implementation
from pennyweight.model import UserError


def is_offered(implementation: Implementation, board: Board, names: Collection[str] = ()) -> bool:
    """Whether an implementation is offered on a board, or is one of the `names` itself."""
    if not implementation.assembly or board.instruction_set in implementation.assembly:
        return True
    return implementation.id in {name.casefold() for name in names}


def boards_offering(
    implementations: Iterable[Implementation], boards: Iterable[Board], names: Collection[str] = ()
) -> list[Board]:
    """The boards on which at least one of the implementations is offered. Raises `UserError` if
    there is none.
    """
    chosen, places = list(implementations), list(boards)
    found = [board for board in places if any(is_offered(each, board, names) for each in chosen)]
    if not found:
        raise UserError(
            f"{', '.join(names)}: the matching implementations have no assembly for "
            f"{', '.join(board.id for board in places)}; name one, such as {chosen[0].id}, to use "
            "the C that replaces it there"
        )
    return found
