"""The complete table as text, with the exclusions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from scripts.bench_implementations.comparison import ALLOWED, FIELDS, Line
from scripts.bench_implementations.measured import LeftOut

_WIDTH = 38
_LONGEST = 100


def table(lines: Iterable[Line]) -> Iterator[str]:
    """A heading, and a line for each key."""
    titles = (f"  {name + ', ours / theirs':{_WIDTH}}" for name in FIELDS)
    yield f"{'algorithm':24} {'board':16} {'flags':5}{''.join(titles)}".rstrip()
    for line in lines:
        algorithm, board, flags = line.key
        first = f"  {line.among}" if line.among else algorithm
        yield f"{first:24} {board:16} {flags:5}{_cells(line)}".rstrip()


def _cells(line: Line) -> str:
    lacking = [side for side, best in (("ours", line.ours), ("theirs", line.theirs)) if not best]
    if lacking:
        return f"  nothing of {' or of '.join(lacking)} runs{'' if line.ours else ' !'}"
    cells = []
    for name, value in FIELDS.items():
        mine, other, ratio = line.ours[name], line.theirs[name], line.ratio(name) or 0.0
        text = f"{value(mine)} {mine.name} / {value(other)} {other.name}"
        cells.append(f"  {ratio:5.2f}{'!' if ratio > ALLOWED else ' '}{text:{_WIDTH - 6}}")
    return "".join(cells)


def left_out(
    side: str, found: Iterable[LeftOut], boards: Collection[str], flags: Collection[str]
) -> Iterator[str]:
    """A line for each reason: the implementations, and where, unless on all boards with all
    flags.
    """
    places: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for each in found:
        places[each.id, _shortened(each.reason)][each.board].add(each.flags)
    alike: dict[tuple[str, str], list[str]] = defaultdict(list)
    for (name, reason), where in places.items():
        told = [_place(board, some, flags) for board, some in where.items() if board]
        everywhere = set(told) == set(boards)
        alike[reason, "" if everywhere or not told else f" [{', '.join(told)}]"].append(name)
    if alike:
        yield f"\nLeft out of {side}:"
    for (reason, at), names in sorted(alike.items()):
        yield f"  {', '.join(names)}: {reason}{at}"


def _place(board: str, some: set[str], flags: Collection[str]) -> str:
    is_with_all = some == {""} or some == set(flags)
    return board if is_with_all else " ".join([board, *(each for each in flags if each in some)])


def _shortened(reason: str) -> str:
    first = reason.splitlines()[0] if reason else ""
    return first if len(first) <= _LONGEST else f"{first[: _LONGEST - 1]}…"
