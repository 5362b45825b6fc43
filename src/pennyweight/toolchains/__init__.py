"""Compilers: which one a board needs, whether it is there, what exactly it is."""

from __future__ import annotations

from pennyweight.catalogue import Board


def missing(board: Board) -> str | None:
    """Why nothing can be built for `board` here: one sentence that names the package to install.

    `None` if its compiler is there.
    """
    raise NotImplementedError
