"""The page that leads from a part to a ranking: choose the part, then what to protect."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from pennyweight.analysis.facts import BoardFacts
from pennyweight.model import Kind
from pennyweight.report.data import FIRST, ReportData
from pennyweight.report.pages import choose
from pennyweight.report.pages.shared import KIND_TITLES, core_title

FILE = "part.html"

MESSAGES = (("sensor value", 16), ("radio frame", 64), ("packet", 256), ("file", 1024))
"""What a message is, and its length in bytes."""


def content(data: ReportData) -> dict[str, Any]:
    """For each board the kinds that were measured on it, and for each kind links to rankings."""
    return {
        "messages": [name for name, _ in MESSAGES],
        "lengths": [length for _, length in MESSAGES],
        "boards": [
            {"id": board.id, "title": board.title, "core": core_title(board), "kinds": kinds}
            for board in sorted(data.boards.values(), key=_order)
            if (kinds := _kinds(data, board.id))
        ],
    }


def _order(board: BoardFacts) -> tuple[str, int]:
    """By title, and one part by its clock."""
    return board.title.casefold().partition(" at ")[0], board.hz or 0


def _kinds(data: ReportData, board: str) -> list[tuple[str, list[str]]]:
    return [
        (KIND_TITLES[kind], [_link(board, kind, length) for _, length in MESSAGES])
        for kind in data.kinds
        if data.query(
            "SELECT 1 FROM rows WHERE board = ? AND op = ? AND status = 'ok' LIMIT 1",
            board,
            FIRST[kind].value,
        )
    ]


def _link(board: str, kind: Kind, length: int) -> str:
    return f"{choose.FILE}?{urlencode({'board': board, 'kind': kind.value, 'message': length})}"
