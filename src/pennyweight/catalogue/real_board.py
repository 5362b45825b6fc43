"""The name and texts of a real board in results, where its simulation has another name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pennyweight.catalogue.boards import Board

SUFFIX = "-device"
"""Suffix of the name under which a real board's results are stored."""


def as_real(board: Board, device: str) -> Board:
    """The board under the name of its real results; `device` describes the connected part."""
    name, mark, rest = board.title.partition(" (")
    changes = {
        "id": f"{board.id}{SUFFIX}",
        "title": f"{name}, real board{mark}{rest}",
        "validation": measured_on([device]),
    }
    return replace(board, file=board.file.model_copy(update=changes))


def measured_on(devices: Iterable[str]) -> str:
    """The connected parts, in the sentence that a real board has instead of a validation."""
    return f"Measured on a real board: {'; '.join(devices)}."
