"""The ratios as a table in Markdown, for the documentation."""

from __future__ import annotations

from collections.abc import Callable, Iterable

FAST, SMALL = "-O3", "-Os"
"""Flags of those who want speed and of those who want room, of which cycles and flash are shown."""

Key = tuple[str, str, str]
Ratio = Callable[[Key, str], float | None]
"""Ours over theirs for an algorithm, a board and flags, and a field: short, long or flash."""


def markdown(keys: Iterable[Key], ratio: Ratio, allowed: float) -> str:
    """A line for each algorithm: cycles for 16 and 128 bytes, and flash, board by board.

    What is above `allowed` is set in bold; a dash stands where one side has nothing that runs.
    """
    known = list(keys)
    algorithms = sorted({algorithm for algorithm, _, _ in known})
    boards = sorted({board for _, board, _ in known})
    heads = ["algorithm", *boards, *(f"flash, {board}" for board in boards)]
    lines = [_line(heads), _line(["---"] * len(heads))]
    for algorithm in algorithms:
        cells = [algorithm]
        for board in boards:
            of = (algorithm, board, FAST)
            cells.append(
                f"{_cell(ratio(of, 'short'), allowed)} {_cell(ratio(of, 'long'), allowed)}"
            )
        cells += [_cell(ratio((algorithm, board, SMALL), "flash"), allowed) for board in boards]
        lines.append(_line(cells))
    return "\n".join(lines)


def _cell(value: float | None, allowed: float) -> str:
    if value is None:
        return "–"
    return f"**{value:.2f}**" if value > allowed else f"{value:.2f}"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
