"""Which implementations are offered on which boards.

An implementation with assembly is offered only on cores with an instruction set that the assembly
is written for. On all others it is the same C as another implementation, with the same figures.
There it can still be named, as `ascon-aead128/asm`, unless it has shares: the name would promise
that they do not meet, but in C they do.

A bundled implementation with shares is offered only if it is named, by itself or by a pattern for
masked ones, as `ascon-aead128/masked2` or `*/masked*`: its figures include a protection that others
lack.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase

from pennyweight.catalogue.boards import Board
from pennyweight.catalogue.families import MASKED
from pennyweight.catalogue.implementation import Implementation
from pennyweight.model import UserError


def is_offered(
    implementation: Implementation, board: Board, names: Collection[str] = (), masked: bool = False
) -> bool:
    """Whether an implementation is offered on a board, or is one of the `names` itself. `masked`:
    those with shares are asked for.
    """
    if is_protected(implementation) and not (masked or _is_asked_for(implementation, names)):
        return False
    return has_own_code(implementation, board, names)


def is_protected(implementation: Implementation) -> bool:
    """Whether it is a bundled implementation with shares. A user who gives the path of another one
    asks for it.
    """
    return implementation.bundled and implementation.manifest.shares is not None


def has_own_code(implementation: Implementation, board: Board, names: Collection[str] = ()) -> bool:
    """Whether an implementation is other code on a board than those without its assembly, or is one
    of the `names` itself. One with shares is not offered without its assembly.
    """
    if not implementation.assembly or board.instruction_set in implementation.assembly:
        return True
    if is_protected(implementation):
        return False
    return implementation.id in {name.casefold() for name in names}


def _is_asked_for(implementation: Implementation, names: Collection[str]) -> bool:
    """Whether one of the names is that of a masked implementation, or a pattern for them."""
    return any(
        fnmatchcase(implementation.id, name)
        for name in (each.casefold() for each in names)
        if name == implementation.id or MASKED in name.rpartition("/")[2]
    )


def boards_offering(
    implementations: Iterable[Implementation],
    boards: Iterable[Board],
    names: Collection[str] = (),
    requested: bool = False,
) -> list[Board]:
    """The boards on which at least one of the implementations is offered. Raises `UserError` if
    there is none, or if only masked ones are asked for, and a board that is `requested` has none.
    """
    chosen, places = list(implementations), list(boards)
    found = [board for board in places if any(is_offered(each, board, names) for each in chosen)]
    masked = all(is_protected(each) and _is_asked_for(each, names) for each in chosen)
    without = [board.id for board in places if board not in found]
    if without and masked and (requested or not found):
        remedy = "remove the board, or name" if found else "name"
        raise UserError(
            f"{', '.join(names)}: the matching masked implementations have no assembly for "
            f"{', '.join(without)}; {remedy} one in C, such as {chosen[0].algorithm}/masked2"
        )
    if not found and all(is_protected(each) for each in chosen):
        raise UserError(
            f"{', '.join(names)}: all matching implementations are masked, and are measured only "
            f"if they are named; name one, such as {chosen[0].id}"
        )
    if not found:
        raise UserError(
            f"{', '.join(names)}: the matching implementations have no assembly for "
            f"{', '.join(board.id for board in places)}; name one, such as {chosen[0].id}, to use "
            "the C that replaces it there"
        )
    return found
